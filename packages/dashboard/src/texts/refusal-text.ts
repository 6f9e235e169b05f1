import type { GivenReason } from "@frontdesk/client/agent";
import { whenIdle } from "../ui/when-idle.ts";

/** The texts are loaded after the first screen; until then, and for a reason without a text, the service's English is shown. */
let textOf: typeof import("./reason-texts.ts")["textOfReason"] = () => undefined;
void whenIdle().then(loadRefusalTexts);

/** Awaited by pages that can be refused as soon as they're opened. */
export async function loadRefusalTexts(): Promise<void> {
  const { loadReasonTexts, textOfReason } = await import("./reason-texts.ts");
  await loadReasonTexts();
  textOf = textOfReason;
}

/** A refusal in the agent's language. */
export function refusalText({ message, reason, values }: GivenReason): string {
  return (reason === undefined ? undefined : textOf(reason, values)) ?? message;
}
