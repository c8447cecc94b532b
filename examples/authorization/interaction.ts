/** What happens between the client's request and its answer: a person signs in and decides. */
import { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import type Provider from "./oidc_provider.d.ts";
import type { InteractionDetails } from "./oidc_provider.d.ts";
import { consentPage, faultPage, pageHeaders, signInPage } from "./pages.ts";

/** What the person is asked with. */
export interface InteractionOptions {
  /** The authorization server. */
  readonly provider: Provider;
  /** Whether a name and a password are right. */
  readonly signIn: (account: string, password: string) => boolean;
  /** What a scope allows, in words. */
  readonly describe: (scope: string) => string;
}

/** Shows a page, or takes its form. */
export async function interact(request: IncomingMessage, response: ServerResponse, options: InteractionOptions): Promise<void> {
  const { provider, signIn } = options;
  let details: InteractionDetails;
  try {
    // Only the browser that the client sent here has the cookie that belongs to this address.
    details = await provider.interactionDetails(request, response);
  } catch {
    return show(response, 400, faultPage("This page has expired, or it belongs to another browser."), undefined);
  }
  if (request.method !== "POST") return show(response, 200, await pageOf(details, options), details);
  const form = await readForm(request);
  const finish = (result: object): Promise<void> => provider.interactionFinished(request, response, result);
  if (form.get("answer") !== "yes") return await finish({ error: "access_denied", error_description: "The person said no" });
  if (details.prompt.name === "consent") return await finish({ consent: { grantId: await grant(details, provider) } });
  const account = form.get("account") ?? "";
  if (signIn(account, form.get("password") ?? "")) return await finish({ login: { accountId: account } });
  show(response, 403, await pageOf(details, options, "The name or the password is wrong."), details);
}

async function pageOf(details: InteractionDetails, { provider, describe }: InteractionOptions, fault?: string): Promise<string> {
  const { params, prompt, session } = details;
  const clientId = String(params.client_id);
  const client = (await provider.Client.find(clientId))?.clientName ?? clientId;
  if (prompt.name === "login") return signInPage({ client, fault });
  return consentPage({
    client,
    account: session?.accountId ?? "",
    resource: String(params.resource),
    permissions: String(params.scope ?? "").split(" ").map(describe),
    redirect: String(params.redirect_uri),
  });
}

/** Adds what was asked for to what the person has allowed this client before. */
async function grant({ grantId, params, prompt, session }: InteractionDetails, { Grant }: Provider): Promise<string> {
  const before = grantId === undefined ? undefined : await Grant.find(grantId);
  const all = before ?? new Grant({ accountId: session?.accountId ?? "", clientId: String(params.client_id) });
  const { missingOIDCScope = [], missingResourceScopes = {} } = prompt.details;
  if (missingOIDCScope.length > 0) all.addOIDCScope(missingOIDCScope.join(" "));
  for (const [resource, scopes] of Object.entries(missingResourceScopes)) all.addResourceScope(resource, scopes.join(" "));
  return await all.save();
}

function show(response: ServerResponse, status: number, page: string, details: InteractionDetails | undefined): void {
  const redirect = details === undefined ? undefined : String(details.params.redirect_uri);
  response.writeHead(status, pageHeaders(redirect)).end(page);
}

const LARGEST_FORM = 10_000;

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > LARGEST_FORM) throw new Error("The form is too large");
    parts.push(part);
  }
  return new URLSearchParams(Buffer.concat(parts).toString());
}
