/** Authenticator apps, recovery codes, the second step and trusted browsers (docs/decisions/0069-ways-in.md). */

import { Me, SecondStep } from "@frontdesk/core/contract/session";
import { OwnFactors } from "@frontdesk/core/contract/session-factors";
import { TRUST_LIFE_MS } from "@frontdesk/core/domain/factors";
import { problemsOf } from "@frontdesk/testing/ajv";
import { query } from "@frontdesk/testing/second-app";
import {
  addApp,
  type Browser,
  newBrowser,
  PASSWORD,
  type PersonWithApp,
  withApp,
  withPassword,
} from "@frontdesk/testing/second-factor";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { mailsTo, subjectsTo } from "@frontdesk/testing/waiting-mails";
import { describe, expect, test } from "vitest";
import { newToken } from "../../access/token.ts";
import { TOTP_STEP_MS } from "../../access/totp.ts";
import { inviteAgents } from "../../agents/invite-agents.ts";
import { MOST_WRONG_CODES, WRONG_CODES_WINDOW_MS } from "../../factors/check-code.ts";
import { SECOND_STEP_LIFE_MS } from "../../sessions/open-session.ts";
import { requestPasswordReset } from "../../sessions/request-password-reset.ts";

// No mail server is at this address, and no job runs: mails are read from the job table.
const kit = await startTestApp({ SMTP_URL: "smtp://127.0.0.1:1", TRUST_PROXY: "1" });
const { app, storage, runtime, team, clock } = kit;

const signIn = (browser: Browser, { email }: { email: string }, password = PASSWORD) =>
  browser.post("/sign-in", { email, password });
const finish = (browser: Browser, body: object) => browser.post("/sign-in/second-step", body);
/** A new browser that has shown the password. */
async function afterPassword(who: { email: string }): Promise<Browser> {
  const browser = newBrowser(kit);
  expect((await signIn(browser, who)).body).toHaveProperty("second_step");
  return browser;
}
const isSignedIn = async (browser: Browser) => (await browser.get("/me")).status === 200;
const nextStep = () => clock.advance(TOTP_STEP_MS);

describe("an authenticator app", () => {
  test("is added with a code, and asked for at the next sign-in", async () => {
    const acme = await team();
    const grace = await withApp(kit, acme);
    expect(grace.recoveryCodes).toHaveLength(10);
    nextStep();
    const browser = newBrowser(kit);
    const first = await signIn(browser, grace);
    expect(problemsOf(SecondStep, first.body)).toEqual([]);
    expect(first.body.second_step).toEqual({ app: true, passkey: false, recovery_codes: true, may_trust: true });
    expect(await isSignedIn(browser)).toBe(false);
    const done = await finish(browser, { code: grace.code() });
    expect(done.status).toBe(200);
    expect(problemsOf(Me, done.body)).toEqual([]);
    expect(await isSignedIn(browser)).toBe(true);
    expect(browser.cookies.has("frontdesk-second-step")).toBe(false);
  });

  test("counts for nothing before it has shown a code, and begins anew as often as one likes", async () => {
    const grace = await withPassword(kit, await team());
    const [one, two] = [await grace.browser.post("/me/factors/app"), await grace.browser.post("/me/factors/app")];
    expect(one.body.secret).not.toBe(two.body.secret);
    const wrong = await grace.browser.post("/me/factors/app/confirm", { code: "000000" });
    expect(wrong).toMatchObject({ status: 422, body: { reasons: { code: [{ reason: "wrong-code" }] } } });
    expect((await grace.browser.get("/me/factors")).body).toMatchObject({ app: null, recovery_codes: 0 });
    expect((await signIn(newBrowser(kit), grace)).body).toHaveProperty("agent");
  });

  test("there is one an agent, and one that is removed takes the recovery codes along", async () => {
    const grace = await withApp(kit, await team());
    expect((await grace.browser.post("/me/factors/app")).status).toBe(409);
    expect((await grace.browser.post("/me/factors/app/confirm", { code: grace.code(1) })).status).toBe(409);
    const own = (await grace.browser.get("/me/factors")).body;
    expect(problemsOf(OwnFactors, own)).toEqual([]);
    expect((await grace.browser.delete(`/me/factors/${own.app.id}`)).status).toBe(200);
    expect((await grace.browser.delete(`/me/factors/${own.app.id}`)).status).toBe(404);
    expect((await grace.browser.get("/me/factors")).body).toMatchObject({ app: null, recovery_codes: 0 });
    expect((await signIn(newBrowser(kit), grace)).body).toHaveProperty("agent");
  });

  test("a code counts once: not again in its step, and of six at once one passes", async () => {
    const grace = await withApp(kit, await team());
    // The step of the enrolment has counted.
    expect((await finish(await afterPassword(grace), { code: grace.code() })).status).toBe(422);
    clock.advance(WRONG_CODES_WINDOW_MS);
    const browsers = await Promise.all(Array.from({ length: 6 }, () => afterPassword(grace)));
    const code = grace.code();
    const answers = await Promise.all(browsers.map((browser) => finish(browser, { code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await finish(await afterPassword(grace), { code })).status).not.toBe(200);
  });

  test.each([-1, 0, 1])("a code %i steps away counts", async (steps) => {
    const grace = await withApp(kit, await team());
    clock.advance(5 * TOTP_STEP_MS);
    expect((await finish(await afterPassword(grace), { code: grace.code(steps) })).status).toBe(200);
  });

  test.each([-2, 2])("a code %i steps away does not", async (steps) => {
    const grace = await withApp(kit, await team());
    clock.advance(5 * TOTP_STEP_MS);
    expect((await finish(await afterPassword(grace), { code: grace.code(steps) })).status).toBe(422);
  });

  test("its secret and the codes are nowhere in the database", async () => {
    const acme = await team();
    const grace = await withPassword(kit, acme);
    const { secret } = (await grace.browser.post("/me/factors/app")).body;
    const rows = await query(storage, `SELECT secret_sealed FROM authenticator_apps WHERE team_id = '${acme.teamId}'`);
    expect(JSON.stringify(rows)).not.toContain(secret);
    const other = await withApp(kit, acme);
    const codes = await query(storage, `SELECT * FROM recovery_codes WHERE team_id = '${acme.teamId}'`);
    expect(codes).toHaveLength(10);
    for (const code of other.recoveryCodes) {
      expect(JSON.stringify(codes)).not.toContain(code.replaceAll("-", ""));
      expect(JSON.stringify(codes)).not.toContain(code);
    }
  });
});

describe("recovery codes", () => {
  test("each signs in once, and eight at once are one", async () => {
    const grace = await withApp(kit, await team());
    const [code, other] = grace.recoveryCodes;
    const browsers = await Promise.all(Array.from({ length: 4 }, () => afterPassword(grace)));
    const answers = await Promise.all(browsers.map((browser) => finish(browser, { recovery_code: code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await finish(await afterPassword(grace), { recovery_code: other?.toLowerCase() })).status).toBe(200);
    expect((await grace.browser.get("/me/factors")).body.recovery_codes).toBe(8);
  });

  test("new ones end those before; without a factor there are none", async () => {
    const grace = await withApp(kit, await team());
    const { recovery_codes } = (await grace.browser.post("/me/factors/recovery-codes")).body;
    expect(recovery_codes).toHaveLength(10);
    const [before] = grace.recoveryCodes;
    expect((await finish(await afterPassword(grace), { recovery_code: before })).status).toBe(422);
    expect((await finish(await afterPassword(grace), { recovery_code: recovery_codes[0] })).status).toBe(200);
    const lin = await withPassword(kit, await team());
    expect((await lin.browser.post("/me/factors/recovery-codes")).status).toBe(409);
  });
});

describe("wrong codes", () => {
  test("five in 15 minutes stop all further ones, right ones too, until the time is over", async () => {
    const grace = await withApp(kit, await team());
    nextStep();
    const browser = await afterPassword(grace);
    for (let tries = 0; tries < MOST_WRONG_CODES; tries += 1) {
      expect((await finish(browser, tries % 2 ? { code: "000000" } : { recovery_code: "x" })).status).toBe(422);
    }
    const stopped = await finish(browser, { code: grace.code() });
    expect(stopped.status).toBe(429);
    expect(Number(stopped.headers["retry-after"])).toBeGreaterThan(0);
    expect((await finish(await afterPassword(grace), { recovery_code: grace.recoveryCodes[0] })).status).toBe(429);
    clock.advance(WRONG_CODES_WINDOW_MS);
    expect((await finish(await afterPassword(grace), { code: grace.code() })).status).toBe(200);
  });

  test("count only after the right password: without it, an agent cannot be locked out", async () => {
    const grace = await withApp(kit, await team());
    nextStep();
    const stranger = newBrowser(kit);
    for (let tries = 0; tries < 2 * MOST_WRONG_CODES; tries += 1) {
      expect((await finish(newBrowser(kit), { code: "000000" })).status).toBe(401);
    }
    expect((await signIn(stranger, grace, "wrong horse")).status).toBe(401);
    stranger.cookies.set("frontdesk-second-step", newToken("second", (await team()).teamId, runtime.random));
    expect((await finish(stranger, { code: "000000" })).status).toBe(401);
    expect((await finish(await afterPassword(grace), { code: grace.code() })).status).toBe(200);
  });

  test("are in the audit log; a step that was passed is there as well", async () => {
    const acme = await team();
    const grace = await withApp(kit, acme);
    nextStep();
    const browser = await afterPassword(grace);
    await finish(browser, { code: "000000" });
    await finish(browser, { code: grace.code() });
    const abe = await signedIn(kit, acme, "CHAT_AGENT_ADMIN");
    const { entries } = (await abe.get("/audit-log?action=finish-second-step")).body;
    expect(entries).toMatchObject([
      { actor: { kind: "agent", id: grace.id } },
      { actor: { kind: "system" }, what: { agent: { id: grace.id }, outcome: "wrong" } },
    ]);
  });
});

describe("the second step", () => {
  test("is over after five minutes, after its use, and when the password changes", async () => {
    const grace = await withApp(kit, await team());
    nextStep();
    const late = await afterPassword(grace);
    clock.advance(SECOND_STEP_LIFE_MS);
    expect(await finish(late, { code: grace.code() })).toMatchObject({
      status: 401,
      body: { reason: "second-step-over" },
    });
    const used = await afterPassword(grace);
    const token = used.cookies.get("frontdesk-second-step") ?? "";
    expect((await finish(used, { code: grace.code() })).status).toBe(200);
    used.cookies.set("frontdesk-second-step", token);
    nextStep();
    expect((await finish(used, { code: grace.code() })).status).toBe(401);
    const waiting = await afterPassword(grace);
    const change = { current_password: PASSWORD, new_password: "another horse battery" };
    clock.advance(0);
    expect((await grace.browser.post("/me/password", change)).status).toBe(200);
    expect((await finish(waiting, { code: grace.code() })).status).toBe(401);
  });

  test("takes exactly one code", async () => {
    const grace = await withApp(kit, await team());
    const browser = await afterPassword(grace);
    for (const body of [{}, { code: "123456", recovery_code: "x" }])
      expect((await finish(browser, body)).status).toBe(422);
  });

  test.each(["trusted elsewhere", "reset", "terminal reset", "joined before"])("is not skipped: %s", async (way) => {
    const acme = await team();
    const grace = await withApp(kit, acme, "CHAT_AGENT_MEMBER");
    nextStep();
    const browser = newBrowser(kit);
    if (way === "trusted elsewhere") {
      const lin = await trusting(acme);
      for (const [name, value] of lin.browser.cookies) browser.cookies.set(name, value);
      expect((await signIn(browser, grace)).body).toHaveProperty("second_step");
      return;
    }
    if (way === "joined before") {
      // A link of an invitation is no way in for an agent who has joined.
      const asked = { invitees: [{ email: grace.email }], joinUrl: (token: string) => token, mail: false };
      await expect(app.perform(acme.actor, inviteAgents, asked as never)).rejects.toThrow();
      return;
    }
    const asked = { agentId: grace.id, resetUrl: (token: string) => token, mail: way === "reset" };
    const { link: token } = await app.perform(acme.actor, requestPasswordReset, asked);
    const password = "another horse battery";
    const reset = await browser.post("/password-reset/confirm", { token, password });
    expect(reset.status).toBe(200);
    expect(await isSignedIn(browser)).toBe(false);
    expect((await signIn(browser, grace, password)).body).toHaveProperty("second_step");
    expect(await isSignedIn(browser)).toBe(false);
  });
});

/** An agent with an app and a browser that they trust. */
async function trusting(acme: Awaited<ReturnType<typeof team>>): Promise<PersonWithApp & { trusted: Browser }> {
  const who = await withApp(kit, acme);
  nextStep();
  const trusted = await afterPassword(who);
  expect((await finish(trusted, { code: who.code(), trust_browser: true })).status).toBe(200);
  await trusted.post("/sign-out");
  nextStep();
  return { ...who, trusted };
}

describe("a trusted browser", () => {
  test("is spared the second step for 30 days, and nothing else", async () => {
    const grace = await trusting(await team());
    expect((await signIn(grace.trusted, grace, "wrong horse")).status).toBe(401);
    expect((await signIn(grace.trusted, grace)).body).toHaveProperty("agent");
    const { trusted_browsers } = (await grace.browser.get("/me/factors")).body;
    expect(trusted_browsers).toHaveLength(1);
    clock.advance(TRUST_LIFE_MS);
    expect((await signIn(grace.trusted, grace)).body).toHaveProperty("second_step");
  });

  test("can be ended, from anywhere", async () => {
    const grace = await trusting(await team());
    const [{ id }] = (await grace.browser.get("/me/factors")).body.trusted_browsers;
    expect((await grace.browser.delete(`/me/trusted-browsers/${id}`)).status).toBe(200);
    expect((await grace.browser.delete(`/me/trusted-browsers/${id}`)).status).toBe(404);
    expect((await signIn(grace.trusted, grace)).body).toHaveProperty("second_step");
  });

  test.each(["password", "reset", "app removed", "factors reset", "signed out by an admin", "forbidden"])(
    "ends: %s",
    async (change) => {
      const acme = await team();
      const grace = await trusting(acme);
      const olga = await signedIn(kit, acme, "CHAT_AGENT_OWNER");
      let password = PASSWORD;
      const { browser } = grace;
      const own = (await browser.get("/me/factors")).body;
      switch (change) {
        case "password":
          password = "another horse battery";
          expect(
            (await browser.post("/me/password", { current_password: PASSWORD, new_password: password })).status,
          ).toBe(200);
          break;
        case "reset": {
          password = "another horse battery";
          const asked = { agentId: grace.id, resetUrl: (token: string) => token, mail: false };
          const { link: token } = await app.perform(acme.actor, requestPasswordReset, asked);
          expect((await newBrowser(kit).post("/password-reset/confirm", { token, password })).status).toBe(200);
          break;
        }
        case "signed out by an admin":
          expect((await olga.delete(`/agents/${grace.id}/sessions`)).status).toBe(200);
          break;
        case "forbidden":
          expect((await olga.patch("/team/sign-in-rules", { trusts_browsers: false })).status).toBe(200);
          break;
        default: {
          if (change === "app removed") expect((await browser.delete(`/me/factors/${own.app.id}`)).status).toBe(200);
          else expect((await olga.delete(`/agents/${grace.id}/factors`)).body).toEqual({ removed: true });
          // With another app the browser has to show a code again.
          await addApp(kit, browser);
        }
      }
      expect((await signIn(grace.trusted, grace, password)).body).toHaveProperty("second_step");
    },
  );
});

describe("proving again with a code of the app", () => {
  test("makes the session fresh, once for each code; wrong ones count with those of the second step", async () => {
    const grace = await withApp(kit, await team());
    clock.advance(16 * 60_000);
    expect((await grace.browser.post("/me/factors/recovery-codes")).body.reason).toBe("verify-again");
    const code = grace.code();
    expect((await grace.browser.post("/session/verify", { code })).status).toBe(200);
    expect((await grace.browser.post("/me/factors/recovery-codes")).status).toBe(200);
    expect((await grace.browser.post("/session/verify", { code })).status).toBe(422);
    for (let tries = 1; tries < MOST_WRONG_CODES; tries += 1) {
      expect((await grace.browser.post("/session/verify", { code: "000000" })).status).toBe(422);
    }
    nextStep();
    expect((await grace.browser.post("/session/verify", { code: grace.code() })).status).toBe(429);
    expect((await finish(await afterPassword(grace), { code: grace.code() })).status).toBe(429);
  });
});

test("every change is mailed to the agent, and no mail has a secret or a link", async () => {
  const acme = await team();
  const grace = await withApp(kit, acme);
  nextStep();
  const abe = await signedIn(kit, acme, "CHAT_AGENT_ADMIN");
  const browser = await afterPassword(grace);
  await finish(browser, { recovery_code: grace.recoveryCodes[0] });
  const renewed = (await browser.post("/me/factors/recovery-codes")).body.recovery_codes;
  await browser.post("/me/password", { current_password: PASSWORD, new_password: "another horse battery" });
  const { app: own } = (await browser.get("/me/factors")).body;
  await browser.delete(`/me/factors/${own.id}`);
  const { secret, code } = await addApp(kit, browser);
  await abe.delete(`/agents/${grace.id}/factors`);
  expect(await subjectsTo(kit, acme.teamId, grace.email)).toEqual(
    [
      // Grace's own browser, and the one that was new.
      "New sign-in to your account",
      "New sign-in to your account",
      "Authenticator app added",
      "Recovery code used",
      "New recovery codes",
      "Password changed",
      "Authenticator app removed",
      "Authenticator app added",
      "Two-factor sign-in reset",
    ].toSorted(),
  );
  const texts = (await mailsTo(kit, acme.teamId, grace.email)).map(({ text }) => text).join("\n");
  for (const secretText of [secret, code(), ...grace.recoveryCodes, ...renewed, "horse", "fd_", "http", "#"]) {
    expect(texts).not.toContain(secretText);
  }
  expect(texts).toMatch(/Browser: Firefox, Linux\nIP address: 198\./);
  expect(texts).toContain("9 are left.");
});

test("a browser is new once", async () => {
  const acme = await team();
  const grace = await withPassword(kit, acme);
  const before = (await mailsTo(kit, acme.teamId, grace.email)).length;
  await grace.browser.post("/sign-out");
  await signIn(grace.browser, grace);
  expect((await mailsTo(kit, acme.teamId, grace.email)).length).toBe(before);
  await signIn(newBrowser(kit), grace);
  expect((await mailsTo(kit, acme.teamId, grace.email)).length).toBe(before + 1);
});
