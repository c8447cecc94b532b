/** Finds commands as Windows names them, shims included, and says how they are started without a shell. */

/** What the search needs to know. */
export interface WindowsSearch {
  /** The variable PATH that the command will have. */
  readonly path: string;
  /** The variable PATHEXT: which extensions are tried, in which order. */
  readonly pathExt?: string | undefined;
  /** The variable SystemRoot, in which `cmd.exe` lies. */
  readonly systemRoot?: string | undefined;
  /** Where relative paths begin. */
  readonly directory: string;
  /** Says whether there is such a file. */
  readonly isFile: (path: string) => boolean;
}

/** What is started. */
export interface WindowsCommand {
  /** The program. */
  readonly file: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** The arguments are the command line itself; they must not be quoted again. */
  readonly verbatim: boolean;
}

/** What Windows starts by itself, and what `cmd.exe` has to start. */
const PROGRAMS = [".com", ".exe"];
const SCRIPTS = [".bat", ".cmd"];
const EXTENSIONS = ".COM;.EXE;.BAT;.CMD";

/**
 * Finds a command: by its path, or by its name in the directories of PATH, never in the working directory. A name without an
 * extension is tried with those of PATHEXT. Programs are started as they are. Scripts (`npx` is one) need `cmd.exe`, whose
 * rules of quoting no argument can be trusted to survive that holds `"`, `%`, `!`, `^`, `&`, `|`, `<`, `>` or a line end.
 *
 * @param command A path, or a name.
 * @param args Its arguments.
 * @param search Where it is looked for.
 * @returns The command as it was given when nothing is found; the system then says so.
 * @throws {TypeError} For an argument or a path of a script that `cmd.exe` could read in another way.
 */
export function windowsCommand(command: string, args: readonly string[], search: WindowsSearch): WindowsCommand {
  const file = find(command, search);
  if (!SCRIPTS.includes(extension(file))) return { file, args, verbatim: false };
  const faulty = args.findIndex((arg) => MISREAD.test(arg));
  if (faulty >= 0) throw misread(`its argument ${faulty + 1}`, command);
  if (MISREAD.test(file)) throw misread("its path", command);
  const line = [file, ...args].map(quoted).join(" ");
  const root = search.systemRoot ?? "C:\\Windows";
  // No start-up commands (/d), the outer quotes alone are taken away (/s), and "!" means nothing (/v:off).
  return { file: `${root}\\System32\\cmd.exe`, args: ["/d", "/s", "/v:off", "/c", `"${line}"`], verbatim: true };
}

// deno-lint-ignore no-control-regex -- a NUL ends the command line, whatever follows it
const MISREAD = /["%!^&|<>\r\n\x00]/;

function misread(what: string, command: string): TypeError {
  return new TypeError(
    `Starting "${command}": it is a script of cmd.exe, which could misread ${what}; name the program that the script starts instead`,
  );
}

/** Backslashes before the closing quote would take its meaning away from most programs. */
function quoted(text: string): string {
  return `"${text}${/\\*$/.exec(text)?.[0] ?? ""}"`;
}

function find(command: string, search: WindowsSearch): string {
  const names = candidates(command, search.pathExt);
  const isPath = /[\\/:]/.test(command);
  const directories = isPath ? [""] : search.path.split(";").map(unquoted).filter((directory) => directory !== "");
  for (const directory of directories) {
    for (const name of names) {
      const path = resolve(directory, name, search.directory);
      if (search.isFile(path)) return path;
    }
  }
  return command;
}

/** The names to try: as it is when it has an extension that can be started, else with each of those. */
function candidates(command: string, pathExt: string | undefined): readonly string[] {
  // Windows drops these at the end of a name, which would hide a script's extension.
  const name = command.replace(/[. ]+$/, "");
  const known = [...PROGRAMS, ...SCRIPTS];
  const asked = (pathExt ?? EXTENSIONS).split(";").map((one) => one.trim().toLowerCase()).filter((one) => known.includes(one));
  const extensions = asked.length > 0 ? asked : known;
  const tried = [...new Set(extensions)].map((one) => name + one);
  return known.includes(extension(name)) ? [name, ...tried] : tried;
}

function extension(path: string): string {
  return /\.[^.\\/: ]+(?=[. ]*$)/.exec(path)?.[0].toLowerCase() ?? "";
}

function unquoted(directory: string): string {
  return directory.trim().replaceAll('"', "");
}

function resolve(directory: string, name: string, base: string): string {
  const path = directory === "" ? name : `${directory.replace(/[\\/]+$/, "")}\\${name}`;
  const absolute = /^([A-Za-z]:[\\/]|[\\/])/.test(path);
  const full = absolute ? path : `${base.replace(/[\\/]+$/, "")}\\${path}`;
  return full.replaceAll("/", "\\");
}
