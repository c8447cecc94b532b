/** The environment of a child process. */

/** Which variables a child gets. */
export interface EnvironmentOptions {
  /** Variables that are added to the environment. */
  readonly env?: { readonly [name: string]: string } | undefined;
  /** Which of our variables are inherited beside the safe ones: these, or with true all. */
  readonly inheritEnv?: boolean | readonly string[] | undefined;
}

/** Our own variables. */
export type Variables = { readonly [name: string]: string | undefined };

/**
 * Makes the environment of a child: a few variables without secrets, and those that are asked for.
 *
 * @param env Our own variables.
 * @param options What is asked for.
 * @param windows Whether the names are those of Windows.
 */
export function childEnvironment(env: Variables, options: EnvironmentOptions, windows: boolean): Record<string, string> {
  const inherit = options.inheritEnv ?? false;
  const names = inherit === true
    ? allNames(env)
    : [...(windows ? SAFE_ON_WINDOWS : SAFE), ...SAFE_EVERYWHERE, ...(inherit === false ? [] : inherit)];
  const result: Record<string, string> = {};
  for (const name of names) {
    const value = variable(env, name);
    // A value that begins like this is a shell function, which a child must not run.
    if (value !== undefined && !value.startsWith("()")) result[name] = value;
  }
  return { ...result, ...options.env };
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
function variable(env: Variables, name: string): string | undefined {
  try {
    return env[name];
  } catch {
    return undefined;
  }
}

function allNames(env: Variables): readonly string[] {
  try {
    return Object.keys(env);
  } catch {
    return [];
  }
}
