import { setupTeam } from "../setup/setup-team.ts";
import { defineCommand } from "./command.ts";
import { readEmail, readName, readPassword } from "./person-options.ts";
import { withStorage } from "./with-storage.ts";

/** `frontdesk setup`: a team with its owner, a widget and, when named, an API key and an assistant. */
export const setup = defineCommand({
  name: "setup",
  summary: "Creates a team with its owner, a widget and an API key.",
  options: {
    team: { value: "NAME", help: "The team's name.", required: true },
    name: { value: "NAME", help: "The owner's name.", required: true },
    email: { value: "EMAIL", help: "The owner's email address. It must not have an account yet.", required: true },
    password: { value: "PASSWORD", help: "The owner's password, or - to read it from standard input.", required: true },
    widget: { value: "NAME", help: "The name of the first widget. Default: Website." },
    "api-key": { value: "NAME", help: "Creates an API key with this name and shows it once." },
    assistant: { value: "NAME", help: "Creates an assistant connection with this name and shows its token once." },
  },
  async run(values, { settings, print }) {
    const apiKeyName = values["api-key"];
    const assistantName = values.assistant;
    const teamName = readName("--team", values.team);
    const ownerName = readName("--name", values.name);
    const email = readEmail(values.email);
    const team = {
      teamName,
      ownerName,
      email,
      widgetName: readName("--widget", values.widget ?? "Website"),
      apiKeyName: apiKeyName === undefined ? undefined : readName("--api-key", apiKeyName),
      assistantName: assistantName === undefined ? undefined : readName("--assistant", assistantName),
      passwordHash: await readPassword(values.password, { name: ownerName, email, teamName }),
    };
    const made = await withStorage(settings, ({ runtime, perform }) =>
      perform({ kind: "system", teamId: runtime.newId() }, setupTeam, team),
    );
    print({
      json: {
        team_id: made.teamId,
        agent_id: made.agentId,
        widget_id: made.widgetId,
        ...(made.apiKey && { api_key: made.apiKey }),
        ...(made.assistantToken && { assistant_token: made.assistantToken }),
      },
      text: [
        `Team ${team.teamName} is ready.`,
        `team_id    ${made.teamId}`,
        `agent_id   ${made.agentId}`,
        `widget_id  ${made.widgetId}`,
        ...(made.apiKey ? [`api_key    ${made.apiKey}`] : []),
        ...(made.assistantToken ? [`assistant  ${made.assistantToken}`] : []),
        ...(made.assistantToken
          ? ["Save these now. They won't be shown again."]
          : made.apiKey
            ? ["Save the API key now. It won't be shown again."]
            : []),
      ].join("\n"),
    });
  },
});
