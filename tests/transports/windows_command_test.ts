/** Tests of `transports/windows_command.ts`, as tables: nothing in it needs Windows. */
import assert from "node:assert/strict";
import { windowsCommand } from "../../transports/windows_command.ts";
import type { WindowsSearch } from "../../transports/windows_command.ts";

const FILES = [
  "C:\\Windows\\System32\\where.exe",
  "C:\\Program Files\\nodejs\\node.exe",
  "C:\\Program Files\\nodejs\\npx",
  "C:\\Program Files\\nodejs\\npx.cmd",
  "C:\\Program Files\\nodejs\\old.bat",
  "C:\\tools\\both.cmd",
  "C:\\tools\\both.exe",
  "C:\\tools\\script.js",
  "C:\\tools\\a&b.cmd",
  "C:\\work\\local.cmd",
  "C:\\work\\bin\\server.exe",
];

function search(changes: Partial<WindowsSearch> = {}): WindowsSearch {
  const there = new Set(FILES.map((file) => file.toLowerCase()));
  return {
    path: 'C:\\Windows\\System32;;"C:\\Program Files\\nodejs\\";C:\\tools',
    pathExt: ".COM;.EXE;.BAT;.CMD;.JS",
    systemRoot: "C:\\Windows",
    directory: "C:\\work",
    // Windows takes no notice of upper and lower case, nor of dots and spaces at the end.
    isFile: (path) => there.has(path.toLowerCase().replace(/[. ]+$/, "").replaceAll("\\.\\", "\\")),
    ...changes,
  };
}

const lower = (command: string, changes?: Partial<WindowsSearch>) =>
  windowsCommand(command, [], search(changes)).file.toLowerCase();

Deno.test("windowsCommand() finds programs by name in PATH, and by path, and starts them as they are", () => {
  const table: readonly (readonly [string, string])[] = [
    ["where", "c:\\windows\\system32\\where.exe"],
    ["node", "c:\\program files\\nodejs\\node.exe"],
    ["NODE.EXE", "c:\\program files\\nodejs\\node.exe"],
    ["node.", "c:\\program files\\nodejs\\node.exe"],
    ["both", "c:\\tools\\both.exe"],
    [".\\bin\\server", "c:\\work\\.\\bin\\server.exe"],
    ["bin/server.exe", "c:\\work\\bin\\server.exe"],
    ["C:/tools/both.exe", "c:\\tools\\both.exe"],
    // Not found: the system says so. The working directory is no part of PATH, and scripts of other hosts are no programs.
    ["nothing", "nothing"],
    ["local", "local"],
    ["script", "script"],
    ["script.js", "script.js"],
    ["C:\\tools\\nothing", "c:\\tools\\nothing"],
  ];
  for (const [command, file] of table) assert.equal(lower(command), file, command);
  const args = ["a b", '"', "%PATH%", "&"];
  assert.deepEqual(windowsCommand("node.exe", args, search()), {
    file: "C:\\Program Files\\nodejs\\node.exe",
    args,
    verbatim: false,
  });
});

Deno.test("windowsCommand() tries the extensions of PATHEXT, in their order", () => {
  assert.match(lower("both", { pathExt: ".CMD;.EXE" }), /cmd\.exe$/);
  assert.match(lower("both", { pathExt: ".EXE" }), /both\.exe$/);
  assert.match(lower("both", { pathExt: undefined }), /both\.exe$/);
  assert.match(lower("both", { pathExt: ".JS;.VBS" }), /both\.exe$/);
  assert.equal(lower("npx", { pathExt: ".EXE" }), "npx");
});

Deno.test("windowsCommand() has cmd.exe start shims, with a command line that it cannot misread", () => {
  const npx = '"C:\\Program Files\\nodejs\\npx.cmd"';
  const table: readonly (readonly [readonly string[], string])[] = [
    [[], `"${npx}"`],
    [["-y", "@scope/server@1.2.3"], `"${npx} "-y" "@scope/server@1.2.3""`],
    [["", "a b", "x=1;y,z"], `"${npx} "" "a b" "x=1;y,z""`],
    // Backslashes before the closing quote would make it part of the argument.
    [["C:\\data\\", "\\\\share\\\\"], `"${npx} "C:\\data\\\\" "\\\\share\\\\\\\\""`],
    [["(x86)", "~", "*", "'q'", "`"], `"${npx} "(x86)" "~" "*" "'q'" "\`""`],
  ];
  for (const [args, line] of table) {
    const found = windowsCommand("npx", args, search());
    assert.equal(found.file, "C:\\Windows\\System32\\cmd.exe");
    assert.deepEqual(found.args.slice(0, 4), ["/d", "/s", "/v:off", "/c"]);
    assert.equal(found.args[4]?.toLowerCase(), line.toLowerCase());
    assert.equal(found.verbatim, true);
  }
  assert.match(lower("old"), /cmd\.exe$/);
  assert.match(lower("npx.cmd"), /cmd\.exe$/);
});

Deno.test("windowsCommand() refuses arguments and paths that cmd.exe could read in another way", () => {
  for (const sign of ['"', "%", "!", "^", "&", "|", "<", ">", "\n", "\r", "\0"]) {
    const secret = `s3cret${sign}calc`;
    const name = JSON.stringify(sign);
    assert.throws(() => windowsCommand("npx", ["ok", secret], search()), (error: Error) => {
      assert.ok(error instanceof TypeError, name);
      assert.match(error.message, /argument 2/);
      assert.ok(!error.message.includes("s3cret"), name);
      return true;
    });
  }
  assert.throws(() => windowsCommand("a&b", [], search()), /its path/);
  // What Windows drops at the end of a name does not hide what it is.
  for (const command of ["npx.cmd.", "npx.cmd ", "npx.CMD . ."]) {
    assert.throws(() => windowsCommand(command, ["&calc"], search()), TypeError, command);
    assert.throws(() => windowsCommand(command, ["&calc"], search({ isFile: () => false })), TypeError, command);
  }
});
