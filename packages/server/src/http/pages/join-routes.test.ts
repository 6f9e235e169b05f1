import { randomBytes } from "node:crypto";
import { beginSessions } from "@frontdesk/testing/begin-sessions";
import { OWN_PAGE } from "@frontdesk/testing/signed-in";
import { openTestStorage } from "@frontdesk/testing/test-kit";
import { pino } from "pino";
import { afterAll, beforeEach, expect, it } from "vitest";
import type { SystemActor } from "../../access/actor.ts";
import { passwordFits } from "../../access/password.ts";
import { newToken } from "../../access/token.ts";
import { openVault } from "../../access/vault.ts";
import { agentByEmail } from "../../agents/agent-store.ts";
import { INVITATION_LIFE_MS, inviteAgents } from "../../agents/invite-agents.ts";
import { createPerform } from "../../perform.ts";
import { createRuntime } from "../../runtime.ts";
import { createTeam } from "../../teams/create-team.ts";
import { createHttpServer } from "../framework/http-server.ts";
import { ownPage } from "../framework/own-page.ts";
import { joinRoutes } from "./join-routes.ts";

let time = Date.parse("2026-11-20T09:00:00.000Z");
const { storage } = await openTestStorage();
await storage.migrate();
const runtime = createRuntime(openVault(randomBytes(32)), () => time);
const perform = createPerform(storage, runtime, { news: () => {}, jobs: () => {} });
const http = createHttpServer({ logger: pino({ level: "silent" }), trustProxy: false, onAnswer: () => {} });
http.register(joinRoutes, {
  perform,
  begin: beginSessions(storage, perform, runtime.now),
  ownPage: ownPage("https://chat.acme.test"),
});
afterAll(() => http.close());

const acme: SystemActor = { kind: "system", teamId: runtime.newId() };
await perform(acme, createTeam, { name: "Acme <&>" });

let email: string;
let path: string;
let people = 0;

beforeEach(async () => {
  people += 1;
  email = `grace${people}@acme.test`;
  const [sent] = await perform(acme, inviteAgents, {
    invitees: [{ email, name: "Grace", role: "CHAT_AGENT_ADMIN" }],
    joinUrl: (token) => `/join/${token}`,
    mail: false,
  });
  path = sent?.link ?? "";
});

const get = (url = path) => http.inject({ method: "GET", url });
const post = (fields: Record<string, string>, url = path) =>
  http.inject({
    method: "POST",
    url,
    headers: { "content-type": "application/x-www-form-urlencoded", ...OWN_PAGE },
    payload: new URLSearchParams(fields).toString(),
  });
const grace = () => storage.read((db) => db.first(agentByEmail, { team_id: acme.teamId, email_folded: email }));

it("an invitation shows who is invited to which team", async () => {
  const { statusCode, payload, headers } = await get();
  expect(statusCode).toBe(200);
  expect(payload).toContain("Join Acme &#60;&#38;&#62;");
  expect(payload).toContain(email);
  expect(payload).toMatch(/name="name"[^>]*value="Grace"/);
  expect(headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "strict-origin" });
});

it("an invited person joins with a name and a password, once", async () => {
  const answers = await Promise.all([1, 2].map(() => post({ name: " Grace H. ", password: "correct horse" })));
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404]);
  const joined = answers.find(({ statusCode }) => statusCode === 200);
  expect(joined?.payload).toContain("Welcome to the team");
  expect(joined?.headers["set-cookie"]).toMatch(/^frontdesk=fd_session_/);
  const agent = await grace();
  expect(agent).toMatchObject({ status: "active", name: "Grace H." });
  expect(await passwordFits(agent?.password_hash ?? "", "correct horse")).toBe(true);
  expect((await get()).statusCode).toBe(404);
});

it("a weak password or a missing name is reported at its field, and the agent does not join", async () => {
  const { statusCode, payload } = await post({ name: "", password: "short" });
  expect(statusCode).toBe(422);
  expect(payload).toContain('id="name-problem"');
  expect(payload).toContain('id="password-problem"');
  expect(payload).not.toContain("short");
  expect(await grace()).toMatchObject({ status: "invited" });
  expect((await get()).statusCode).toBe(200);
});

it("a link that is false, another team's or too old is a 404 in plain words", async () => {
  const foreign = `/join/${newToken("invite", runtime.newId(), runtime.random)}`;
  const unknown = `/join/${newToken("invite", acme.teamId, runtime.random)}`;
  for (const url of ["/join/x", `/join/${"x".repeat(500)}`, `${path}x`, foreign, unknown]) {
    for (const answer of [await get(url), await post({ name: "Eve", password: "correct horse" }, url)]) {
      expect(answer.statusCode).toBe(404);
      expect(answer.payload).toContain("Ask the person who invited you");
    }
  }
  time += INVITATION_LIFE_MS;
  expect((await get()).statusCode).toBe(404);
});
