import { canonicalId } from "@frontdesk/core/domain/id";
import { notFound } from "@frontdesk/core/domain/refusal";
import type { SystemActor } from "../access/actor.ts";
import { teamOfApiKey } from "../access/api-key-store.ts";
import { teamOfAgent } from "../agents/agent-store.ts";
import { teamOfAssistant } from "../assistants/assistant-store.ts";
import { OperatorError } from "../operator-error.ts";
import type { Storage } from "../storage/database.ts";
import { allTeams } from "../teams/team-store.ts";
import { teamOfWidget } from "../widgets/widget-store.ts";

/**
 * The operator, acting in the named team, or in the only one there is.
 *
 * @throws OperatorError when there is no such team, none at all, or several and none was named
 */
export async function chooseTeam(storage: Storage, named: string | undefined): Promise<SystemActor> {
  const teams = await storage.read((db) => db.all(allTeams, {}));
  const list = teams.map(({ team_id, name }) => `\n  ${team_id}  ${name}`).join("");
  if (teams.length === 0) throw new OperatorError("No team yet. Create one with: frontdesk setup");
  const id = named === undefined ? undefined : canonicalId(named);
  const team = named === undefined ? teams[0] : teams.find(({ team_id }) => team_id === id);
  if (!team) throw new OperatorError(`Unknown team ${named}. Available teams:${list}`);
  if (named === undefined && teams.length > 1) {
    throw new OperatorError(`There is more than one team. Choose one with --team ID:${list}`);
  }
  return { kind: "system", teamId: team.team_id };
}

/** What a command can name by its id alone: ids are unique over all teams. */
const teamOf = { "api-key": teamOfApiKey, assistant: teamOfAssistant, widget: teamOfWidget, agent: teamOfAgent };

/**
 * The operator, acting in the named team, or else in the one that has the thing.
 *
 * @throws Refusal `not-found` when no team has it; OperatorError when the named team does not exist
 */
export async function chooseTeamOf(
  storage: Storage,
  what: keyof typeof teamOf,
  id: string,
  named: string | undefined,
): Promise<SystemActor> {
  if (named !== undefined) return chooseTeam(storage, named);
  const canonical = canonicalId(id);
  const found = canonical && (await storage.first(teamOf[what], { id: canonical }));
  if (!found) throw notFound(what);
  return { kind: "system", teamId: found.team_id };
}
