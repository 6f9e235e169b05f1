import { setupTeam } from "../setup/setup-team.ts";
import { defineCommand } from "./command.ts";
import { readEmail, readName, readPassword } from "./person-options.ts";
import { withStorage } from "./with-storage.ts";

/** `frontdesk setup`: a team with its owner, a widget and, when it is named, an API key. */
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
    assistant: { value: "NAME", help: "Taken already, without effect: assistants come with a later version." },
  },
  async run(values, { settings, print }) {
    const apiKeyName = values["api-key"];
    const team = {
      teamName: readName("--team", values.team),
      ownerName: readName("--name", values.name),
      email: readEmail(values.email),
      widgetName: readName("--widget", values.widget ?? "Website"),
      apiKeyName: apiKeyName === undefined ? undefined : readName("--api-key", apiKeyName),
      passwordHash: await readPassword(values.password),
    };
    const made = await withStorage(settings, ({ machine, perform }) =>
      perform({ kind: "system", teamId: machine.newId() }, setupTeam, team),
    );
    // Said beside the answer: who asked for an assistant must not think that there is one.
    if (values.assistant !== undefined) {
      console.error("No assistant was made: assistants come with a later version.");
    }
    print({
      json: {
        team_id: made.teamId,
        agent_id: made.agentId,
        widget_id: made.widgetId,
        ...(made.apiKey && { api_key: made.apiKey }),
      },
      text: [
        `Team ${team.teamName} is ready.`,
        `team_id    ${made.teamId}`,
        `agent_id   ${made.agentId}`,
        `widget_id  ${made.widgetId}`,
        ...(made.apiKey ? [`api_key    ${made.apiKey}`, "Keep the API key now: it is not shown again."] : []),
      ].join("\n"),
    });
  },
});
