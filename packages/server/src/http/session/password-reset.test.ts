/**
 * Forgotten passwords, and what the operator can do for an agent who is locked out (docs/decisions/0025-signed-in-agents.md).
 */
import { randomUUID } from "node:crypto";
import { sessionOperations } from "@frontdesk/core/contract/session";
import { problemsOf } from "@frontdesk/testing/ajv";
import { invalid, refused } from "@frontdesk/testing/rest-answers";
import { query } from "@frontdesk/testing/second-app";
import { asPage, type SignedIn, signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { describe, expect, test } from "vitest";
import { hashPassword } from "../../access/password.ts";
import { newToken } from "../../access/token.ts";
import { createAgent } from "../../agents/create-agent.ts";
import { deactivateAgent } from "../../agents/deactivate-agent.ts";
import { payloadPlace } from "../../jobs/job-store.ts";
import {
  MAILED_LINK_LIFE_MS,
  PASSWORD_LINK_LIFE_MS,
  requestPasswordReset,
} from "../../sessions/request-password-reset.ts";

// No mail server is at this address, and no job runs: mails are read from the job table.
const kit = await startTestApp({ SMTP_URL: "smtp://127.0.0.1:1", TRUST_PROXY: "1" });
const { app, storage, team, clock, runtime } = kit;
const OVER = refused("This link is no longer valid. Please request a new one.");

async function grace(acme: TestTeam) {
  const email = `grace-${randomUUID().slice(0, 8)}@acme.test`;
  const passwordHash = await hashPassword("correct horse");
  const role = "CHAT_AGENT_MEMBER";
  const { id } = await app.perform(acme.actor, createAgent, { name: "Grace", email, role, passwordHash });
  return { id, email };
}

let places = 0;
function somewhere() {
  places += 1;
  return { "x-forwarded-for": `203.0.113.${places}` };
}

const ask = (email: string, headers = somewhere()) =>
  asPage(kit, "POST", "/password-reset", { body: { email }, headers });
const confirm = (token: string, password = "another horse") =>
  asPage(kit, "POST", "/password-reset/confirm", { body: { token, password } });
const signIn = (email: string, password: string) =>
  asPage(kit, "POST", "/sign-in", { body: { email, password }, headers: somewhere() });

/** The mails that wait for a team. */
async function mails(teamId: string): Promise<{ to: string; text: string }[]> {
  const rows = await query(
    storage,
    `SELECT id, payload_sealed FROM jobs WHERE team_id = '${teamId}' AND kind = 'send-mail'`,
  );
  return rows
    .map(({ id, payload_sealed }) =>
      JSON.parse(runtime.vault.open(String(payload_sealed), payloadPlace({ team_id: teamId, id: String(id) }))),
    )
    .filter(({ text }) => text.includes("reset-password"));
}

const tokenOf = (link: string | undefined) => link?.split("#")[1] ?? "";
const linkFor = async (acme: TestTeam, agentId: string, mail = false) => {
  const asked = { agentId, resetUrl: (token: string) => `#${token}`, mail };
  return tokenOf((await app.perform(acme.actor, requestPasswordReset, asked)).link);
};

describe("a forgotten password", () => {
  test("brings a mail with a link that works once, and ends every session", async () => {
    const acme = await team();
    const { id, email } = await grace(acme);
    const before = await signIn(email, "correct horse");
    const cookie = String(before.headers["set-cookie"]).split(";")[0] ?? "";
    expect((await ask(` ${email.toUpperCase()}`)).status).toBe(200);
    await expect.poll(async () => (await mails(acme.teamId)).length).toBe(1);
    const [mail] = await mails(acme.teamId);
    expect(mail?.to).toBe(email);
    const token = tokenOf(/https:\/\/chat\.test\/app\/reset-password#fd_reset_\w+/.exec(mail?.text ?? "")?.[0]);

    expect(await confirm(token, "short")).toMatchObject({ status: 422, body: invalid("password") });
    expect(await confirm(token)).toMatchObject({ status: 200, body: { email } });
    expect(await confirm(token)).toMatchObject({ status: 404, body: OVER });
    expect((await asPage(kit, "GET", "/me", { headers: { cookie } })).status).toBe(401);
    expect([(await signIn(email, "correct horse")).status, (await signIn(email, "another horse")).status]).toEqual([
      401, 200,
    ]);
    const kept = JSON.stringify(await query(storage, "SELECT * FROM password_resets"));
    expect(kept).not.toContain(id);
  });

  test("is answered the same for an e-mail that no agent has, and then nothing is stored", async () => {
    const acme = await team();
    const { email } = await grace(acme);
    const waiting = () => query(storage, "SELECT * FROM jobs WHERE kind = 'send-mail'");
    const before = (await waiting()).length;
    const [known, unknown] = [await ask(email), await ask("nobody@acme.test")];
    expect({ ...unknown, headers: {} }).toEqual({ ...known, headers: {} });
    expect(Object.keys(unknown.headers).toSorted()).toEqual(Object.keys(known.headers).toSorted());
    await expect.poll(async () => (await mails(acme.teamId)).length).toBe(1);
    expect(await waiting()).toHaveLength(before + 1);
  });

  test("brings three mails an hour to one e-mail, and no more", async () => {
    const acme = await team();
    const { email } = await grace(acme);
    const statuses = [];
    for (let index = 0; index < 4; index += 1) statuses.push((await ask(email)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    await expect.poll(async () => (await mails(acme.teamId)).length).toBe(3);
  });

  test.each([
    ["an hour when it is mailed", true, MAILED_LINK_LIFE_MS],
    ["a day when it is handed over", false, PASSWORD_LINK_LIFE_MS],
  ])("has a link that is over after %s, and when a later one is created", async (_, mail, life) => {
    const acme = await team();
    const { id } = await grace(acme);
    const [first, second] = [await linkFor(acme, id, mail), await linkFor(acme, id, mail)];
    expect((await confirm(first)).status).toBe(404);
    clock.advance(life);
    expect(await confirm(second)).toMatchObject({ status: 404, body: OVER });
    const third = await linkFor(acme, id, mail);
    clock.advance(life - 1);
    expect((await confirm(third)).status).toBe(200);
  });

  test("cannot be made up, and a link of a deactivated agent works no more", async () => {
    const acme = await team();
    const { id } = await grace(acme);
    const token = await linkFor(acme, id);
    await app.perform(acme.actor, deactivateAgent, { agentId: id });
    const invented = newToken("reset", acme.teamId, runtime.random);
    const foreign = newToken("reset", runtime.newId(), runtime.random);
    for (const wrong of [token, invented, foreign, acme.apiKey, "x"]) {
      expect(await confirm(wrong)).toMatchObject({ status: 404, body: OVER });
    }
  });

  test("is over when the password is changed with the current one", async () => {
    const acme = await team();
    const { id, email } = await grace(acme);
    const token = await linkFor(acme, id);
    const cookie = String((await signIn(email, "correct horse")).headers["set-cookie"]).split(";")[0] ?? "";
    const body = { current_password: "correct horse", new_password: "third horse" };
    expect((await asPage(kit, "POST", "/me/password", { body, headers: { cookie } })).status).toBe(200);
    expect((await confirm(token)).status).toBe(404);
  });
});

describe("a link that an admin creates", () => {
  const ask = (by: SignedIn, agentId: string) => by.post(`/agents/${agentId}/password-reset`);

  test("ends nothing until it is used, then every session, and both are in the audit log", async () => {
    const acme = await team();
    const [abe, mia] = [await signedIn(kit, acme, "CHAT_AGENT_ADMIN"), await signedIn(kit, acme)];
    const created = await ask(abe, mia.actor.agentId);
    expect(problemsOf(sessionOperations.createPasswordReset.responses[200].body, created.body)).toEqual([]);
    expect(created.body.expires_at).toBe(new Date(clock.now() + PASSWORD_LINK_LIFE_MS).toISOString());
    expect(created.body.link).toMatch(/^https:\/\/chat\.test\/app\/reset-password#fd_reset_\w+$/);
    expect(await mails(acme.teamId)).toEqual([]);
    expect((await mia.get("/me")).status).toBe(200);
    expect(await confirm(tokenOf(created.body.link))).toMatchObject({ status: 200, body: { email: mia.email } });
    expect((await mia.get("/me")).status).toBe(401);
    expect((await signIn(mia.email, "another horse")).status).toBe(200);
    const { body } = await abe.get("/audit-log?action=request-password-reset");
    expect(body.entries).toMatchObject([
      { actor: { kind: "agent", id: abe.actor.agentId }, what: { agent: { id: mia.actor.agentId } } },
    ]);
    expect(JSON.stringify(body)).not.toContain(tokenOf(created.body.link));
  });

  test("is never for an agent above their own role, for themselves, or for one who cannot sign in", async () => {
    const acme = await team();
    const [olga, abe, mia] = [
      await signedIn(kit, acme, "CHAT_AGENT_OWNER"),
      await signedIn(kit, acme, "CHAT_AGENT_ADMIN"),
      await signedIn(kit, acme),
    ];
    const notYours = { status: 403, body: refused("Your role does not allow this.") };
    expect(await ask(abe, olga.actor.agentId)).toMatchObject(notYours);
    expect(await ask(mia, mia.actor.agentId)).toMatchObject(notYours);
    expect(await ask(abe, abe.actor.agentId)).toMatchObject({ status: 422, body: invalid("agent") });
    expect((await ask(olga, abe.actor.agentId)).status).toBe(200);
    const lin = (await abe.post("/agents", { agents: ["lin@acme.test"] })).body.invitations[0].agent;
    expect(await ask(abe, lin.id)).toMatchObject({ status: 422, body: invalid("agent") });
    await app.perform(acme.actor, deactivateAgent, { agentId: mia.actor.agentId });
    expect(await ask(abe, mia.actor.agentId)).toMatchObject({ status: 422, body: invalid("agent") });
    const sam = await signedIn(kit, await team(), "CHAT_AGENT_OWNER");
    expect((await ask(sam, mia.actor.agentId)).status).toBe(403);
  });

  test("works no longer once the agent has another role: it may be above that of its holder", async () => {
    const acme = await team();
    const [olga, abe, mia] = [
      await signedIn(kit, acme, "CHAT_AGENT_OWNER"),
      await signedIn(kit, acme, "CHAT_AGENT_ADMIN"),
      await signedIn(kit, acme),
    ];
    const { link } = (await ask(abe, mia.actor.agentId)).body;
    expect((await olga.patch(`/agents/${mia.actor.agentId}`, { role: "CHAT_AGENT_OWNER" })).status).toBe(200);
    expect(await confirm(tokenOf(link))).toMatchObject({ status: 404, body: OVER });
  });
});

test("of two who use one link at the same moment, one passes", async () => {
  const acme = await team();
  const { id } = await grace(acme);
  const token = await linkFor(acme, id);
  const answers = await Promise.all(["one horse here", "two horses here"].map((password) => confirm(token, password)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
});

test("an invitation is shown and accepted without a page, once, and signs the person in", async () => {
  const acme = await team();
  const email = `lin-${randomUUID().slice(0, 8)}@acme.test`;
  const invited = await acme.post("/agents/invite", { agents: [{ email, name: "Lin" }] });
  const token = /\/join\/(\w+)/.exec(invited.body.message)?.[1] ?? "";
  const at = (method: string, body?: object) => asPage(kit, method, `/join/${token}`, { body });
  expect(await at("GET")).toMatchObject({ status: 200, body: { email, name: "Lin", team_name: "Acme" } });
  expect(await at("POST", { name: " ", password: "correct horse" })).toMatchObject({
    status: 422,
    body: invalid("name"),
  });
  expect(await at("POST", { name: "Lin", password: "short" })).toMatchObject({
    status: 422,
    body: invalid("password"),
  });
  const joined = await at("POST", { name: " Lin T. ", password: "correct horse" });
  expect(joined).toMatchObject({ status: 200, body: { agent: { email, name: "Lin T.", status: "active" } } });
  const cookie = String(joined.headers["set-cookie"]).split(";")[0] ?? "";
  expect((await asPage(kit, "GET", "/me", { headers: { cookie } })).body.agent.email).toBe(email);
  expect((await at("GET")).status).toBe(404);
  expect((await at("POST", { name: "Eve", password: "correct horse" })).status).toBe(404);
});

test("without a mail server the answer says how else to get a password, and no link is created", async () => {
  const silent = await startTestApp();
  const acme = await silent.team();
  const mia = await signedIn(silent, acme);
  const asked = (email: string) => asPage(silent, "POST", "/password-reset", { body: { email } });
  const [known, unknown] = [await asked(mia.email), await asked("nobody@acme.test")];
  expect(known.body.message).toContain("frontdesk agent password");
  expect(unknown.body).toEqual(known.body);
  expect(await query(silent.storage, "SELECT * FROM password_resets")).toEqual([]);
});

test("a server tells before sign-in, and the dashboard, whether it sends mail", async () => {
  const silent = await startTestApp();
  for (const [site, sends_mail] of [
    [kit, true],
    [silent, false],
  ] as const) {
    expect((await asPage(site, "GET", "/sign-in")).body).toMatchObject({ sends_mail });
    const abe = await signedIn(site, await site.team(), "CHAT_AGENT_ADMIN");
    expect((await abe.get("/me")).body.sends_mail).toBe(sends_mail);
    const invited = await abe.post("/agents", { agents: [{ email: "lin@acme.test", name: "Lin" }] });
    expect(problemsOf(sessionOperations.inviteAgents.responses[200].body, invited.body)).toEqual([]);
    const [invitation] = invited.body.invitations;
    expect(invitation).toMatchObject({ agent: { email: "lin@acme.test", status: "invited" }, mailed: sends_mail });
    const renewed = (await abe.post(`/agents/${invitation.agent.id}/invitation`)).body;
    expect(renewed).toMatchObject({ agent: { email: "lin@acme.test" }, mailed: sends_mail });
    expect(renewed.link).not.toBe(invitation.link);
    const again = await abe.post("/agents", { agents: ["lin@acme.test"] });
    expect(again).toMatchObject({ status: 422, body: invalid("agents.0.email") });
  }
});
