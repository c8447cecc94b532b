/** The contract of a call that may ask for input: its rounds, who answers, and what runs it. */
import type { ResultIn } from "../../protocol/dialect.ts";
import type { InputResponses, JsonObject } from "../../protocol/types.ts";
import type { CallOptions, InputHandlers, PendingInput } from "../options.ts";
import type { CallTimes } from "../request_settings.ts";

/** One round of a call. */
export interface Round {
  /** The options in force. */
  readonly options: CallOptions;
  /** The times of the whole call. */
  readonly times: CallTimes;
  /** Answers to the round before. */
  readonly inputResponses: InputResponses | undefined;
  /** The state of the round before, unchanged. */
  readonly requestState: string | undefined;
}

/** A call that may ask for input. */
export interface AskingCall<R> {
  /** The method. */
  readonly method: string;
  /** The tool, prompt or resource. */
  readonly name: string | undefined;
  /** Sends one round, each under an id of its own. */
  readonly send: (round: Round) => Promise<ResultIn>;
  /** Reads the final result. */
  readonly read: (result: JsonObject) => R | Promise<R>;
}

/** Who answers, and how. */
export interface InputSettings {
  /** The handlers. */
  readonly inputs: InputHandlers;
  /** Several questions of one round at once, within `serverRequests`. */
  readonly parallel: boolean;
}

/** Runs a call to its result, over a connection. */
export type RunRounds<C> = <R>(
  connection: C,
  settings: InputSettings,
  call: AskingCall<R>,
  options: CallOptions,
) => Promise<R | PendingInput<R>>;
