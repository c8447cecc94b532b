/** Sets the clock of this process ahead while something runs: tokens have really ended then, for whoever looks at them. */
export async function later<T>(seconds: number, run: () => Promise<T>): Promise<T> {
  const Now = globalThis.Date;
  const ahead = seconds * 1000;
  globalThis.Date = new Proxy(Now, {
    construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [target.now() + ahead] : args, self),
    get: (target, name) => name === "now" ? () => target.now() + ahead : Reflect.get(target, name),
  });
  try {
    return await run();
  } finally {
    globalThis.Date = Now;
  }
}
