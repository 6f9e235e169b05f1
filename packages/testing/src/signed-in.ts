/** Agents of the team, signed in to the dashboard with a cookie. */
import { SESSION_PREFIX } from "@frontdesk/core/contract/session";
import type { AgentRole } from "@frontdesk/core/domain/agent";
import type { AgentActor } from "@frontdesk/server/access/actor";
import { createAgent } from "@frontdesk/server/agents/create-agent";
import { type NewSession, startSession } from "@frontdesk/server/sessions/start-session";
import type { TestAnswer, TestApp, TestTeam } from "./test-kit.ts";

/** The headers of every request of our pages. */
export const OWN_PAGE = { "sec-fetch-site": "same-origin" };

export interface SignedIn {
  actor: AgentActor;
  /** The value of the `Cookie` header. */
  cookie: string;
  name: string;
  email: string;
  /** A request of our page; `path` is below `/app/api`. */
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  get(path: string): Promise<TestAnswer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  patch(path: string, body?: unknown): Promise<TestAnswer>;
  delete(path: string): Promise<TestAnswer>;
  /** Signs in again, with another browser. */
  again(): Promise<SignedIn>;
}

const NAMES: Record<AgentRole, string> = {
  CHAT_AGENT_OWNER: "Olga",
  CHAT_AGENT_ADMIN: "Abe",
  CHAT_AGENT_MEMBER: "Mia",
};

/** The hash of an unused password. */
export const NOBODY_KNOWS = `$argon2id$v=19$m=19456,t=2,p=1$${"A".repeat(22)}$${"A".repeat(43)}`;

const BROWSER = { tokens: [], userAgent: "Test Browser" };

let people = 0;

/** A new agent of the team, with this role and signed in. */
export async function signedIn(
  kit: Pick<TestApp, "app">,
  team: Pick<TestTeam, "actor">,
  role: AgentRole = "CHAT_AGENT_MEMBER",
): Promise<SignedIn> {
  people += 1;
  const person = { name: NAMES[role], email: `${NAMES[role].toLowerCase()}${people}@acme.test` };
  const passwordHash = NOBODY_KNOWS;
  const { id } = await kit.app.perform(team.actor, createAgent, { ...person, role, passwordHash });
  return withBrowser(kit, team, { id, role, passwordHash, ...person });
}

async function withBrowser(
  kit: Pick<TestApp, "app">,
  team: Pick<TestTeam, "actor">,
  who: { id: string; role: AgentRole; passwordHash: string; name: string; email: string },
): Promise<SignedIn> {
  const { teamId } = team.actor;
  const asked: NewSession = {
    agentId: who.id,
    passwordHash: who.passwordHash,
    wayIn: "password",
    browser: BROWSER,
  };
  const started = await kit.app.perform({ kind: "system", teamId, ip: "192.0.2.7" }, startSession, asked);
  if (started.outcome !== "session") throw new Error(`${who.name} is asked for a second step.`);
  const { token, sessionId, verifiedAt } = started;
  const cookie = `frontdesk=${token}`;
  const request: SignedIn["request"] = (method, path, body, headers = {}) =>
    asPage(kit, method, path, { body, headers: { cookie, ...headers } });
  return {
    actor: { kind: "agent", teamId, agentId: who.id, role: who.role, sessionId, verifiedAt, reach: "everything" },
    cookie,
    name: who.name,
    email: who.email,
    request,
    get: (path) => request("GET", path),
    post: (path, body, headers) => request("POST", path, body, headers),
    patch: (path, body) => request("PATCH", path, body),
    delete: (path) => request("DELETE", path),
    again: () => withBrowser(kit, team, who),
  };
}

/** A request of our page with any cookie; `path` is below `/app/api`. */
export async function asPage(
  { app }: Pick<TestApp, "app">,
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<TestAnswer> {
  const answer = await app.http.inject({
    method: method as "GET",
    url: `${SESSION_PREFIX}${path}`,
    headers: { ...OWN_PAGE, ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && {
      payload: typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    }),
  });
  const json = answer.headers["content-type"]?.toString().startsWith("application/json");
  return {
    status: answer.statusCode,
    headers: answer.headers as Record<string, string | undefined>,
    body: json ? answer.json() : answer.payload,
  };
}

/** The cookie that an answer sets, as a browser returns it; undefined when it sets none. */
export function cookieOf({ headers }: Pick<TestAnswer, "headers">): string | undefined {
  return /^[^=]+=[^;]+/.exec(headers["set-cookie"] ?? "")?.[0];
}
