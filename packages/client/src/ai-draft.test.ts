/** In any order of frames and events a draft of the AI is never shown beside a newer message, or after another voice. */
import type { DraftFrame } from "@frontdesk/core/contract/live";
import type { ChatConversation, ChatMessage } from "@frontdesk/core/contract/visitor";
import fc from "fast-check";
import { expect, test } from "vitest";
import { standingDraft } from "./ai-draft.ts";
import { applyEvent, applyPresence, type ChatContents, emptyChat, emptyPresence } from "./apply-event.ts";

const conversation: ChatConversation = {
  ...{ id: "c", is_resolved: false, seen_number: 0, team_seen_number: 0, rating: null, speaker: "ai" },
};
const message = (sort_number: number, from: "visitor" | "agent"): ChatMessage => ({
  ...{ id: `m${sort_number}`, conversation_id: "c", sort_number, from, content: "Hi", attachments: [] },
  ...{ agent: null, client_id: null, created_at: "2026-11-20T09:00:00.000Z" },
});
const draft = (text: string, after = 1): DraftFrame => ({
  ...{ type: "draft", conversation_id: "c", seq: 1, text, after, agent: null },
});
const asked = applyEvent(emptyChat, { message: message(1, "visitor"), conversation }) as ChatContents;

interface State {
  contents: ChatContents;
  presence: typeof emptyPresence;
}
type Step = (state: State) => State;
const event =
  (what: Parameters<typeof applyEvent>[1]): Step =>
  ({ contents, presence }) => ({ contents: applyEvent(contents, what) as ChatContents, presence });
const frame =
  (one: DraftFrame): Step =>
  ({ contents, presence }) => ({ contents, presence: applyPresence(presence, one) });
const shown = ({ contents, presence }: State) =>
  standingDraft(presence.draft, contents.conversation, contents.messages.at(-1)?.sort_number ?? 0)?.text ?? null;

const ENDINGS: Step[] = [
  event({ message: message(2, "agent"), conversation }),
  event({ message: message(2, "visitor"), conversation }),
  event({ conversation: { ...conversation, speaker: "human" } }),
  event({ conversation: { ...conversation, speaker: "waiting" } }),
  event({ conversation: { ...conversation, is_resolved: true } }),
];

test("a draft stands until anything newer was said, in whatever order frames and events come", () => {
  const start: State = { contents: asked, presence: emptyPresence };
  const frames = [frame(draft("One.")), frame(draft("One. Two.")), frame(draft(""))];
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...frames), { maxLength: 6 }),
      fc.constantFrom(...ENDINGS),
      fc.array(fc.constantFrom(...frames), { maxLength: 6 }),
      (before, ending, after) => {
        const held = before.reduce((state, step) => step(state), start);
        const last = before.at(-1);
        expect(shown(held)).toBe(last === frames[1] ? "One. Two." : last === frames[0] ? "One." : null);
        for (let state = ending(held), at = 0; at <= after.length; at += 1) {
          expect(shown(state)).toBeNull();
          state = after[at]?.(state) ?? state;
        }
      },
    ),
  );
});
