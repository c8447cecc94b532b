/** The error of a call that failed because nobody here answers what its server asked: the same in every revision. */
import { InputRequiredError } from "../protocol/errors.ts";
import type { ProtocolError } from "../protocol/errors.ts";
import type { InputRequest } from "../protocol/types.ts";

/**
 * Makes the error. Where servers ask by requests, the call is over when it fails, so that there is no way on.
 *
 * @param call The call.
 * @param unanswered The question, by its key.
 * @param cause What the server answered the call with.
 */
export function unansweredError(
  call: { readonly method: string; readonly name: string | undefined },
  [key, request]: readonly [key: string, request: InputRequest],
  cause: ProtocolError,
): InputRequiredError {
  const what = call.name === undefined ? call.method : `${call.method} of ${JSON.stringify(call.name)}`;
  const text = `Answering the questions of ${what}: there is no handler for ${request.method}`;
  const resume = (): Promise<never> => {
    return Promise.reject(new TypeError(`Going on with ${what}: the call is over; call again with the input handler`));
  };
  return new InputRequiredError("no_handler", text, { requests: Object.fromEntries([[key, request]]), cause, resume });
}
