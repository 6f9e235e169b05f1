/**
 * An error that the person who runs Frontdesk has to correct. The message says what is wrong and what to do; it is shown
 * unchanged, without a stack trace, and never contains a secret.
 */
export class OperatorError extends Error {
  override name = "OperatorError";
}
