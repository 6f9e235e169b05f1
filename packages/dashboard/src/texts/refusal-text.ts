import type { GivenReason } from "@frontdesk/client/agent";
import { whenIdle } from "../ui/when-idle.ts";

/** The texts are fetched beside the first screen; until then, and for a reason that has none, the service's English is shown. */
let textOf: typeof import("./reason-texts.ts")["textOfReason"] = () => undefined;
void whenIdle().then(async () => {
  const { loadReasonTexts, textOfReason } = await import("./reason-texts.ts");
  await loadReasonTexts();
  textOf = textOfReason;
});

/** What the service refuses, in the language of whoever reads it. */
export function refusalText({ message, reason, values }: GivenReason): string {
  return (reason === undefined ? undefined : textOf(reason, values)) ?? message;
}
