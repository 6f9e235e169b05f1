/** The header that makes a POST safe to repeat (decision 33). */
import { Type } from "typebox";

export const IDEMPOTENCY_KEY = "Idempotency-Key";

/** The description of the header for callers. */
export const IDEMPOTENCY_KEY_DESCRIPTION =
  "Makes retries safe: for 24 hours, the same key with the same body returns the first response and does nothing again. The same key with a different body is a validation error.";

/** Any text of the caller's choice. */
export const IdempotencyKey = Type.String({ minLength: 1, maxLength: 255 });
