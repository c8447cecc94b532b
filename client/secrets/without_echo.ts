/** Takes the credentials out of answers that repeat them, as careless servers do: errors quote such answers. */
import { onDemand } from "../../protocol/on_demand.ts";
import type { SentSecrets } from "./sent_secrets.ts";

const CLEANING = onDemand(() => import("./cleaned_answer.ts"));

/** Bodies with messages of MCP: they are read as such, and not quoted. */
const MESSAGES = /^(?:application\/json|text\/event-stream)\s*(?:;|$)/i;

/**
 * Takes out what was secret in requests. Answers of success that hold messages, or that say that one was taken (202), are left as
 * they are; what cleans the others is loaded with the first of them.
 *
 * @param response The answer.
 * @param secrets The credentials that were sent.
 */
export async function withoutEcho(response: Response, secrets: SentSecrets): Promise<Response> {
  const { ok, status, headers } = response;
  if (ok && (status === 202 || MESSAGES.test(headers.get("content-type") ?? ""))) return response;
  return (await CLEANING.load()).cleanedAnswer(response, secrets);
}
