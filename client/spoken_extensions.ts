/** The extensions of one client: what they declare, what their results may be, and how calls go on after those. */
import type { ResultIn } from "../protocol/dialect.ts";
import { frozenCopy } from "../protocol/frozen_copy.ts";
import { extensionIdFault } from "../protocol/meta.ts";
import type { ClientCapabilities, JsonObject } from "../protocol/types.ts";
import { checkList, checkObject } from "../protocol/unknown_option.ts";
import type { AskingCall, InputSettings, RunRounds } from "./input/asking_call.ts";
import type { Agreed, ConnectionSettings, Sending, SpokenExtensions } from "./connection_settings.ts";
import type { CallOptions, ClientExtension, ExtensionRound, ExtensionStep } from "./options.ts";
import { callTimes } from "./request_settings.ts";

type RunRound = (round: ExtensionRound) => Promise<ExtensionStep>;

/** The extensions of one client, as {@linkcode withExtensions} attaches them. */
class Spoken implements SpokenExtensions {
  /** What is declared in revisions with a handshake, by identifier; undefined when nothing is. */
  readonly inHandshake: JsonObject | undefined;
  readonly #all: readonly ClientExtension[];
  readonly #run: RunRounds<Sending>;
  #common: readonly ClientExtension[] = [];

  /** Speaks them; nothing is agreed on yet. */
  constructor(all: readonly ClientExtension[], run: RunRounds<Sending>) {
    this.#all = all;
    this.#run = run;
    const declared = all.flatMap(({ id, handshake, settings = {} }) => handshake === true ? [[id, settings] as const] : []);
    this.inHandshake = declared.length === 0 ? undefined : Object.fromEntries(declared);
  }

  /** The member of the params of a method that a header repeats; undefined when none does. */
  header(method: string): string | undefined {
    return this.#all.find(({ headers }) => headers !== undefined && Object.hasOwn(headers, method))?.headers?.[method];
  }

  /** Only what both sides declared counts (MCP 2026-07-28, Basic § Result types); without a probe nothing is known of the server. */
  agree({ dialect, facts, confirmed }: Agreed): void {
    this.#common = this.#all.filter(({ id, handshake }) =>
      confirmed ? Object.hasOwn(facts.capabilities.extensions ?? {}, id) : dialect.handshake === undefined || handshake === true
    );
  }

  /** The types that results of a method may have. */
  types(method: string): ReadonlySet<string> {
    const own = this.#common.filter(({ resultMethods }) => resultMethods?.includes(method) !== false);
    return new Set(own.flatMap(({ resultTypes }) => resultTypes ?? []));
  }

  /** Tells each of them of its client. */
  attach(client: object, connection: Sending, inputs: InputSettings): void {
    for (const extension of this.#all) {
      extension.attach?.(client, {
        connection,
        run: (call, round, options) => {
          const rounds = { name: undefined, ...call, send: sender(connection, round), read: (result: JsonObject) => result };
          return this.#run(connection, inputs, rounds, options);
        },
      });
    }
  }

  /** What sends the rounds of a call after a result of one of their types; undefined when that result is the call's own. */
  follow(
    connection: Sending,
    method: string,
    options: CallOptions,
    { resultType, result }: Extract<ResultIn, { readonly type: "extension" }>,
  ): AskingCall<unknown>["send"] | undefined {
    const round = this.#all.find(({ resultTypes }) => resultTypes?.includes(resultType))?.follow?.(result, {
      method,
      options,
      connection,
      request: async (method, params, own) => {
        const times = callTimes(own, connection.settings.limits, connection.watch);
        return (await connection.request({ method, params, options: own, times, meta: undefined })).result;
      },
    });
    return round === undefined ? undefined : sender(connection, round);
  }
}

/**
 * The settings of a connection that speaks extensions, which are declared beside what the program states.
 *
 * @param run Runs the calls that they begin.
 * @throws {TypeError} For what is not a list of objects, an extension without a prefixed identifier, and one that is declared twice.
 */
export function withExtensions<S extends Pick<ConnectionSettings, "capabilities">>(
  settings: S,
  extensions: readonly ClientExtension[],
  run: RunRounds<Sending>,
): S & Pick<ConnectionSettings, "extensions"> {
  checkList(extensions, "connect.extensions");
  extensions.forEach((one, at) => checkObject(one, `connect.extensions[${at}]`));
  if (extensions.length === 0) return settings;
  const declared = declaredWith(settings.capabilities.extensions, extensions);
  const capabilities: ClientCapabilities = { ...settings.capabilities, extensions: declared };
  return { ...settings, capabilities: frozenCopy(capabilities), extensions: new Spoken(extensions, run) };
}

/** Sends the rounds of an extension. */
function sender(connection: Sending, round: RunRound): AskingCall<unknown>["send"] {
  return async ({ options, times, inputResponses }) => {
    const terms: ExtensionRound = {
      options,
      get deadline() {
        return times.deadline;
      },
      inputResponses,
    };
    const step = await round(terms).catch((error) => {
      throw connection.cleaned(error);
    });
    return step.type === "complete" ? step : { ...step, requestState: undefined, result: {} };
  };
}

function declaredWith(
  stated: ClientCapabilities["extensions"],
  extensions: readonly ClientExtension[],
): { readonly [id: string]: JsonObject } {
  const declared = new Map(Object.entries(stated ?? {}));
  for (const { id, settings } of extensions) {
    const path = `connect.extensions: The identifier ${JSON.stringify(id)}`;
    const fault = extensionIdFault(id);
    if (fault !== undefined) throw new TypeError(`${path} ${fault}`);
    if (declared.has(id)) throw new TypeError(`${path} is declared twice`);
    declared.set(id, settings ?? {});
  }
  return Object.fromEntries(declared);
}
