import type { AiState } from "@frontdesk/core/domain/ai/ai-state";
import type { Operation } from "../../context.ts";
import { addNote } from "../../conversations/add-note.ts";
import { setSpeaker } from "../speaker/speaker-store.ts";
import { type Handoff, summaryDue } from "./summary-due.ts";

/**
 * Writes the summary of a handoff as a note, if it is still due. The same commit marks it as written, so that a repeat writes none.
 *
 * @returns whether it has written it
 * @throws Refusal `not-found` for a conversation that is erased, `obstacle` when the agent of the AI is gone
 */
export const noteHandoffSummary: Operation<Handoff & { content: string; tokens: number }, boolean> = {
  name: "note-handoff-summary",
  mode: "write",
  async run(ctx, { content, tokens, ...handoff }) {
    const due = await summaryDue(ctx, handoff);
    if (!due) return false;
    const { id, speaker } = due.about.conversation;
    const state: AiState = { ...due.state, summaryDue: null, tokens: due.state.tokens + tokens };
    ctx.write(setSpeaker, { team_id: ctx.teamId, id, speaker, ai_state: JSON.stringify(state) });
    await addNote.run(ctx, { conversationId: id, content });
    return true;
  },
};
