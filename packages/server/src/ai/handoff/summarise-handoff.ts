import { summaryNote } from "@frontdesk/core/domain/ai/handoff-summary";
import { Refusal } from "@frontdesk/core/domain/refusal";
import type { SystemActor } from "../../access/actor.ts";
import type { JobHandler } from "../../jobs/job.ts";
import type { Perform } from "../../perform.ts";
import type { AskCopilot } from "../copilot/ask-copilot.ts";
import { gatherHandoffSummary } from "./gather-handoff-summary.ts";
import { noteHandoffSummary } from "./note-handoff-summary.ts";

/**
 * Sums up a conversation that the AI has handed over, in a note for the team. A model that gives no answer leaves no note: it is
 * a help, and comes at once or not at all.
 */
export function summariseHandoffJob({
  perform,
  askCopilot,
}: {
  perform: () => Perform;
  askCopilot: () => AskCopilot;
}): JobHandler<"summarise-handoff"> {
  return async (handoff, { teamId, signal }) => {
    const system: SystemActor = { kind: "system", teamId };
    try {
      const asked = await perform()(system, gatherHandoffSummary, handoff);
      if (!asked) return;
      const { actor, request, tokens, sources, language } = asked;
      const { text } = await askCopilot()(actor, request, { signal });
      const content = summaryNote({ written: text, sources, language });
      if (content !== null) await perform()(actor, noteHandoffSummary, { ...handoff, content, tokens });
    } catch (error) {
      // A process that stops has another one do it.
      signal.throwIfAborted();
      // No model, no tokens left, or the conversation was erased meanwhile.
      if (!(error instanceof Refusal)) throw error;
    }
  };
}
