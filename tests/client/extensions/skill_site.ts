/** A server of skills that tests can bend as they like: what it lists, describes and gives are three things. */
import { ProtocolError } from "../../../protocol/errors.ts";
import { SKILLS_ID } from "../../../protocol/extensions/skills.ts";
import type { JsonObject, JsonRpcRequest } from "../../../protocol/types.ts";
import { complete, DISCOVERED, scripted } from "../scripted.ts";
import type { ScriptedServer } from "../scripted.ts";

/** A file: text, or bytes that are sent as a blob. */
export type SiteFile = string | Uint8Array;

/** How such a server behaves. */
export interface SkillSiteOptions {
  /** What `resources/read` gives. */
  readonly files?: ReadonlyMap<string, SiteFile>;
  /** The pages of `skills/list`; a cursor is the number of a page. */
  readonly pages?: readonly (readonly unknown[])[];
  /** What `skills/get` gives. */
  readonly entries?: ReadonlyMap<string, unknown>;
  /** What `resources/directory/read` gives. */
  readonly directories?: ReadonlyMap<string, readonly unknown[]>;
  /** What is declared; nothing when undefined. */
  readonly declared?: JsonObject | undefined;
  /** All capabilities, instead of those. */
  readonly capabilities?: JsonObject;
  /** Speaks a revision with a handshake only. */
  readonly handshake?: boolean;
  /** Answers before anything else. */
  readonly first?: (request: JsonRpcRequest) => JsonObject | undefined;
}

/** The text of a `SKILL.md`. */
export function skillText(name: string, more = "", body = "# Steps\n"): string {
  return `---\nname: ${name}\ndescription: Does ${name}\n${more}---\n\n${body}`;
}

/** The bytes of a file. */
export function bytesOf(file: SiteFile): Uint8Array<ArrayBuffer> {
  return typeof file === "string" ? new TextEncoder().encode(file) : file.slice();
}

/** SHA-256 as an entry has it, computed apart from the package. */
export async function digestOf(file: SiteFile): Promise<string> {
  const { createHash } = await import("node:crypto");
  return `sha256:${createHash("sha256").update(bytesOf(file)).digest("hex")}`;
}

/** An honest entry over files. */
export async function entryOf(
  uri: string,
  files: ReadonlyMap<string, SiteFile>,
  frontmatter: JsonObject = {},
): Promise<JsonObject> {
  const name = decodeURIComponent(uri.split("/").at(-2) ?? "");
  const resources: JsonObject[] = [];
  for (const [file, content] of files) {
    resources.push({ uri: file, digest: await digestOf(content), size: bytesOf(content).byteLength });
  }
  return { uri, frontmatter: { name, description: `Does ${name}`, ...frontmatter }, resources };
}

/** Makes the server. */
export function skillSite(options: SkillSiteOptions): ScriptedServer {
  const { declared = {}, handshake = false } = options;
  const own = "declared" in options && options.declared === undefined ? {} : { [SKILLS_ID]: declared };
  const capabilities = options.capabilities ?? { resources: {}, extensions: own };
  return scripted((request) => {
    const first = options.first?.(request);
    if (first !== undefined) return first;
    switch (request.method) {
      case "initialize":
        return { protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "site", version: "1" } };
      case "server/discover":
        if (handshake) throw new ProtocolError(-32601, "Method not found");
        return { ...DISCOVERED, capabilities };
      default: {
        const result = answer(request, options);
        return handshake ? result : complete({ ttlMs: 5, cacheScope: "private", ...result });
      }
    }
  });
}

function answer({ method, params = {} }: JsonRpcRequest, options: SkillSiteOptions): JsonObject {
  const uri = String(params.uri);
  switch (method) {
    case "skills/list": {
      const at = Number(params.cursor ?? 0);
      const pages = options.pages ?? [[]];
      return { skills: pages[at] as never, ...(at + 1 < pages.length ? { nextCursor: String(at + 1) } : {}) };
    }
    case "skills/get":
      return { skill: found(options.entries, uri) as never };
    case "resources/directory/read":
      return { resources: found(options.directories, uri) as never };
    case "resources/read": {
      const file = found(options.files, uri);
      if (typeof file === "string") return { contents: [{ uri, mimeType: "text/markdown", text: file }] };
      return { contents: [{ uri, blob: btoa(String.fromCharCode(...file)) }] };
    }
    default:
      throw new ProtocolError(-32601, "Method not found");
  }
}

function found<T>(map: ReadonlyMap<string, T> | undefined, uri: string): T {
  const value = map?.get(uri);
  if (value === undefined) throw new ProtocolError(-32602, "Not found");
  return value;
}
