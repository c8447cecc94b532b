/** What extensions add to change streams: the keys of the filter that they serve, and their notifications. */
import type { CallInfo } from "../context.ts";
import { ProtocolError } from "../errors.ts";
import type { JsonObject, JsonValue } from "../types.ts";
import { interpretingValidator } from "../validators/interpreting.ts";
import type { ListenExtras, ListeningExchange } from "./extension_serving.ts";
import type { ListenStream, ServerExtension } from "./extension_types.ts";

/** A key of a filter, with the extension that serves it and what the client wants. */
export type Wanted = readonly [extension: ServerExtension, key: string, value: JsonValue];

/**
 * Opens what a filter asks of extensions.
 *
 * @param wanted The keys that it has.
 * @param info Who listens.
 * @throws {ProtocolError} -32602 for a value that does not fit its key.
 */
export async function openWanted(
  exchange: ListeningExchange,
  wanted: readonly Wanted[],
  info: CallInfo,
): Promise<ListenExtras> {
  const interpreter = await interpretingValidator({ trusted: true });
  for (const [{ listen }, key, value] of wanted) {
    const [issue] = interpreter.compile(listen[key]?.schema as unknown as JsonObject)(value);
    if (issue !== undefined) {
      throw ProtocolError.invalidParams(`Invalid params: ${key}${issue.path} ${issue.message}`);
    }
  }
  let acknowledged: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => acknowledged = resolve);
  const accepted: Record<string, JsonValue> = {};
  for (const [extension, key, value] of wanted) {
    const own = await extension.listen[key]?.open(value, streamOf(exchange, extension, opened, info));
    if (own === undefined) continue;
    // What JSON cannot carry must fail here, and not on its way.
    JSON.stringify(own);
    accepted[key] = own;
  }
  return { accepted, acknowledged };
}

function streamOf(
  exchange: ListeningExchange,
  { notifications, id }: ServerExtension,
  opened: Promise<void>,
  info: CallInfo,
): ListenStream {
  const { dialect, request, core } = exchange;
  const report = (error: unknown): unknown => core.report(error, request);
  // Who does not wait for a notification must not end the process with its fault.
  const refused = (error: unknown): Promise<void> => {
    report(error);
    const rejected = Promise.reject(error);
    rejected.catch(() => undefined);
    return rejected;
  };
  const told = (listener: () => void) => (): void => {
    try {
      listener();
    } catch (error) {
      // The end of a stream frees what it held, whatever an extension makes of it.
      report(error);
    }
  };
  let waiting = 0;
  let last: Promise<void> = opened;
  return {
    info,
    notify: (method, params) => {
      if (!notifications.includes(method)) return refused(new TypeError(`${id}: It has no notification ${method}`));
      try {
        JSON.stringify(params);
      } catch (error) {
        return refused(error);
      }
      if (waiting >= core.limits.subscriptionBuffer || exchange.done) return Promise.resolve();
      waiting++;
      return last = last.then(() => exchange.emit(dialect.writeChange(method, params, request.id))).finally(() => waiting--);
    },
    onEnd: (listener) => {
      if (exchange.done) told(listener)();
      else exchange.whenSettled(told(listener));
    },
  };
}
