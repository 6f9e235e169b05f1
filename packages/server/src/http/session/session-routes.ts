import { type Me, type SecondStep, sessionOperations } from "@frontdesk/core/contract/session";
import { foldText } from "@frontdesk/core/domain/folded-text";
import { invalid, notFound, Refusal } from "@frontdesk/core/domain/refusal";
import type { FastifyInstance } from "fastify";
import type { AgentActor, SystemActor } from "../../access/actor.ts";
import type { KnownSession } from "../../access/authenticate.ts";
import { hashPassword, passwordFits, passwordProblem } from "../../access/password.ts";
import { tokenHash, tokenTeam } from "../../access/token.ts";
import { getOwnProfile } from "../../agents/get-own-profile.ts";
import { updateOwnProfile } from "../../agents/update-own-profile.ts";
import { filesUrl } from "../../files/file-address.ts";
import type { StrangerBounds } from "../../limits/stranger-bounds.ts";
import { type Perform, requireMay } from "../../perform.ts";
import { changePassword } from "../../sessions/change-password.ts";
import { endOtherSessions, endSession } from "../../sessions/end-session.ts";
import { listSessions } from "../../sessions/list-sessions.ts";
import { resetUrl } from "../../sessions/password-reset-link.ts";
import { presentSession } from "../../sessions/present-session.ts";
import { getPasswordReset, resetPassword } from "../../sessions/reset-password.ts";
import type { SignIn } from "../../sessions/sign-in.ts";
import { checkedName, checkedPassword, nameProblem, refuseProblems } from "../../setup/person-fields.ts";
import { getTeam } from "../../teams/get-team.ts";
import type { BeginSession, Begun } from "./begin-session.ts";
import { findInvited, type Invited, join } from "./invitation.ts";
import type { OwnCookies } from "./session-cookie.ts";
import { type SessionDoors, sessionEndpoints } from "./session-endpoint.ts";

export interface SessionRouteServices extends SessionDoors {
  perform: Perform;
  authenticate: { session(token: string | undefined): Promise<KnownSession> };
  signIn: SignIn;
  sessions: BeginSession;
  cookies: OwnCookies;
  bounds: StrangerBounds;
  now(): number;
  /** Without a slash at the end. */
  publicUrl: string;
  /** Whether e-mail can be sent. */
  mail: boolean;
  me(agent: AgentActor): Promise<Me>;
}

/** Signing in and out, the agent's own profile, forgotten passwords, and joining (docs/decisions/0025-signed-in-agents.md). */
export async function sessionRoutes(app: FastifyInstance, services: SessionRouteServices): Promise<void> {
  const { perform, authenticate, signIn, sessions, cookies, bounds, now, publicUrl, mail, me } = services;
  const serve = sessionEndpoints(app, services);

  serve(sessionOperations.signIn, async ({ request, reply, body: { email, password } }) => {
    await bounds.take({ address: request.ip, mailbox: hashOf(email) }, { "sign-ins": 1 });
    const known = await signIn.whoIs({ email, password, ip: request.ip });
    return answer(await sessions.begin(request, reply, known, "password"));
  });

  serve(sessionOperations.signOut, async ({ request, reply }) => {
    const session = await unlessSignedOut(authenticate.session(cookies.session.read(request)));
    cookies.session.clear(request, reply);
    if (session) {
      const actor = { ...session.actor, ip: request.ip };
      await unlessSignedOut(perform(actor, endSession, { sessionId: actor.sessionId }));
    }
    return {};
  });

  serve(sessionOperations.getMe, ({ agent }) => me(agent));

  serve(sessionOperations.updateMe, async ({ agent, body }) => {
    await perform(agent, updateOwnProfile, {
      name: body.name === undefined ? undefined : checkedName(body.name),
      photoUrl: body.profile_photo_url,
      availability: body.availability,
      filesUrl: filesUrl(publicUrl),
    });
    return me(agent);
  });

  serve(sessionOperations.changePassword, async ({ agent, body }) => {
    requireMay(agent, "change-password", now());
    await bounds.take({ mailbox: agent.agentId }, { "sign-ins": 1 });
    const { agent: own, team } = await perform(agent, getOwnProfile, {});
    const { password_hash: knownHash } = own;
    if (knownHash === null || !(await passwordFits(knownHash, body.current_password))) {
      throw invalid({ current_password: "wrong-password" });
    }
    const passwordHash = await hashPassword(
      checkedPassword(body.new_password, "new_password", { ...own, teamName: team.name }),
    );
    await perform(agent, changePassword, { knownHash, passwordHash });
    return {};
  });

  serve(sessionOperations.listSessions, async ({ agent }) => {
    const rows = await perform(agent, listSessions, {});
    return { sessions: rows.map((row) => presentSession(row, agent.sessionId)) };
  });

  serve(sessionOperations.endSession, async ({ agent, params }) => {
    await perform(agent, endSession, { sessionId: params.id });
    return {};
  });

  serve(sessionOperations.endOtherSessions, async ({ agent }) => ({
    ended: await perform(agent, endOtherSessions, {}),
  }));

  serve(sessionOperations.requestPasswordReset, async ({ request, body: { email } }) => {
    await bounds.take({ address: request.ip }, { "sign-ins": 1 });
    if (!mail) return { message: NO_MAIL };
    await bounds.take({ mailbox: hashOf(email) }, { "password-resets": 1 });
    await signIn.sendPasswordResets({ email, ip: request.ip, resetUrl: resetUrl(publicUrl) });
    return { message: MAIL_SENT };
  });

  serve(sessionOperations.confirmPasswordReset, async ({ request, body: { token, password } }) => {
    const teamId = tokenTeam("reset", token);
    if (teamId === undefined) throw notFound("password-reset");
    const door: SystemActor = { kind: "system", teamId, ip: request.ip };
    // Checked first, so that only the holder of a link can make us hash passwords.
    const { name, email: known } = await perform(door, getPasswordReset, { token });
    const { name: teamName } = await perform(door, getTeam, {});
    const passwordHash = await hashPassword(checkedPassword(password, "password", { name, email: known, teamName }));
    const { email } = await perform(door, resetPassword, { token, passwordHash });
    return { email };
  });

  serve(sessionOperations.getInvitation, async ({ request, params }) => {
    const { email, name, teamName, bySso } = await invited(params.token, request.ip);
    return { email, name, team_name: teamName, by_sso: bySso };
  });

  serve(sessionOperations.acceptInvitation, async ({ request, reply, params, body }) => {
    const invitation = await invited(params.token, request.ip);
    if (invitation.bySso) throw notFound("invitation");
    const { name, password } = body;
    refuseProblems({ name: nameProblem(name), password: passwordProblem(password, { ...invitation, name }) });
    const person = await join(perform, invitation, { name, password });
    if (!person) throw notFound("invitation");
    return answer(await sessions.begin(request, reply, person, "join"));
  });

  async function answer(begun: Begun): Promise<Me | SecondStep> {
    return "agent" in begun ? me(begun.agent) : begun;
  }

  async function invited(token: string, ip: string): Promise<Invited> {
    const found = await findInvited(perform, token, ip);
    if (!found) throw notFound("invitation");
    return found;
  }
}

const NO_MAIL =
  "Email isn't set up on this server. Ask an admin of your team for a reset link, or the person who runs the server: frontdesk agent password --email E";
const MAIL_SENT = "If an account uses this email address, a link is on its way. It works once and expires in one hour.";

/** The hash under which an e-mail is counted: limits may be stored in Redis, which need not know addresses. */
function hashOf(email: string): string {
  return tokenHash(foldText(email.trim()));
}

/** Undefined when the session does not exist, or no longer does. */
async function unlessSignedOut<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    const over = error instanceof Refusal && ["not-authenticated", "not-found"].includes(error.reason.name);
    if (!over) throw error;
    return undefined;
  }
}
