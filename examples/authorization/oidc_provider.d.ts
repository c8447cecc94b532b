/** The part of `oidc-provider` that the authorization server uses; the package brings no types. */
import type { IncomingMessage, ServerResponse } from "node:http";

/** What a person is asked, and who asks. */
export interface InteractionDetails {
  readonly uid: string;
  readonly prompt: {
    readonly name: "login" | "consent";
    readonly details: {
      /** Scopes of the authorization server itself that were not granted yet. */
      readonly missingOIDCScope?: readonly string[];
      /** Scopes that were not granted yet, by resource. */
      readonly missingResourceScopes?: Readonly<Record<string, readonly string[]>>;
    };
  };
  readonly params: Readonly<Record<string, unknown>>;
  readonly session?: { readonly accountId: string };
  readonly grantId?: string;
}

/** What a person has allowed a client. */
export interface Grant {
  addOIDCScope(scope: string): void;
  addResourceScope(resource: string, scope: string): void;
  save(): Promise<string>;
}

/** An authorization server. */
export default class Provider {
  constructor(issuer: string, configuration: object);
  readonly Grant: {
    new (who: { readonly accountId: string; readonly clientId: string }): Grant;
    find(id: string): Promise<Grant | undefined>;
  };
  readonly Client: { find(id: string): Promise<{ readonly clientName?: string } | undefined> };
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<InteractionDetails>;
  interactionFinished(
    request: IncomingMessage,
    response: ServerResponse,
    result: object,
    options?: { readonly mergeWithLastSubmission: boolean },
  ): Promise<void>;
}

/** What refuses a request. */
export const errors: { readonly InvalidTarget: new () => Error };
