/**
 * Something the person who runs Frontdesk has to put right. The message says what is wrong and what to do; it is shown
 * to them as it is, without a stack trace, and never holds a secret.
 */
export class OperatorError extends Error {
  override name = "OperatorError";
}
