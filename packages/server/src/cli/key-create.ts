import { type ApiKeyScope, apiKeyScopes } from "@frontdesk/core/domain/policy";
import { createApiKey } from "../access/create-api-key.ts";
import { chooseTeam, chooseTeamOf } from "./choose-team.ts";
import { defineCommand, teamOption, UsageError } from "./command.ts";
import { readName } from "./person-options.ts";
import { withStorage } from "./with-storage.ts";

/** `frontdesk key create`: an API key. A repeat creates another one. */
export const keyCreate = defineCommand({
  name: "key create",
  summary: "Creates an API key and shows it once.",
  options: {
    team: teamOption,
    name: { value: "NAME", help: "What the key is for.", required: true },
    agent: { value: "ID", help: "The agent the key belongs to. Default: the team's first owner." },
    scopes: { value: "A,B", help: `What the key can do. Default: everything. Scopes: ${apiKeyScopes.join(", ")}.` },
    expires: { value: "DATE", help: "When the key expires, such as 2027-01-31. Default: never." },
  },
  async run(values, { settings, print }) {
    const key = {
      name: readName("--name", values.name),
      agentId: values.agent,
      scopes: values.scopes === undefined ? undefined : readScopes(values.scopes),
      expiresAt: values.expires === undefined ? undefined : readMoment(values.expires),
    };
    const made = await withStorage(settings, async ({ storage, perform }) =>
      perform(
        values.agent === undefined
          ? await chooseTeam(storage, values.team)
          : await chooseTeamOf(storage, "agent", values.agent, values.team),
        createApiKey,
        key,
      ),
    );
    print({
      json: { id: made.key.id, api_key: made.value },
      text: `id       ${made.key.id}\napi_key  ${made.value}\nSave the API key now. It won't be shown again.`,
    });
  },
});

function readScopes(text: string): ApiKeyScope[] {
  return text.split(",").map((word) => {
    const scope = apiKeyScopes.find((known) => known === word.trim());
    if (!scope)
      throw new UsageError(`--scopes: unknown scope "${word.trim()}". Available scopes: ${apiKeyScopes.join(", ")}.`);
    return scope;
  });
}

/** Days are UTC days. */
function readMoment(text: string): number {
  const moment = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(moment)) throw new UsageError(`--expires: "${text}" is not a date. Use the form 2027-01-31.`);
  if (moment <= Date.now()) throw new UsageError(`--expires: ${text} is in the past.`);
  return moment;
}
