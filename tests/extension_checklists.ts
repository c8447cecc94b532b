/** What is to be shown of each extension, line by line, and which lines no code can show. */

/** One checklist. */
export interface ExtensionChecklist {
  /** Its lines, in order: the first one is named by tests as `tasks 01`. */
  readonly lines: readonly string[];
  /** The numbers of those that no test here can show, each with the reason. */
  readonly unshown: { readonly [line: number]: string };
}

/** The checklists by the word that begins the names of their tests. */
export const EXTENSION_CHECKLISTS: { readonly [extension: string]: ExtensionChecklist } = {
  tasks: {
    lines: [
      "discover declares an empty object, and no tasks capability of 2025-11-25",
      "a declaration counts for its request alone",
      "undeclared: answered at once or -32021, never with a handle",
      "no handle on handshake revisions",
      "the handle: flat, ttlMs, dates, no forbidden keys",
      "tasks/get right after the handle, from another instance over the same store",
      "results are complete; acknowledgements say nothing of the task",
      "the capability before the id: -32021, then -32602",
      "what has ended stays as it is",
      "isError completes, a protocol error fails, other errors as in a call",
      "keys are used once; partial, unknown and late answers",
      "tasks/cancel again and again; the handler's signal",
      "headers: mismatch, missing, base64",
      "listen: the subset, each push as tasks/get says it, undeclared, other callers' tasks",
      "another principal's id is as an unknown one",
      "-32602 after the ttl, not before",
      "client: a handle where none may be is no result, and leads to nothing",
      "client: changed poll interval, questions once, error with code and data",
      "client: a lost look is made again, -32602 ends the wait",
      "no requestState on tasks; rounds and then a task, with equal keys",
    ],
    unshown: {},
  },
  skills: {
    lines: [
      "an undeclared server: the client refuses, a raw call gets -32601",
      "directoryRead absent or false",
      "a server without resources can not enable skills",
      "resultType, ttlMs and cacheScope by revision",
      "listed entries: own URI, unique URIs, digests and sizes",
      "digests over exact bytes",
      "skills/get: unlisted, unknown, a supporting file",
      "malformed resources are refused",
      "an unlisted read sends nothing",
      "size before digest; spelling and algorithm of digests",
      "every difference of frontmatter is found",
      "spellings of one file; traversal refused",
      "what changes the fingerprint of an approval",
      "dynamic skills: unverified, no fingerprint, bounded",
      "approval of the outer skill is none of the inner one",
      "equal URIs of two servers are kept apart",
      "directories: empty, slashes, direct children, strangers filtered",
      "bounded lists: repeated URIs, endless and repeated cursors",
      "512 and 513 entries; 16 MiB and a byte more",
      "files that change on disk after publication",
      "traversal, symlinks, dotfiles, absolute paths of the file loader",
      "the official client and server, both eras, odd frontmatter",
    ],
    unshown: {},
  },
  apps: {
    lines: [
      "the capability in both eras",
      "nested and flat key, both, a value that is no ui: URI",
      "MIME type; text and blob, both, neither, two items",
      "_meta.ui of the read item overrides that of the list",
      "visibility",
      "a view of one server calls no tool of another",
      "CSP: default, directives, injection",
      "permissions and the allow attribute",
      "the codec: round trips, direction, content of ui/message",
      "the order of a view's life",
      "teardown ends on the answer and on time",
      "links: which open and which do not",
      "display modes",
      "context changes are merged",
      "a UI tool answers clients without the extension with text",
      "the official package against this one, both ways",
      "definitions are frozen",
      "no eval in the bundle of a view",
    ],
    unshown: {},
  },
};
