/** Signing in, sessions and forgotten passwords, as a browser uses them (docs/decisions/0025-signed-in-agents.md). */
import { randomUUID } from "node:crypto";
import { Me, sessionOperations } from "@frontdesk/core/contract/session";
import { operationsOf } from "@frontdesk/core/domain/policy";
import { problemsOf } from "@frontdesk/testing/ajv";
import { invalid, refused } from "@frontdesk/testing/rest-answers";
import { openBeside, query } from "@frontdesk/testing/second-app";
import { servedRoutes } from "@frontdesk/testing/served-routes";
import { asPage, cookieOf, OWN_PAGE, signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { describe, expect, test } from "vitest";
import { createAuthentication } from "../../access/authenticate.ts";
import { hashPassword, passwordFits } from "../../access/password.ts";
import { newToken } from "../../access/token.ts";
import { createAgent } from "../../agents/create-agent.ts";
import { deactivateAgent } from "../../agents/deactivate-agent.ts";
import { SESSION_IDLE_MS, SESSION_LIFE_MS } from "../../sessions/session.ts";
import { createSignIn } from "../../sessions/sign-in.ts";

const kit = await startTestApp({ TRUST_PROXY: "1" });
const { app, storage, team, clock } = kit;
const WRONG = { ...refused("The email address or password is incorrect."), reason: "wrong-sign-in" };
const PLEASE = refused("Please sign in.");
const PASSWORD = "correct horse battery";
const passwordHash = await hashPassword(PASSWORD);

/** An active agent with a password, and an IP address of their own. */
async function grace(acme: TestTeam) {
  const email = `grace-${randomUUID().slice(0, 8)}@acme.test`;
  const who = { name: "Grace", email, role: "CHAT_AGENT_MEMBER", passwordHash } as const;
  const { id } = await app.perform(acme.actor, createAgent, who);
  return { id, email };
}

let places = 0;
/** The header of a browser at an address that was not used yet. */
function somewhere() {
  places += 1;
  return { "x-forwarded-for": `198.51.${Math.floor(places / 250)}.${(places % 250) + 1}` };
}

const signIn = (email: string, password: string, headers: Record<string, string> = somewhere()) =>
  asPage(kit, "POST", "/sign-in", { body: { email, password }, headers });
const me = (cookie: string | undefined) => asPage(kit, "GET", "/me", { headers: { cookie: cookie ?? "" } });

describe("signing in", () => {
  test("answers who it is and what they may, and sets a cookie that works", async () => {
    const acme = await team();
    const { id, email } = await grace(acme);
    const answer = await signIn(` ${email.toUpperCase()} `, PASSWORD);
    expect(answer).toMatchObject({ status: 200, headers: { "cache-control": "no-store" } });
    expect(problemsOf(Me, answer.body)).toEqual([]);
    expect(answer.body).toMatchObject({
      agent: { id, email, role: "CHAT_AGENT_MEMBER", availability: "auto" },
      team: { id: acme.teamId, name: "Acme", api_access: true },
      may: operationsOf("CHAT_AGENT_MEMBER"),
    });
    expect(await me(cookieOf(answer))).toMatchObject({ status: 200, body: answer.body });
  });

  test("over http the cookie is kept from scripts and other sites; over https it is bound to our host as well", async () => {
    const { email } = await grace(await team());
    const flags = "Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax";
    const plain = await signIn(email, PASSWORD);
    expect(plain.headers["set-cookie"]?.[0]).toMatch(new RegExp(`^frontdesk=fd_session_\\w+; ${flags}$`));
    const proxied = { ...somewhere(), host: "chat.test", "x-forwarded-proto": "https" };
    for (const headers of [{ ...somewhere(), host: "chat.test" }, proxied]) {
      const secure = await signIn(email, PASSWORD, headers);
      expect(secure.headers["set-cookie"]?.[0]).toMatch(
        new RegExp(`^__Host-frontdesk=fd_session_\\w+; ${flags}; Secure$`),
      );
      const get = (cookie: string) => asPage(kit, "GET", "/me", { headers: { ...headers, cookie } });
      expect((await get(cookieOf(secure) ?? "")).status).toBe(200);
      // What a page without https could have set counts for nothing there.
      expect((await get(cookieOf(plain) ?? "")).status).toBe(401);
    }
  });

  test("a wrong password, an unknown e-mail, and people who are invited, deactivated or without a password get one answer", async () => {
    const acme = await team();
    const known = await grace(acme);
    const gone = await grace(acme);
    await app.perform(acme.actor, deactivateAgent, { agentId: gone.id });
    const email = `lin-${randomUUID()}@acme.test`;
    await acme.post("/agents/invite", { agents: [email] });
    for (const [who, password] of [
      [known.email, "wrong horse"],
      [known.email, "x".repeat(1_000)],
      [gone.email, PASSWORD],
      [email, PASSWORD],
      [acme.ada.email, ""],
      ["nobody@acme.test", PASSWORD],
      ["no e-mail", PASSWORD],
    ] as const) {
      const answer = await signIn(who, password || " ");
      expect({ who, status: answer.status, body: answer.body }).toEqual({ who, status: 401, body: WRONG });
      expect(answer.headers["set-cookie"]).toBeUndefined();
    }
  });

  test("takes as many comparisons of passwords for an unknown e-mail as for a known one", async () => {
    const { email } = await grace(await team());
    let compared: string[] = [];
    const { whoIs } = createSignIn({
      storage,
      perform: app.perform,
      onFailure: () => {},
      fits: (hash, password) => {
        compared.push(hash.split("$").slice(0, 4).join("$"));
        return passwordFits(hash, password);
      },
    });
    const cost = passwordHash.split("$").slice(0, 4).join("$");
    for (const who of [email, "nobody@acme.test"]) {
      compared = [];
      await expect(whoIs({ email: who, password: "wrong horse", ip: "192.0.2.1" })).rejects.toThrow(WRONG.message);
      expect({ who, compared }).toEqual({ who, compared: [cost] });
    }
  });

  test("checks 32 at once in a process; a further one is refused with a time to wait, and passes when one is done", async () => {
    const { email } = await grace(await team());
    const held = Promise.withResolvers<boolean>();
    const { whoIs } = createSignIn({ storage, perform: app.perform, onFailure: () => {}, fits: () => held.promise });
    const asked = { email, password: PASSWORD, ip: "192.0.2.1" };
    const first = Promise.all(Array.from({ length: 32 }, () => whoIs(asked)));
    await expect(whoIs(asked)).rejects.toMatchObject({ reason: { name: "rate-limited", retryAfterSeconds: 1 } });
    held.resolve(true);
    expect(await first).toHaveLength(32);
    expect(await whoIs(asked)).toMatchObject({ passwordHash });
  });

  test("takes over no token that a browser brings along: each session has one of its own", async () => {
    const acme = await team();
    const [{ email }, abe] = [await grace(acme), await signedIn(kit, acme)];
    const planted = `frontdesk=${newToken("session", acme.teamId, kit.runtime.random)}`;
    for (const cookie of [planted, abe.cookie]) {
      const answer = await signIn(email, PASSWORD, { ...somewhere(), cookie });
      expect(cookieOf(answer)).toMatch(/^frontdesk=fd_session_/);
      expect(cookieOf(answer)).not.toBe(cookie);
    }
    expect((await me(planted)).status).toBe(401);
    expect((await me(abe.cookie)).body.agent.email).toBe(abe.email);
  });

  test("an agent with one e-mail in two teams signs in to the one whose password it is", async () => {
    const [acme, beta] = [await team(), await team()];
    const { email } = await grace(acme);
    const other = { name: "Grace", email, role: "CHAT_AGENT_ADMIN", passwordHash: await hashPassword("other horse") };
    await app.perform(beta.actor, createAgent, other as never);
    expect((await signIn(email, PASSWORD)).body.team.id).toBe(acme.teamId);
    expect((await signIn(email, "other horse")).body.team.id).toBe(beta.teamId);
  });

  test("ten tries a minute from one address pass, whatever the e-mail, and ten of one e-mail in a quarter of an hour from anywhere", async () => {
    const { email } = await grace(await team());
    const place = somewhere();
    for (let index = 0; index < 10; index += 1) {
      expect((await signIn(`nobody${index}-${email}`, "wrong horse", place)).status).toBe(401);
    }
    const fromPlace = await signIn(email, PASSWORD, place);
    expect(fromPlace.status).toBe(429);
    expect(Number(fromPlace.headers["retry-after"])).toBeGreaterThan(0);
    for (let index = 0; index < 10; index += 1) {
      expect((await signIn(index % 2 ? email : email.toUpperCase(), "wrong horse")).status).toBe(401);
    }
    const ofEmail = await signIn(email, PASSWORD);
    expect(ofEmail.status).toBe(429);
    expect(Number(ofEmail.headers["retry-after"])).toBeGreaterThan(60);
    expect((await signIn(`other-${email}`, PASSWORD)).status).toBe(401);
  });
});

describe("a session", () => {
  test("is not there without a cookie, with another's, a made-up or a damaged one", async () => {
    const acme = await team();
    const { cookie } = await signedIn(kit, acme);
    const foreign = newToken("session", acme.teamId, kit.runtime.random);
    for (const sent of [
      undefined,
      "frontdesk=",
      `frontdesk=${foreign}`,
      `frontdesk=${acme.apiKey}`,
      `${cookie}x`,
      cookie.replace("frontdesk", "other"),
    ]) {
      expect(await me(sent)).toMatchObject({ status: 401, body: PLEASE });
    }
    expect((await me(`other=1; ${cookie}; more=2`)).status).toBe(200);
  });

  test("only its hash is kept, and the rows hold nothing that could be sent as a cookie", async () => {
    const { cookie } = await signedIn(kit, await team());
    const rows = JSON.stringify(await query(storage, "SELECT * FROM sessions"));
    expect(rows).toContain("Test Browser");
    expect(rows).not.toContain(cookie.split("=")[1]);
    expect(rows).not.toContain("fd_session");
  });

  test("ends by signing out, at once, in this process and in others", async () => {
    const mia = await signedIn(kit, await team());
    const beside = createAuthentication(await openBeside(storage), clock.now, () => {});
    const token = mia.cookie.split("=")[1];
    expect((await beside.session(token)).actor.agentId).toBe(mia.actor.agentId);
    const out = await mia.post("/sign-out");
    expect(out).toMatchObject({ status: 200, body: {} });
    expect(out.headers["set-cookie"]).toMatch(/^frontdesk=; Path=\/; Max-Age=0;/);
    expect((await mia.get("/me")).status).toBe(401);
    expect((await mia.post("/sign-out")).status).toBe(200);
    if (storage.engine === "postgres") {
      await expect.poll(() => beside.session(token).then(String, String)).toContain("Please sign in.");
    }
  });

  test("is over after 14 days without use, and not before; use moves it on, up to 90 days", async () => {
    const acme = await team();
    const mia = await signedIn(kit, acme);
    const idle = await signedIn(kit, acme);
    clock.advance(SESSION_IDLE_MS - 1);
    expect((await mia.get("/me")).status).toBe(200);
    clock.advance(1);
    expect((await idle.get("/me")).status).toBe(401);
    for (let used = SESSION_IDLE_MS; used < SESSION_LIFE_MS - SESSION_IDLE_MS; used += SESSION_IDLE_MS / 2) {
      expect((await mia.get("/me")).status).toBe(200);
      clock.advance(SESSION_IDLE_MS / 2);
    }
    expect((await mia.get("/me")).status).toBe(200);
    clock.advance(SESSION_IDLE_MS - 1);
    expect((await mia.get("/me")).status).toBe(401);
  });

  test("that another process has seen is not over here, though this one has not seen it for long", async () => {
    const mia = await signedIn(kit, await team());
    expect((await mia.get("/me")).status).toBe(200);
    clock.advance(SESSION_IDLE_MS);
    await query(storage, `UPDATE sessions SET last_seen_at = ${clock.now()} WHERE id = '${mia.actor.sessionId}'`);
    expect((await mia.get("/me")).status).toBe(200);
  });

  test("writes when it was last seen at most once a minute", async () => {
    const mia = await signedIn(kit, await team());
    const seen = async () => (await mia.get("/me/sessions")).body.sessions[0].last_seen_at;
    const first = await seen();
    clock.advance(59_999);
    expect(await seen()).toBe(first);
    clock.advance(1);
    await mia.get("/me");
    await expect.poll(seen).toBe(new Date(clock.now()).toISOString());
  });

  test("is listed with the others of the same person, each of which can be ended", async () => {
    const acme = await team();
    const { email } = await grace(acme);
    const browsers = [await signIn(email, PASSWORD), await signIn(email, PASSWORD), await signIn(email, PASSWORD)];
    const cookies = browsers.map((answer) => cookieOf(answer) ?? "");
    const as = (index: number, method: string, path: string) =>
      asPage(kit, method, path, { headers: { cookie: cookies[index] ?? "" } });
    await signedIn(kit, acme);
    const { sessions } = (await as(0, "GET", "/me/sessions")).body;
    expect(sessions).toHaveLength(3);
    expect(problemsOf(sessionOperations.listSessions.responses[200].body, { sessions })).toEqual([]);
    const other = sessions.find((session: { is_current: boolean }) => !session.is_current);
    expect((await as(0, "DELETE", `/me/sessions/${other.id}`)).status).toBe(200);
    expect((await as(0, "DELETE", `/me/sessions/${other.id}`)).status).toBe(404);
    expect((await as(0, "DELETE", "/me/sessions/nothing")).status).toBe(404);
    expect((await as(0, "DELETE", "/me/sessions")).body).toEqual({ ended: 1 });
    expect([(await as(0, "GET", "/me")).status, (await as(1, "GET", "/me")).status]).toEqual([200, 401]);
    expect((await as(2, "GET", "/me")).status).toBe(401);
  });

  test("of another agent is as one that does not exist", async () => {
    const acme = await team();
    const [mia, abe] = [await signedIn(kit, acme), await signedIn(kit, acme, "CHAT_AGENT_ADMIN")];
    expect((await abe.delete(`/me/sessions/${mia.actor.sessionId}`)).status).toBe(404);
    expect((await mia.get("/me")).status).toBe(200);
  });
});

describe("what changes something", () => {
  const changes = Object.values(sessionOperations).filter(({ method }) => method !== "GET");
  const foreign = [
    {},
    { "sec-fetch-site": "cross-site", origin: "https://evil.test" },
    { "sec-fetch-site": "same-site", origin: "https://other.chat.test" },
    { "sec-fetch-site": "none" },
    { origin: "https://evil.test" },
    { origin: "null" },
    { origin: "https://chat.test.evil.test" },
    { origin: "http://chat.test" },
    { "sec-fetch-site": "cross-site", origin: "https://chat.test" },
  ];

  test("is refused to every page but ours, and to requests without an origin", async () => {
    const mia = await signedIn(kit, await team(), "CHAT_AGENT_OWNER");
    for (const { method, path } of changes) {
      for (const headers of foreign) {
        const answer = await app.http.inject({
          method,
          url: `/app/api${path.replaceAll(/\{\w+\}/g, "x")}`,
          headers: { ...headers, cookie: mia.cookie } as Record<string, string>,
        });
        expect({ path, headers, status: answer.statusCode }).toEqual({ path, headers, status: 403 });
      }
    }
    expect((await mia.get("/me")).status).toBe(200);
  });

  test("is taken from our own page, by what the browser says of it or by its origin", async () => {
    const mia = await signedIn(kit, await team());
    for (const headers of [OWN_PAGE, { origin: "https://chat.test" }, { origin: "http://localhost:80" }]) {
      const host = headers === OWN_PAGE ? {} : { host: "localhost:80" };
      const answer = await app.http.inject({
        method: "PATCH",
        url: "/app/api/me",
        headers: { ...headers, ...host, cookie: mia.cookie, "content-type": "application/json" },
        payload: JSON.stringify({ name: "Mia M." }),
      });
      expect({ headers, status: answer.statusCode }).toEqual({ headers, status: 200 });
    }
  });

  test("is refused under a host name that is not ours, wherever it comes from, and so is everything below /app/api", async () => {
    const mia = await signedIn(kit, await team(), "CHAT_AGENT_OWNER");
    const routes = servedRoutes(app.http).filter(({ url }) => url.startsWith("/app/api/"));
    expect(routes.length).toBeGreaterThan(150);
    for (const { method, url } of routes) {
      for (const headers of [{ origin: "http://evil.test" }, OWN_PAGE]) {
        const answer = await app.http.inject({
          method: method as "GET",
          url: url.replaceAll(/:\w+/g, "x"),
          headers: { host: "evil.test", cookie: mia.cookie, ...headers },
        });
        expect({ method, url, headers, status: answer.statusCode }).toEqual({ method, url, headers, status: 403 });
      }
    }
  });

  test("has a body of JSON: what a form of another site can send is none", async () => {
    const mia = await signedIn(kit, await team());
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
      const answer = await mia.request("PATCH", "/me", '{"name":"Eve"}', { "content-type": type });
      expect({ type, status: answer.status }).toEqual({ type, status: 415 });
    }
    expect((await mia.get("/me")).body.agent.name).toBe("Mia");
  });
});

describe("a password", () => {
  test("is changed with the current one, which ends the agent's other sessions and not this one", async () => {
    const { email } = await grace(await team());
    const [here, there] = [cookieOf(await signIn(email, PASSWORD)), cookieOf(await signIn(email, PASSWORD))];
    const change = (body: object) => asPage(kit, "POST", "/me/password", { body, headers: { cookie: here ?? "" } });
    const wrong = await change({ current_password: "wrong horse", new_password: "another horse" });
    expect(wrong).toMatchObject({ status: 422, body: invalid("current_password") });
    const weak = await change({ current_password: PASSWORD, new_password: "short" });
    expect(weak).toMatchObject({ status: 422, body: invalid("new_password") });
    expect((await me(there)).status).toBe(200);
    expect((await change({ current_password: PASSWORD, new_password: "another horse" })).status).toBe(200);
    expect([(await me(here)).status, (await me(there)).status]).toEqual([200, 401]);
    expect((await signIn(email, PASSWORD)).status).toBe(401);
    expect((await signIn(email, "another horse")).status).toBe(200);
  });

  test("cannot be guessed from an agent's open browser: ten tries in a quarter of an hour", async () => {
    const mia = await signedIn(kit, await team());
    await query(storage, `UPDATE agents SET password_hash = '${passwordHash}' WHERE id = '${mia.actor.agentId}'`);
    const statuses: number[] = [];
    for (let index = 0; index < 11; index += 1) {
      const body = { current_password: `guess ${index}`, new_password: "another horse" };
      statuses.push((await mia.post("/me/password", body)).status);
    }
    expect(statuses).toEqual([...Array(10).fill(422), 429]);
  });
});
