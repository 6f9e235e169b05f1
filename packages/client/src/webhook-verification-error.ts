/** Why a request is not accepted as a delivery of Frontdesk's. */

const texts = {
  missing_header:
    "A header with the time or the signature is missing. Pass all headers as they came; if they did, refuse the request.",
  bad_timestamp: "X-Service-Timestamp is not a time in Unix seconds. The request is not from Frontdesk: refuse it.",
  bad_signature:
    "The signature does not fit. Refuse the request. If it should be genuine, see that the secret is this subscription's and that the body is passed before anything parses it.",
  too_old:
    "The delivery was signed too long ago, so it may be an old one that somebody sends again. Refuse it. If it should be new, set the clock of this machine.",
  too_new:
    "The delivery was signed in the future. Refuse it. If it should be genuine, set the clock of this machine, or of Frontdesk's.",
  not_json: "The delivery is signed as it should be, but its body is not JSON. Please report this.",
  not_an_event: "The delivery is signed as it should be, but its body is not an event. Please report this.",
} as const;

/**
 * - `missing_header`, `bad_timestamp`, `bad_signature`: it is not from Frontdesk, was changed on the way, or the secret
 *   differs. Which part differs is not disclosed.
 * - `too_old`, `too_new`: the signature fits, the time does not.
 * - `not_json`, `not_an_event`: the signature and the time fit, the body is no event.
 */
export type WebhookVerificationCode = keyof typeof texts;

/** A class, because callers detect it with `instanceof`. Its message says what to do, and contains nothing of the request. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  readonly code: WebhookVerificationCode;

  constructor(code: WebhookVerificationCode) {
    super(texts[code]);
    this.code = code;
  }
}
