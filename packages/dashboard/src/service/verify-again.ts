/**
 * Requests that need a recent proof of who the agent is (`core/domain/ways-in.ts`): the agent is asked for it, and the request
 * is sent again.
 */
import { showLayer } from "../shell/shell-state.ts";

const FORBIDDEN = 403;
/** In the body of the refusal; nothing else in one contains it. */
const VERIFY_AGAIN = '"reason":"verify-again"';

/** The proof that is asked for at present; all requests that need it wait for the same one. */
let asked: PromiseWithResolvers<boolean> | undefined;

/**
 * The answer of a request, after a proof where one is needed.
 *
 * @param send sends the request; called a second time after a proof
 */
export async function fetchVerified(send: (isAgain: boolean) => Promise<Response>): Promise<Response> {
  const response = await send(false);
  if (response.status !== FORBIDDEN) return response;
  // The time for the request may be over while the agent is asked, and its body with it.
  const body = await response.text();
  if (body.includes(VERIFY_AGAIN) && (await askForProof())) return send(true);
  return new Response(body, response);
}

function askForProof(): Promise<boolean> {
  asked ??= Promise.withResolvers<boolean>();
  showLayer("verify");
  return asked.promise;
}

/** @param verified whether the agent has given the proof */
export function endAsking(verified: boolean): void {
  asked?.resolve(verified);
  asked = undefined;
  showLayer(undefined);
}
