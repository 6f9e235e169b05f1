import type { AssistantState } from "../assistants/assistant.ts";
import { setAssistantState } from "../assistants/update-assistant.ts";
import { chooseTeamOf } from "./choose-team.ts";
import { defineCommand, teamOfIdOption } from "./command.ts";
import { withStorage } from "./with-storage.ts";

/** `frontdesk assistant pause`: it has no tools until it is resumed. A repeat changes nothing. */
export const assistantPause = stateCommand(
  "pause",
  "paused",
  "Pauses an assistant. It has no tools until it's resumed.",
  "is paused",
);

/** `frontdesk assistant resume` */
export const assistantResume = stateCommand("resume", "active", "Resumes a paused assistant.", "is active");

/** `frontdesk assistant revoke`: its token never works again. */
export const assistantRevoke = stateCommand(
  "revoke",
  "revoked",
  "Revokes an assistant's connection permanently.",
  "is revoked",
);

function stateCommand(word: string, state: AssistantState, summary: string, says: string) {
  return defineCommand({
    name: `assistant ${word}`,
    summary,
    options: {
      id: { value: "ID", help: "The connection.", positional: true, required: true },
      team: teamOfIdOption,
    },
    async run(values, { settings, print }) {
      const assistant = await withStorage(settings, async ({ storage, perform }) =>
        perform(await chooseTeamOf(storage, "assistant", values.id, values.team), setAssistantState, {
          assistantId: values.id,
          state,
        }),
      );
      print({ json: { id: assistant.id, state: assistant.state }, text: `The assistant ${assistant.name} ${says}.` });
    },
  });
}
