/** Tests of `transports/child_environment.ts`. */
import assert from "node:assert/strict";
import { childEnvironment } from "../../transports/child_environment.ts";
import type { VariableSource } from "../../transports/child_environment.ts";

const OWN = {
  HOME: "/home/u",
  PATH: "/bin",
  AWS_SECRET_ACCESS_KEY: "s",
  NODE_OPTIONS: "--require x",
  LD_PRELOAD: "x.so",
  BASH_FUNC: "() { x; }",
  SHELL: "() { x; }",
  HTTP_PROXY: "http://proxy:3128",
  HTTPS_PROXY: "http://user:password@proxy:3128",
  WANTED: "w",
} as const;

function source(variables: { readonly [name: string]: string } = OWN): VariableSource {
  const get = (name: string) => Object.hasOwn(variables, name) ? variables[name] : undefined;
  return { get, ask: get, names: () => Object.keys(variables) };
}

Deno.test("childEnvironment() gives what programs need and nothing that may be a secret", () => {
  assert.deepEqual(childEnvironment(source(), {}, false), { HOME: "/home/u", PATH: "/bin", HTTP_PROXY: "http://proxy:3128" });
  assert.deepEqual(childEnvironment(source(), { inheritEnv: false, env: { X: "1" } }, false).X, "1");
});

Deno.test("childEnvironment() inherits what is asked for, and lets what is given win", () => {
  const some = childEnvironment(
    source(),
    { inheritEnv: ["WANTED", "HTTPS_PROXY", "NOWHERE", "BASH_FUNC"], env: { HOME: "/h" } },
    false,
  );
  assert.deepEqual([some.WANTED, some.HTTPS_PROXY, some.HOME], ["w", OWN.HTTPS_PROXY, "/h"]);
  assert.ok(!("NOWHERE" in some) && !("BASH_FUNC" in some));
  const { BASH_FUNC: _, SHELL: __, ...rest } = OWN;
  assert.deepEqual(childEnvironment(source(), { inheritEnv: true }, false), rest);
  const absent = { GONE: undefined } as unknown as Record<string, string>;
  assert.ok(!("GONE" in childEnvironment(source(), { env: absent }, false)));
});

Deno.test("childEnvironment() does without what it may not read, and asks nobody for the usual ones", () => {
  const asked: string[] = [];
  const refuse = (name = ""): never => {
    asked.push(name);
    throw new Error("NotCapable");
  };
  const own: VariableSource = { get: () => undefined, ask: refuse, names: refuse };
  assert.deepEqual(childEnvironment(own, { env: { A: "1" } }, false), { A: "1" });
  assert.deepEqual(asked, []);
  assert.deepEqual(childEnvironment(own, { inheritEnv: ["B"] }, false), {});
  assert.deepEqual(childEnvironment(own, { inheritEnv: true }, false), {});
  assert.deepEqual(asked, ["B", ""]);
});

Deno.test("childEnvironment() takes upper and lower case for the same on Windows alone", () => {
  const own = source({ PATH: "C:\\a", SYSTEMROOT: "C:\\Windows" });
  assert.deepEqual(childEnvironment(own, { env: { Path: "C:\\b" } }, true), { SYSTEMROOT: "C:\\Windows", Path: "C:\\b" });
  assert.deepEqual(childEnvironment(own, { env: { Path: "C:\\b" } }, false), { PATH: "C:\\a", Path: "C:\\b" });
});
