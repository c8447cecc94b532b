/** The error of a call whose time is over. */
import { TransportError } from "../../protocol/errors.ts";

/** What was waited for. */
export interface TimeoutFacts {
  /** The method. */
  readonly method: string;
  /** Milliseconds without an answer or progress; undefined when the total time is over. */
  readonly timeout: number | undefined;
  /** The milliseconds that the call was given in all, where they are known. */
  readonly total?: number | undefined;
  /** Which limits the two times come from; those of requests when absent. */
  readonly limitNames?: readonly [timeout: string, total: string] | undefined;
}

/** Makes the error; its `data.limit` names the limit. */
export function timeoutError({ method, timeout, total: all, limitNames }: TimeoutFacts): TransportError {
  const [each, total] = limitNames ?? ["requestTimeout", "requestTotalTimeout"];
  const limit = timeout === undefined ? total : each;
  const over = all === undefined ? "its total time is over" : `its total time of ${all} ms is over`;
  const found = timeout === undefined ? over : `neither an answer nor progress within ${timeout} ms`;
  return new TransportError("timeout", `Waiting for the answer to ${method}: ${found} (limit ${limit})`, { data: { limit } });
}
