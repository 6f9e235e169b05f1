import { keepOriginals } from "../demo/keep-originals.ts";
import { makeDemo } from "../demo/make-demo.ts";
import { createDrafts } from "../files/drafts.ts";
import { openFileStorage } from "../files/open-file-storage.ts";
import { defineCommand } from "./command.ts";
import { withStorage } from "./with-storage.ts";

const SEED = 1;

/** `frontdesk demo`: a shop with a month of conversations, to look around in. A repeat is refused. */
export const demo = defineCommand({
  name: "demo",
  summary: "Creates a demo team with a month of a small shop's conversations.",
  options: {},
  async run(_values, { settings, print, progress }) {
    const made = await withStorage(settings, ({ storage, runtime }) =>
      makeDemo(storage, runtime, { endsAt: runtime.now(), seed: SEED, progress: progress("Creating the demo shop") }),
    );
    const parts = { drafts: createDrafts(settings.dataDir), fileStorage: openFileStorage(settings) };
    await keepOriginals(parts, made.teamId, made.originals).catch(() => {
      // The demo is there, and its password is shown here alone. Of two emails only the first words can be read.
    });
    print({
      json: {
        team_id: made.teamId,
        agent_id: made.agentId,
        widget_id: made.widgetId,
        api_key: made.apiKey,
        owner_email: made.ownerEmail,
        password: made.password,
        agents: made.agents,
        contacts: made.contacts,
        conversations: made.conversations,
        messages: made.messages,
        articles: made.articles,
      },
      text: [
        `The demo shop is ready: ${made.conversations} conversations, ${made.messages} messages, ${made.articles} articles, ${made.agents} agents.`,
        `team_id    ${made.teamId}`,
        `agent_id   ${made.agentId}`,
        `widget_id  ${made.widgetId}`,
        `api_key    ${made.apiKey}`,
        `sign in    ${made.ownerEmail}`,
        `password   ${made.password}`,
        "Save the API key and the password now. They won't be shown again.",
      ].join("\n"),
    });
  },
});
