/** Seals and opens `requestState`: AES-GCM, bound to the caller and the request, with an expiry. */
import { decodeBase64, encodeBase64 } from "../../protocol/base64.ts";
import { checkStateKeys, KEY_BYTES } from "../options/check_state_keys.ts";

/** To what a sealed state is bound; it opens only under the same. */
export interface StateBinding {
  /** The caller; the empty string for anonymous ones. */
  readonly principal: string;
  /** The method. */
  readonly method: string;
  /** The name or URI, and the arguments, as JSON text. */
  readonly request: string;
}

/** Seals and opens states. */
export interface StateSealer {
  /**
   * Seals a JSON value.
   *
   * @throws {RangeError} When it is too large.
   */
  seal(state: unknown, binding: StateBinding): Promise<string>;
  /** Opens what was sealed; undefined when it was altered, is bound to something else, or has expired. */
  open(sealed: string, binding: StateBinding): Promise<OpenedState | undefined>;
}

/** A state that opened. */
export interface OpenedState {
  /** What was sealed. */
  readonly state: unknown;
  /** Tells this sealing from every other one. */
  readonly id: string;
  /** Until when it can be opened, in milliseconds since 1970. */
  readonly until: number;
}

/** What {@linkcode createSealer} takes. */
export interface SealerOptions {
  /** Keys, newest first: 32 bytes each, or text from which a key is derived. Without one a key for this process is made. */
  readonly keys: readonly (Uint8Array | string)[] | undefined;
  /** Milliseconds for which a sealed state can be opened. */
  readonly lifetime: number;
  /** The name of the server: what one seals, another with the same keys does not open. None by default. */
  readonly server?: string | undefined;
  /** Bytes that a sealed state may have. */
  readonly maxBytes: number;
  /** Called once when a state is sealed with a key that no other process has. */
  readonly onProcessKey: () => void;
}

const IV_BYTES = 12;

/** Seals and opens with AES-GCM of Web Crypto; keys are imported on first use. */
export function createSealer(options: SealerOptions): StateSealer {
  checkStateKeys(options.keys);
  let keys: Promise<readonly CryptoKey[]> | undefined;
  const load = (): Promise<readonly CryptoKey[]> => {
    if (keys === undefined) {
      if (options.keys === undefined || options.keys.length === 0) options.onProcessKey();
      const given = options.keys?.length ? options.keys : [crypto.getRandomValues(new Uint8Array(KEY_BYTES))];
      keys = Promise.all(given.map(importKey));
    }
    return keys;
  };
  return {
    seal: async (state, binding) => {
      const [key] = await load();
      return await seal(key as CryptoKey, state, binding, options);
    },
    open: async (sealed, binding) => await open(await load(), sealed, binding, options),
  };
}

async function seal(key: CryptoKey, state: unknown, binding: StateBinding, options: SealerOptions): Promise<string> {
  const text = JSON.stringify({ until: Date.now() + options.lifetime, state });
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const bound = await boundTo(binding, options);
  const sealed = new Uint8Array(
    await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData: bound }, key, new TextEncoder().encode(text)),
  );
  const all = new Uint8Array(IV_BYTES + sealed.length);
  all.set(iv);
  all.set(sealed, IV_BYTES);
  const written = encodeBase64(all);
  if (written.length > options.maxBytes) {
    throw new RangeError(
      `state: Expected at most ${options.maxBytes} bytes when sealed (limit requestState), received ${written.length}`,
    );
  }
  return written;
}

async function open(
  keys: readonly CryptoKey[],
  sealed: string,
  binding: StateBinding,
  options: SealerOptions,
): Promise<OpenedState | undefined> {
  if (sealed.length > options.maxBytes) return undefined;
  const bytes = decodeBase64(sealed);
  // Bits after the last byte count for nothing; with any but the written ones the text was altered (RFC 4648 § 3.5).
  if (bytes === undefined || bytes.length <= IV_BYTES || encodeBase64(bytes) !== sealed) return undefined;
  const bound = await boundTo(binding, options);
  const iv = bytes.subarray(0, IV_BYTES);
  for (const key of keys) {
    try {
      const algorithm = { name: "AES-GCM", iv, additionalData: bound };
      const text = new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, key, bytes.subarray(IV_BYTES)));
      const { until, state } = JSON.parse(text) as { readonly until: number; readonly state: unknown };
      return Date.now() <= until ? { state, id: encodeBase64(iv), until } : undefined;
    } catch {
      // Another key may have sealed it.
    }
  }
  return undefined;
}

/** Text becomes a key by SHA-256; it is meant to be long and random, not a password. */
async function importKey(key: Uint8Array | string): Promise<CryptoKey> {
  const bytes = typeof key === "string"
    ? await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key))
    : new Uint8Array(key);
  return await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
}

async function boundTo(binding: StateBinding, { server = "" }: SealerOptions): Promise<ArrayBuffer> {
  const text = JSON.stringify([server, binding.principal, binding.method, binding.request]);
  return await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
}
