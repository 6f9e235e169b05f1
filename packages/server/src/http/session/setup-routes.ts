import { type Me, type SessionBody, type SetupState, sessionOperations } from "@frontdesk/core/contract/session";
import { invalid } from "@frontdesk/core/domain/refusal";
import type { FastifyInstance } from "fastify";
import type { AgentActor, SystemActor } from "../../access/actor.ts";
import { hashPassword, passwordProblem } from "../../access/password.ts";
import type { Perform } from "../../perform.ts";
import { emailProblem, nameProblem, refuseProblems } from "../../setup/person-fields.ts";
import { setupTeam } from "../../setup/setup-team.ts";
import type { BeginSession } from "./begin-session.ts";
import { type SessionDoors, sessionEndpoints } from "./session-endpoint.ts";

interface SetupRouteServices extends SessionDoors {
  perform: Perform;
  setupState(token: string): Promise<SetupState>;
  newId(): string;
  sessions: BeginSession;
  me(agent: AgentActor): Promise<Me>;
}

/**
 * The first team of a fresh installation, for the dashboard's setup page (docs/decisions/0048-first-screens.md). Only the
 * one-time token of the server's output opens it; a repeat after success finds it closed.
 */
export async function setupRoutes(app: FastifyInstance, services: SetupRouteServices): Promise<void> {
  const { perform, setupState, newId, sessions, me } = services;
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
    const begun = await sessions.begin(request, reply, { ...team, passwordHash }, "setup");
    // A team of this moment has no factors.
    if (!("agent" in begun)) throw new Error("A new team asks for a second step.");
    return me(begun.agent);
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
