/** Refuses bodies that are compressed, or coded in another way; loaded with the first body that could not be read. */
import { SHOWN_LENGTH } from "../protocol/limits.ts";
import { httpError } from "./http_response.ts";

/** Tokens (RFC 9110 § 8.4.1), which are named to the client. */
const CODINGS = /^[\w!#$%&'*+.^`|~, -]+$/;

/**
 * The answer to a body that is not JSON in UTF-8: that its content coding is not taken, if it says that it has one (RFC 9110 § 8.4
 * and § 15.5.16). Only what could not be read comes here: a body that a framework has decoded still has its header.
 *
 * @param coding The value of `Content-Encoding`.
 * @param otherwise The answer to a body that is not coded.
 */
export function refuseCoded(coding: string, otherwise: Response): Response {
  const codings = coding.split(",").map((one) => one.trim()).filter((one) => one !== "" && one.toLowerCase() !== "identity");
  if (codings.length === 0) return otherwise;
  const named = codings.join(", ");
  const found = named.length <= SHOWN_LENGTH && CODINGS.test(named) ? named : "malformed or too long";
  const sentence = `Unsupported media type: the body must not be coded, Content-Encoding is ${found}`;
  const response = httpError(415, sentence);
  response.headers.set("accept-encoding", "identity");
  return response;
}
