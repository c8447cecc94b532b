/** The official client goes through a real authorization server into this package's protected server. */
import assert from "node:assert/strict";
import {
  Client,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { inWorld } from "../../e2e/authorization_world.ts";
import { later } from "../../e2e/later.ts";
import { type Person, person } from "../../e2e/person.ts";

const MODES = ["legacy", "auto", { pin: "2026-07-28" }] as const;
const REDIRECT = "http://127.0.0.1:3999/callback";
// Registering says `scope` there, and then a wider one is refused later; with a document it does not.
const IDENTIFIER = "https://official.example/client.json";

const METADATA: OAuthClientMetadata = {
  client_name: "Official client",
  redirect_uris: [REDIRECT],
  grant_types: ["authorization_code", "refresh_token"],
  token_endpoint_auth_method: "none",
};

const documents = (): Promise<Response> =>
  Promise.resolve(Response.json({ ...METADATA, client_id: IDENTIFIER, application_type: "native" }));

/** What the official client keeps, in memory, with a person at hand. */
function provider({ open }: Person) {
  let client: StoredOAuthClientInformation | undefined;
  let tokens: StoredOAuthTokens | undefined;
  let verifier = "";
  let arrived: URLSearchParams | undefined;
  let discovered: OAuthDiscoveryState | undefined;
  const kept: OAuthClientProvider = {
    redirectUrl: REDIRECT,
    clientMetadataUrl: IDENTIFIER,
    clientMetadata: METADATA,
    state: () => "state",
    clientInformation: () => client,
    saveClientInformation: (information) => void (client = information),
    tokens: () => tokens,
    saveTokens: (given) => void (tokens = given),
    saveCodeVerifier: (given) => void (verifier = given),
    codeVerifier: () => verifier,
    saveDiscoveryState: (given) => void (discovered = given),
    discoveryState: () => discovered,
    async redirectToAuthorization(page) {
      const end = await open(page, { redirectUri: REDIRECT, signal: new AbortController().signal });
      arrived = new URL(String(end)).searchParams;
    },
  };
  return { kept, arrived: () => arrived ?? new URLSearchParams(), tokens: () => tokens };
}

for (const mode of MODES) {
  const name = typeof mode === "string" ? mode : "pinned";
  Deno.test(`the official client (${name}) gets in by way of sign-in and consent, steps up and refreshes (M-AUTH-001, M-AUTH-009, M-AUTH-013, M-AUTH-016, M-AUTH-049, M-AUTH-098, M-AUTH-099, M-AUTH-100)`, async () => {
    await inWorld(async ({ url, count }) => {
      const ada = person();
      const { kept, arrived, tokens } = provider(ada);
      const connected = async (): Promise<readonly [Client, StreamableHTTPClientTransport]> => {
        const client = new Client({ name: "official", version: "1" }, { versionNegotiation: { mode } } as never);
        const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: kept });
        try {
          await client.connect(transport);
          return [client, transport];
        } catch (error) {
          // The official client wants to be connected anew when the person has answered.
          if (!(error instanceof UnauthorizedError)) throw error;
          await transport.finishAuth(arrived());
          await client.close();
          return await connected();
        }
      };
      const [client, transport] = await connected();
      try {
        const text = async (tool: string, args: Record<string, unknown> = {}): Promise<string> => {
          const { content } = await client.callTool({ name: tool, arguments: args });
          return (content as { text: string }[])[0]?.text ?? "";
        };
        assert.equal(await text("list_notes"), "no notes");
        assert.deepEqual(["POST /reg", "GET /auth", "POST /token"].map(count), [0, 1, 1]);
        assert.equal(typeof tokens()?.refresh_token, "string");

        await assert.rejects(text("add_note", { text: "Mind the gap" }), UnauthorizedError);
        await transport.finishAuth(arrived());
        assert.equal(await text("add_note", { text: "Mind the gap" }), "kept");
        assert.deepEqual(ada.scopes.at(-1)?.toSorted(), ["notes:read", "notes:write", "offline_access"]);
        assert.deepEqual(["POST /reg", "GET /auth", "POST /token"].map(count), [0, 1, 1]);

        assert.equal(await later(600, () => text("list_notes")), "Mind the gap");
        assert.deepEqual(["GET /auth", "POST /token"].map(count), [0, 1]);
      } finally {
        await client.close();
      }
    }, { fetch: documents });
  });
}
