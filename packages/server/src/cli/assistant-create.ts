import { assistantPermissionNames } from "@frontdesk/core/domain/assistant-permissions";
import { createAssistant } from "../assistants/create-assistant.ts";
import { chooseTeam } from "./choose-team.ts";
import { defineCommand, teamOption } from "./command.ts";
import { readName } from "./person-options.ts";
import { withStorage } from "./with-storage.ts";

/** `frontdesk assistant create`: a connection for an assistant. A repeat creates another one. */
export const assistantCreate = defineCommand({
  name: "assistant create",
  summary: "Creates a connection for an assistant and shows its token once.",
  options: {
    team: teamOption,
    name: { value: "NAME", help: "What the connection is for.", required: true },
    permissions: {
      value: "all|A,B",
      help: `What it can do: ${assistantPermissionNames.join(", ")}.`,
      required: true,
    },
    widgets: { value: "all|none|ID,ID", help: "The widgets whose conversations it can see.", required: true },
    agent: { value: "ID|none", help: "The agent it replies as. Without one, it cannot reply." },
  },
  async run(values, { settings, print }) {
    const asked = {
      name: readName("--name", values.name),
      permissions: listOf(values.permissions),
      widgets: listOf(values.widgets),
      // The other channels are not open yet; with every widget a connection sees all conversations.
      channels: values.widgets === "all" ? ("all" as const) : [],
      agentId: values.agent === undefined || values.agent === "none" ? null : values.agent,
    };
    const made = await withStorage(settings, async ({ storage, perform }) =>
      perform(await chooseTeam(storage, values.team), createAssistant, asked),
    );
    print({
      json: { id: made.assistant.id, token: made.token },
      text: `id     ${made.assistant.id}\ntoken  ${made.token}\nSave the token now. It won't be shown again.`,
    });
  },
});

function listOf(text: string): "all" | string[] {
  if (text === "all") return "all";
  return text === "none" ? [] : text.split(",").map((word) => word.trim());
}
