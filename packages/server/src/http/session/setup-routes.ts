import { type SessionBody, type SetupState, sessionOperations } from "@frontdesk/core/contract/session";
import { invalid } from "@frontdesk/core/domain/refusal";
import type { FastifyInstance } from "fastify";
import type { SystemActor } from "../../access/actor.ts";
import { hashPassword, passwordProblem } from "../../access/password.ts";
import { getOwnProfile } from "../../agents/get-own-profile.ts";
import type { Perform } from "../../perform.ts";
import { presentMe } from "../../sessions/present-me.ts";
import { emailProblem, nameProblem, refuseProblems } from "../../setup/person-fields.ts";
import { setupTeam } from "../../setup/setup-team.ts";
import type { BeginSession } from "./begin-session.ts";
import { type SessionDoors, sessionEndpoints } from "./session-endpoint.ts";

interface SetupRouteServices extends SessionDoors {
  perform: Perform;
  setupState(token: string): Promise<SetupState>;
  newId(): string;
  begin: BeginSession;
  /** Whether the server sends mail. */
  mail: boolean;
}

/**
 * The first team of a fresh installation, for the dashboard's setup page (docs/decisions/0048-first-screens.md). Only the
 * one-time token of the server's output opens it; a repeat after success finds it closed.
 */
export async function setupRoutes(app: FastifyInstance, services: SetupRouteServices): Promise<void> {
  const { perform, setupState, newId, begin, mail } = services;
  const serve = sessionEndpoints(app, services);

  serve(sessionOperations.getSetupState, async ({ body: { token } }) => ({ state: await setupState(token) }));

  serve(sessionOperations.setUp, async ({ request, reply, body }) => {
    // Checked first, so that only the holder of the link can make us hash passwords.
    if ((await setupState(body.token)) !== "open") throw invalid({ token: "setup-over" });
    refuseWrong(body);
    const passwordHash = await hashPassword(body.password);
    const door: SystemActor = { kind: "system", teamId: newId(), ip: request.ip };
    const team = await perform(door, setupTeam, {
      teamName: body.team_name.trim(),
      ownerName: body.name.trim(),
      email: body.email.trim(),
      passwordHash,
      widgetName: body.widget_name.trim(),
      setupToken: body.token,
    });
    const agent = await begin(request, reply, { ...team, passwordHash }, "setup");
    return presentMe(await perform(agent, getOwnProfile, {}), { mail });
  });
}

/** @throws Refusal `invalid` */
function refuseWrong(body: SessionBody<typeof sessionOperations.setUp>): void {
  const { team_name, name, email, password, widget_name } = body;
  refuseProblems({
    team_name: nameProblem(team_name),
    name: nameProblem(name),
    email: emailProblem(email.trim()),
    password: passwordProblem(password, { name, email: email.trim(), teamName: team_name }),
    widget_name: nameProblem(widget_name),
  });
}
