import { setupTeam } from "../setup/setup-team.ts";
import { defineCommand } from "./command.ts";
import { readEmail, readName, readPassword } from "./person-options.ts";
import { withStorage } from "./with-storage.ts";

/** `frontdesk setup`: a team with its owner, a widget and, when named, an API key and an assistant. */
export const setup = defineCommand({
  name: "setup",
  summary: "Makes a team with its owner, a widget and an API key.",
  options: {
    team: { value: "NAME", help: "The team's name.", required: true },
    name: { value: "NAME", help: "The owner's name.", required: true },
    email: { value: "EMAIL", help: "The owner's e-mail; it must not have an account yet.", required: true },
    password: { value: "PASSWORD", help: "The owner's password; - reads it from standard input.", required: true },
    widget: { value: "NAME", help: "The name of the first widget (Website)." },
    "api-key": { value: "NAME", help: "Makes an API key of this name; it is shown only now." },
    assistant: { value: "NAME", help: "Makes an assistant connection of this name; its token is shown only now." },
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
          ? ["Keep these now: they are not shown again."]
          : made.apiKey
            ? ["Keep the API key now: it is not shown again."]
            : []),
      ].join("\n"),
    });
  },
});
