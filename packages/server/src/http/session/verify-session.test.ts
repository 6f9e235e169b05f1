/** Proving again who one is, before operations that need it (docs/decisions/0069-ways-in.md). */
import { apiKeyScopes, type OperationName, policy, policyOf } from "@frontdesk/core/domain/policy";
import { FRESH_MS } from "@frontdesk/core/domain/ways-in";
import { listen } from "@frontdesk/testing/live-client";
import { refused } from "@frontdesk/testing/rest-answers";
import { asPage, cookieOf, OWN_PAGE, signedIn } from "@frontdesk/testing/signed-in";
import { everySignedInRequest, type SignedInRequest } from "@frontdesk/testing/signed-in-requests";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { hashPassword } from "../../access/password.ts";
import { createAgent } from "../../agents/create-agent.ts";
import { REPLACED_TOKEN_MS } from "../../sessions/session.ts";

const kit = await startTestApp({ TRUST_PROXY: "1" });
const { app, team, clock } = kit;
const origin = await app.start();
const acme = await team();
const PASSWORD = "correct horse battery";
const passwordHash = await hashPassword(PASSWORD);
const AGAIN = { ...refused("Please confirm that it is you, then try again."), reason: "verify-again" };
const WRONG = [{ reason: "wrong-password" }];
const MINUTE_MS = 60_000;

const freshNames = (Object.keys(policy) as OperationName[]).filter((name) => policyOf(name).fresh);
const noOp = (name: OperationName) => ({ name, mode: "read", run: async () => "done" }) as const;

const key = { kind: "api-key", teamId: acme.teamId, keyId: "k", agentId: acme.ada.id, scopes: apiKeyScopes } as const;

let olgas = 0;
/** Olga, an owner who has just signed in with her password. */
async function olga() {
  olgas += 1;
  const email = `olga-${olgas}@acme.test`;
  const who = { name: "Olga", email, role: "CHAT_AGENT_OWNER", passwordHash } as const;
  await app.perform(acme.actor, createAgent, who);
  // From an address of her own: tries to sign in are counted by address.
  const headers = { "x-forwarded-for": `203.0.113.${olgas}` };
  const cookie =
    cookieOf(await asPage(kit, "POST", "/sign-in", { body: { email, password: PASSWORD }, headers })) ?? "";
  clock.advance(MINUTE_MS);
  return { email, cookie };
}

const request = (cookie: string, { method, path, body }: Omit<SignedInRequest, "performs">) =>
  asPage(kit, method, path, { body, headers: { cookie } });
const verify = (cookie: string, password = PASSWORD) =>
  request(cookie, { method: "POST", path: "/session/verify", body: { password } });
const newWebhook = {
  method: "POST",
  path: "/v1/webhooks",
  body: { endpoint_url: "https://shop.test/x", events: ["message.received"] },
};

test("what gives power, reveals a secret or deletes for good is fresh, and what takes power away is not", () => {
  expect(freshNames).toEqual(
    expect.arrayContaining(["change-password", "create-api-key", "set-agent-role", "erase-contact", "export-contact"]),
  );
  for (const name of ["revoke-api-key", "end-session", "end-other-sessions", "delete-webhook"] as const) {
    expect(freshNames).not.toContain(name);
  }
});

test.each(freshNames)(
  "%s is for agents who proved who they are in the last 15 minutes, and for programs as before",
  async (name) => {
    const { actor } = await signedIn(kit, acme, "CHAT_AGENT_OWNER");
    const at = (age: number) => app.perform({ ...actor, verifiedAt: clock.now() - age }, noOp(name), {});
    expect(await at(FRESH_MS)).toBe("done");
    await expect(at(FRESH_MS + 1)).rejects.toMatchObject({ reason: { name: "verify-again" } });
    if (policyOf(name).apiKey) {
      expect(await app.perform(key, noOp(name), {})).toBe("done");
    }
  },
);

test("other operations need no new proof", async () => {
  const { actor } = await signedIn(kit, acme, "CHAT_AGENT_OWNER");
  const stale = { ...actor, verifiedAt: 0 };
  for (const name of (Object.keys(policy) as OperationName[]).filter(
    (each) => policyOf(each).agent && !policyOf(each).fresh,
  )) {
    expect(await app.perform(stale, noOp(name), {}), name).toBe("done");
  }
});

const freshRequests = everySignedInRequest().filter(({ performs }) => policyOf(performs).fresh);

test("every fresh operation is behind a request", () => {
  const asked = new Set(freshRequests.map(({ performs }) => performs));
  expect(freshNames.filter((name) => !asked.has(name))).toEqual([]);
});

test.each(freshRequests.map((each) => [`${each.method} ${each.path}`, each] as const))(
  "%s is refused at 16 minutes, and goes on after the proof",
  async (_title, asked) => {
    const { cookie } = await olga();
    clock.advance(15 * MINUTE_MS);
    expect(await request(cookie, asked)).toMatchObject({ status: 403, body: AGAIN });
    const verified = await verify(cookie);
    expect(verified.status).toBe(200);
    const after = await request(cookieOf(verified) ?? "", asked);
    expect(after.body.reason).not.toBe("verify-again");
    expect(after.status).not.toBe(401);
  },
);

test("a repeat with the same idempotency key after the proof is a first request", async () => {
  const { cookie } = await olga();
  clock.advance(15 * MINUTE_MS);
  const again = (with_: string) =>
    asPage(kit, "POST", newWebhook.path, {
      body: newWebhook.body,
      headers: { cookie: with_, "idempotency-key": `verify-${olgas}-000000000000` },
    });
  expect((await again(cookie)).status).toBe(403);
  expect((await again(cookieOf(await verify(cookie)) ?? "")).status).toBe(201);
});

test("a proof gives a new token; the one before works for a minute more, and for nothing that is fresh", async () => {
  const { cookie } = await olga();
  clock.advance(15 * MINUTE_MS);
  const next = cookieOf(await verify(cookie)) ?? "";
  expect(next).toMatch(/^frontdesk=fd_session_/);
  expect(next).not.toBe(cookie);
  const me = { method: "GET", path: "/me" };
  expect((await request(cookie, me)).status).toBe(200);
  expect(await request(cookie, newWebhook)).toMatchObject({ status: 403, body: AGAIN });
  clock.advance(REPLACED_TOKEN_MS);
  expect((await request(cookie, me)).status).toBe(401);
  expect((await request(next, me)).status).toBe(200);
  expect((await request(next, newWebhook)).status).toBe(201);
});

test("a live stream stays open when the token of its session is replaced, and ends with the session", async () => {
  const { cookie } = await olga();
  const socket = await listen(origin, {}, { cookie, ...OWN_PAGE });
  await socket.heard("ready");
  const next = cookieOf(await verify(cookie)) ?? "";
  clock.advance(2 * REPLACED_TOKEN_MS);
  await veraWrites(acme);
  await expect.poll(() => socket.events().map(({ name }) => name)).toContain("message.received");
  expect(socket.closed()).toBeUndefined();
  await request(next, { method: "POST", path: "/sign-out" });
  await expect.poll(socket.closed).toMatchObject({ code: 4001 });
});

test("a wrong password proves nothing, is in the audit log, and only ten tries pass in 15 minutes", async () => {
  const { cookie, email } = await olga();
  for (let tries = 0; tries < 10; tries += 1) {
    const answer = await verify(cookie, "wrong horse");
    expect(answer).toMatchObject({ status: 422, body: { reasons: { password: WRONG } } });
    expect(cookieOf(answer)).toBeUndefined();
  }
  expect((await verify(cookie)).status).toBe(429);
  const log = await request(cookie, { method: "GET", path: "/audit-log?action=note-failed-sign-in" });
  expect(log.body.entries[0]).toMatchObject({ actor: { kind: "system" }, what: { agent: { email } } });
});
