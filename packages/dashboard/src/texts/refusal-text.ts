import type { GivenReason } from "@frontdesk/client/agent";
import { loadPart } from "../service/load-part.ts";
import { whenIdle } from "../ui/when-idle.ts";

/** The texts are loaded after the first screen; until then, and for a reason without a text, the service's English is shown. */
let textOf: typeof import("./reason-texts.ts")["textOfReason"] = () => undefined;
void whenIdle().then(loadRefusalTexts);

/** Awaited where a refusal stays on the screen. Resolves also when the texts are missing. */
export async function loadRefusalTexts(): Promise<void> {
  try {
    const { loadReasonTexts, textOfReason } = await loadPart(() => import("./reason-texts.ts"));
    await loadReasonTexts();
    textOf = textOfReason;
  } catch {
    // The service's English is shown, and the next refusal loads them again.
  }
}

/** A refusal in the agent's language. */
export function refusalText({ message, reason, values }: GivenReason): string {
  return (reason === undefined ? undefined : textOf(reason, values)) ?? message;
}
