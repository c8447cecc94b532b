/** What extensions add to change streams: the keys of the filter that they serve, and their notifications. */
import { ProtocolError } from "../protocol/errors.ts";
import type { ListenStream, ServerExtension } from "../protocol/extensions/extension_types.ts";
import { isJsonObject, ownMember } from "../protocol/json.ts";
import { loadInterpreter } from "../protocol/validators/interpreter.ts";
import type { JsonObject, JsonValue } from "../protocol/types.ts";
import { callInfo } from "./context.ts";
import type { Exchange, ListenExtras } from "./core.ts";
import { mustDeclare } from "./declared.ts";
import { EXCHANGE } from "./exchange_of.ts";

type Wanted = readonly [extension: ServerExtension, key: string, value: JsonValue];

/**
 * Opens what a filter asks of extensions; undefined when it asks for nothing of them.
 *
 * @throws {ProtocolError} -32021 for a key of an extension that the client does not declare.
 */
export function openExtras(exchange: Exchange): Promise<ListenExtras> | undefined {
  const filter = ownMember(exchange.request.params, "notifications");
  if (!isJsonObject(filter)) return undefined;
  const wanted = (exchange.core.options.extensions ?? []).flatMap((extension) =>
    Object.keys(extension.listen).flatMap((key): Wanted[] => {
      const value = ownMember(filter, key);
      return value === undefined ? [] : [[extension, key, value]];
    })
  );
  if (wanted.length === 0) return undefined;
  for (const [extension] of wanted) mustDeclare(exchange, extension);
  return open(exchange, wanted);
}

async function open(exchange: Exchange, wanted: readonly Wanted[]): Promise<ListenExtras> {
  const interpreter = await loadInterpreter({ trusted: true });
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
    const own = await extension.listen[key]?.open(value, streamOf(exchange, extension, opened));
    if (own !== undefined) accepted[key] = own;
  }
  return { accepted, acknowledged };
}

function streamOf(exchange: Exchange, { notifications, id }: ServerExtension, opened: Promise<void>): ListenStream {
  const { dialect, request, core } = exchange;
  let waiting = 0;
  let last: Promise<void> = opened;
  const stream: ListenStream = {
    info: callInfo(exchange),
    notify: (method, params) => {
      if (!notifications.includes(method)) return Promise.reject(new TypeError(`${id}: It has no notification ${method}`));
      if (waiting >= core.limits.subscriptionBuffer || exchange.done) return Promise.resolve();
      waiting++;
      return last = last.then(() => exchange.emit(dialect.writeChange(method, params, request.id))).finally(() => waiting--);
    },
    onEnd: (listener) => {
      if (exchange.done) listener();
      else exchange.whenSettled(listener);
    },
  };
  return Object.defineProperty(stream, EXCHANGE, { value: exchange });
}
