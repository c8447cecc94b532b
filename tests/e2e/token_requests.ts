/** A `fetch` for `oauth` that keeps what goes to the token endpoint and what comes back. */

/** What may be changed on the way. */
export interface TokenRequestOptions {
  /** Changes a request before it leaves. */
  readonly change?: (form: URLSearchParams) => void;
  /** Changes an answer before it is read. */
  readonly answer?: (tokens: Record<string, unknown>) => void;
}

/** What was sent and what came. */
export interface TokenRequests {
  readonly fetch: typeof globalThis.fetch;
  /** The forms, in order. */
  readonly forms: URLSearchParams[];
  /** The answers that are tokens, in order. */
  readonly tokens: Record<string, unknown>[];
  /** The grant types, in order. */
  grants(): (string | null)[];
  /** The claims of the newest access token. */
  claims(): Record<string, unknown>;
}

/** Begins to keep. */
export function tokenRequests({ change, answer }: TokenRequestOptions = {}): TokenRequests {
  const forms: URLSearchParams[] = [];
  const tokens: Record<string, unknown>[] = [];
  return {
    forms,
    tokens,
    grants: () => forms.map((form) => form.get("grant_type")),
    claims: () => JSON.parse(atob(String(tokens.at(-1)?.access_token).split(".")[1]!.replaceAll("-", "+").replaceAll("_", "/"))),
    fetch: async (input, init) => {
      if (new URL(String(input)).pathname !== "/token") return await fetch(input, init);
      const form = new URLSearchParams(init?.body as URLSearchParams);
      change?.(form);
      forms.push(form);
      const response = await fetch(input, { ...init, body: form });
      if (response.status !== 200) return response;
      const found = await response.json();
      tokens.push(found);
      const told = { ...found };
      answer?.(told);
      return Response.json(told);
    },
  };
}
