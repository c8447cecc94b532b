/** The environment of a child process. */

/** Which variables a child gets. */
export interface EnvironmentOptions {
  /** Variables that are added to the environment. */
  readonly env?: { readonly [name: string]: string } | undefined;
  /** Which of our variables are inherited beside the safe ones: these, or with true all. */
  readonly inheritEnv?: boolean | readonly string[] | undefined;
}

/** Variables by name. */
export type Variables = { readonly [name: string]: string | undefined };

/** Our own variables. Any of the functions may throw where a permission is missing. */
export interface VariableSource {
  /** The value of a variable; undefined without the permission to read it, for which nobody is asked. */
  get(name: string): string | undefined;
  /** The value of a variable that the user wants; the platform may ask a person for the permission. */
  ask(name: string): string | undefined;
  /** All names. */
  names(): readonly string[];
}

/**
 * Makes the environment of a child: a few variables without secrets, and those that are asked for.
 *
 * @param own Our own variables.
 * @param options What is asked for.
 * @param windows Whether the names are those of Windows, where upper and lower case are the same.
 */
export function childEnvironment(own: VariableSource, options: EnvironmentOptions, windows: boolean): Record<string, string> {
  const inherit = options.inheritEnv ?? false;
  const result: Record<string, string> = {};
  const take = (name: string, value: string | undefined): void => {
    // A value that begins like this is a shell function, which a child must not run.
    if (value !== undefined && !value.startsWith("()")) set(result, name, value, windows);
  };
  for (const name of windows ? SAFE_ON_WINDOWS : SAFE) take(name, attempt(() => own.get(name)));
  for (const name of SAFE_EVERYWHERE) take(name, withoutPassword(attempt(() => own.get(name))));
  const asked = inherit === true ? attempt(() => own.names()) ?? [] : inherit === false ? [] : inherit;
  for (const name of asked) take(name, attempt(() => own.ask(name)));
  for (const [name, value] of Object.entries(options.env ?? {})) {
    if (value !== undefined) set(result, name, value, windows);
  }
  return result;
}

function set(variables: Record<string, string>, name: string, value: string, windows: boolean): void {
  if (windows) {
    const other = Object.keys(variables).find((one) => one.toUpperCase() === name.toUpperCase());
    if (other !== undefined) delete variables[other];
  }
  variables[name] = value;
}

/** The address of a proxy may hold a password, which is inherited only where it is asked for. */
function withoutPassword(value: string | undefined): string | undefined {
  return value?.includes("@") === true ? undefined : value;
}

/** What a program commonly needs, and what holds no secrets of ours. */
const SAFE = ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"];
const SAFE_ON_WINDOWS = [
  "APPDATA",
  "HOMEDRIVE",
  "HOMEPATH",
  "LOCALAPPDATA",
  "PATH",
  "PATHEXT",
  "PROCESSOR_ARCHITECTURE",
  "PROGRAMFILES",
  "SYSTEMDRIVE",
  "SYSTEMROOT",
  "TEMP",
  "USERNAME",
  "USERPROFILE",
];
/** Without these a program cannot reach the net on some machines, or downloads again what it has. */
const SAFE_EVERYWHERE = [
  "SSL_CERT_FILE",
  "DENO_DIR",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
];

/** Without the permission to read a variable, the child does without it. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
