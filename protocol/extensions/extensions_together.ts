/** The extensions of one server together: what they declare, and what serves them. */
import { isJsonObject, ownMember } from "../json.ts";
import type { JsonObject } from "../json.ts";
import { extensionCalls } from "./extension_calls.ts";
import { checkExtensions } from "./extension_check.ts";
import { extensionContext } from "./extension_context.ts";
import { mustDeclare } from "./extension_declared.ts";
import type { Wanted } from "./extension_listen.ts";
import type { ListeningExchange, ServedExchange, ServedTogether } from "./extension_serving.ts";
import type { ServerExtension } from "./extension_types.ts";

/** What single extensions bring along beside methods. */
type Bringing = ServerExtension & {
  /** The server that has the extension has these resources too, and declares resources even if there are none. */
  readonly resources?: readonly unknown[] | undefined;
  /** Gives a tool other parts. */
  readonly tool?: (<P>(parts: P) => P) | undefined;
};

/**
 * Checks the extensions of a server, and serves them.
 *
 * @throws {TypeError} For what `serve` did not return, an extension that is given twice, and a method or a key of filters that
 * is taken.
 */
export function extensionsTogether<E extends ServedExchange>(
  extensions: readonly Bringing[],
): ServedTogether<E> {
  checkExtensions(extensions);
  const inHandshake = extensions.filter(({ handshake }) => handshake);
  const served: Omit<ServedTogether<E>, keyof readonly unknown[]> = {
    inHandshake: inHandshake.length === 0 ? undefined : declared(inHandshake),
    listens: extensions.some(({ listen }) => Object.keys(listen).length > 0),
    catalogue(own, create) {
      const brought = extensions.flatMap(({ resources }) => resources === undefined ? [] : [resources]);
      const all = brought.length === 0 ? own : create({ ...own, resources: [...own.resources ?? [], ...brought.flat()] });
      const toolsByName = new Map([...all.toolsByName].map(([name, entry]) => {
        return [name, { ...entry, parts: extensions.reduce((now, { tool }) => tool?.(now) ?? now, entry.parts) }];
      }));
      return Object.freeze({ ...all, toolsByName, declared: { extensions: declared(extensions) } });
    },
    checkKept(name, outer) {
      for (const one of extensions) {
        // Resources of an extension come from it alone; of others, that of the outer server answers.
        const kept = outer.extensions?.some((other) => "resources" in one ? other === one : other.id === one.id);
        if (!kept) throw new TypeError(`mount: "${name}" has the extension ${one.id} and "${outer.name}" has not`);
      }
    },
    methods: ({ validator }, ...kit) => extensions.flatMap((extension) => extensionCalls(extension, validator, kit)),
    open: (exchange, contextOf) => {
      const wanted = wantedOf(extensions, exchange);
      if (wanted.length === 0) return undefined;
      for (const [extension] of wanted) mustDeclare(exchange, extension);
      return import("./extension_listen.ts").then(({ openWanted }) => {
        return openWanted(exchange, wanted, extensionContext(exchange, contextOf));
      });
    },
  };
  return Object.freeze(Object.assign([...extensions], served));
}

function wantedOf(extensions: readonly ServerExtension[], { request }: ListeningExchange): readonly Wanted[] {
  const filter = ownMember(request.params, "notifications");
  if (!isJsonObject(filter)) return [];
  return extensions.flatMap((extension) =>
    Object.keys(extension.listen).flatMap((key): Wanted[] => {
      const value = ownMember(filter, key);
      return value === undefined ? [] : [[extension, key, value]];
    })
  );
}

function declared(extensions: readonly ServerExtension[]): { readonly [id: string]: JsonObject } {
  return Object.fromEntries(extensions.map(({ id, settings }) => [id, settings]));
}
