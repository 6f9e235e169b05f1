import { canonicalId } from "@frontdesk/core/domain/id";
import type { SystemActor } from "../access/actor.ts";
import { OperatorError } from "../operator-error.ts";
import type { Storage } from "../storage/database.ts";
import { allTeams } from "../teams/team-store.ts";

/**
 * The operator, acting in the team that was named, or in the only one there is.
 *
 * @throws OperatorError when there is no such team, none at all, or several and none was named
 */
export async function chooseTeam(storage: Storage, named: string | undefined): Promise<SystemActor> {
  const teams = await storage.read((db) => db.all(allTeams, {}));
  const list = teams.map(({ team_id, name }) => `\n  ${team_id}  ${name}`).join("");
  if (teams.length === 0) throw new OperatorError("There is no team yet. Make one with: frontdesk setup");
  const id = named === undefined ? undefined : canonicalId(named);
  const team = named === undefined ? teams[0] : teams.find(({ team_id }) => team_id === id);
  if (!team) throw new OperatorError(`There is no team ${named}. The teams are:${list}`);
  if (named === undefined && teams.length > 1) {
    throw new OperatorError(`There are several teams; say which one with --team ID:${list}`);
  }
  return { kind: "system", teamId: team.team_id };
}
