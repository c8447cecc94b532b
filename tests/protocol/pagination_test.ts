/** Tests of pages and cursors. */
import assert from "node:assert/strict";
import { catalogueDigest, pageCursor, readCursor, slicePage } from "../../protocol/pagination.ts";

const names = ["a", "b", "c", "d", "e"];
const digest = catalogueDigest("tools", names, 2);

Deno.test("slicePage cuts all pages, and the cursors lead from one to the next (M-PAGE-002)", () => {
  const pages = slicePage(names, 2, digest);
  assert.deepEqual(pages.map(({ items }) => items), [["a", "b"], ["c", "d"], ["e"]]);
  assert.equal(pages[0]?.cursor, undefined);
  assert.equal(pages[2]?.nextCursor, undefined);
  pages.slice(1).forEach((page, index) => {
    assert.equal(page.cursor, pages[index]?.nextCursor);
    assert.equal(readCursor(page.cursor ?? "", digest), 2 * (index + 1));
  });
});

Deno.test("slicePage makes one page of an empty and of a short list", () => {
  assert.deepEqual(slicePage([], 2, digest), [{ items: [], cursor: undefined, nextCursor: undefined }]);
  assert.deepEqual(slicePage([1, 2], 2, digest), [{ items: [1, 2], cursor: undefined, nextCursor: undefined }]);
});

Deno.test("slicePage refuses a page size that is no positive integer", () => {
  for (const size of [0, -1, 1.5, NaN, Infinity]) assert.throws(() => slicePage(names, size, digest), TypeError);
});

Deno.test("readCursor refuses what was not written for the list (M-PAGE-004)", () => {
  const good = pageCursor(digest, 2);
  assert.equal(readCursor(good, digest), 2);
  const bad = [
    "",
    "%zz",
    "bogus",
    "x".repeat(10_000_000),
    digest,
    `${digest}-`,
    `${digest}-0`,
    `${digest}--2`,
    `${digest}-02`,
    `${digest}- 2`,
  ];
  for (const cursor of [...bad, `${good} `, good.toUpperCase() + "!", `${digest}-${"z".repeat(11)}`, `${digest}-2.5`]) {
    assert.equal(readCursor(cursor, digest), undefined, cursor.slice(0, 40));
  }
});

Deno.test("catalogueDigest binds a cursor to the kind, the names, their order and the page size (M-PAGE-003)", () => {
  assert.equal(catalogueDigest("tools", [...names], 2), digest);
  assert.match(digest, /^[0-9a-f]{16}$/);
  const others = [
    catalogueDigest("prompts", names, 2),
    catalogueDigest("tools", names, 3),
    catalogueDigest("tools", [...names].reverse(), 2),
    catalogueDigest("tools", names.slice(1), 2),
    catalogueDigest("tools", ["ab", "c", "d", "e"], 2),
    catalogueDigest("tools", ["a", "b", "c", "de"], 2),
    catalogueDigest("tools", ["a", "b", "c", "d", "é"], 2),
  ];
  assert.equal(new Set([digest, ...others]).size, others.length + 1);
  for (const other of others) assert.equal(readCursor(pageCursor(digest, 2), other), undefined);
});

Deno.test("catalogueDigest tells many similar lists apart", () => {
  const digests = new Set(Array.from({ length: 20_000 }, (_, index) => catalogueDigest("tools", [`tool-${index}`], 100)));
  assert.equal(digests.size, 20_000);
});
