/** The error of a call that failed because nobody here answered what its server asked: the same in every revision. */
import { InputRequiredError } from "../../protocol/errors.ts";
import type { ProtocolError } from "../../protocol/errors.ts";
import { CAUSE_LENGTH } from "../../protocol/limits.ts";
import { shownLine } from "../../protocol/shown.ts";
import type { InputRequest } from "../../protocol/types.ts";

/** A call, and the tool, prompt or resource that it names. */
export interface NamedCall {
  /** The method. */
  readonly method: string;
  /** The tool, prompt or resource. */
  readonly name: string | undefined;
}

/** A question that got no answer. */
export interface Unanswered {
  /** Its key. */
  readonly key: string;
  /** The question. */
  readonly request: InputRequest;
  /** What its handler threw; absent when there is no handler. */
  readonly failure?: { readonly thrown: unknown } | undefined;
}

/**
 * Makes the error. Where servers ask by requests, the call is over when it fails, so that there is no way on.
 *
 * @param call The call.
 * @param unanswered The question.
 * @param answer The server's answer to the call; it becomes the cause, unless a handler threw one.
 */
export function unansweredError(
  call: NamedCall,
  { key, request, failure }: Unanswered,
  answer: ProtocolError,
): InputRequiredError {
  const what = shownCall(call);
  const found = failure === undefined ? `there is no handler for ${request.method}` : handlerFault(failure.thrown);
  const resume = (): Promise<never> => {
    return Promise.reject(new TypeError(`Going on with ${what}: the call is over; call again with the input handler`));
  };
  return new InputRequiredError(
    failure === undefined ? "no_handler" : "handler_failed",
    `Answering the questions of ${what}: ${found}`,
    { requests: Object.fromEntries([[key, request]]), cause: failure === undefined ? answer : failure.thrown, resume },
  );
}

/** A call, as errors about its questions name it. */
export function shownCall({ method, name }: NamedCall): string {
  return name === undefined ? method : `${method} of ${JSON.stringify(name)}`;
}

/** The handler is the program's own, and its error stays within it. */
export function handlerFault(error: unknown): string {
  const why = error instanceof Error ? shownLine(error.message, CAUSE_LENGTH) : "";
  return `a handler failed${why === "" ? "" : ` (${why})`}`;
}
