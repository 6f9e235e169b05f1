/** Passkeys: adding them, signing in and proving again with them, and what is refused (docs/decisions/0069-ways-in.md). */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { Me } from "@frontdesk/core/contract/session";
import { OwnFactors } from "@frontdesk/core/contract/session-factors";
import { problemsOf } from "@frontdesk/testing/ajv";
import { type Forgery, type PasskeyDevice, passkeyDevice } from "@frontdesk/testing/passkey-device";
import { query } from "@frontdesk/testing/second-app";
import { newBrowser, PASSWORD, withPassword } from "@frontdesk/testing/second-factor";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { describe, expect, test } from "vitest";
import { CHALLENGE_LIFE_MS } from "../../access/passkey.ts";
import { relyingPartyOf } from "../../access/relying-party.ts";
import { deactivateAgent } from "../../agents/deactivate-agent.ts";

const kit = await startTestApp({ TRUST_PROXY: "1", SMTP_URL: "smtp://127.0.0.1:1" });
const { app, storage, team, clock } = kit;
const ORIGIN = "https://chat.test";

type Browser = ReturnType<typeof newBrowser>;

/** Grace with a passkey on her phone. */
async function withPasskey(acme: TestTeam, role: "CHAT_AGENT_MEMBER" | "CHAT_AGENT_OWNER" = "CHAT_AGENT_MEMBER") {
  const grace = await withPassword(kit, acme, role);
  const device = passkeyDevice(ORIGIN);
  const added = await add(grace.browser, device);
  expect(added.status, JSON.stringify(added.body)).toBe(200);
  return { ...grace, device, recoveryCodes: added.body.recovery_codes as string[] };
}

async function add(browser: Browser, device: PasskeyDevice, forgery?: Forgery, name = "Phone") {
  const { options } = (await browser.post("/me/passkeys/options")).body;
  return browser.post("/me/passkeys", { name, response: device.create(options, forgery) });
}

async function signIn(device: PasskeyDevice, forgery?: Forgery, browser = newBrowser(kit)) {
  const { options } = (await browser.post("/sign-in/passkey/options")).body;
  const answer = await browser.post("/sign-in/passkey", { response: device.sign(options, forgery) });
  return { ...answer, browser, options };
}
const REFUSED = { status: 401, body: { message: "This passkey does not work here.", reason: "passkey-unknown" } };

describe("a passkey", () => {
  test("is added with recovery codes, and signs in without a name, a password or a code", async () => {
    const acme = await team();
    const grace = await withPasskey(acme);
    expect(grace.recoveryCodes).toHaveLength(10);
    const own = (await grace.browser.get("/me/factors")).body;
    expect(problemsOf(OwnFactors, own)).toEqual([]);
    expect(own).toMatchObject({ app: null, passkeys_possible: true, passkeys: [{ name: "Phone", is_synced: false }] });
    const { status, body, browser } = await signIn(grace.device);
    expect(status).toBe(200);
    expect(problemsOf(Me, body)).toEqual([]);
    expect(body.agent.id).toBe(grace.id);
    expect((await browser.get("/me")).status).toBe(200);
    expect((await grace.browser.get("/me/factors")).body.passkeys[0].last_used_at).not.toBeNull();
    // After the password it stands in for the code.
    const other = newBrowser(kit);
    const asked = await other.post("/sign-in", { email: grace.email, password: PASSWORD });
    expect(asked.body.second_step).toMatchObject({ app: false, passkey: true, recovery_codes: true });
    const { way_in } =
      (await query(storage, `SELECT way_in FROM sessions WHERE agent_id = '${grace.id}' AND way_in = 'passkey'`))[0] ??
      {};
    expect(way_in).toBe("passkey");
  });

  test("its user handle names the team and no person: one for all passkeys of an agent, another for each agent", async () => {
    const acme = await team();
    const [grace, lin] = [await withPasskey(acme), await withPasskey(acme)];
    await add(grace.browser, passkeyDevice(ORIGIN), {}, "Laptop");
    const handles = async (id: string) =>
      (await query(storage, `SELECT user_handle FROM passkeys WHERE agent_id = '${id}'`)).map((row) => row.user_handle);
    const ofGrace = await handles(grace.id);
    expect(new Set(ofGrace).size).toBe(1);
    expect(ofGrace).toHaveLength(2);
    expect(await handles(lin.id)).not.toContain(ofGrace[0]);
    const { options } = (await grace.browser.post("/me/passkeys/options")).body;
    expect(options).toMatchObject({
      rp: { id: "chat.test" },
      attestation: "none",
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
    expect(options.excludeCredentials).toHaveLength(2);
    expect(Buffer.from(options.challenge, "base64url")).toHaveLength(32);
  });

  test("can be renamed and removed by its agent alone", async () => {
    const acme = await team();
    const [grace, lin] = [await withPasskey(acme), await withPasskey(acme)];
    const [{ id }] = (await grace.browser.get("/me/factors")).body.passkeys;
    expect((await lin.browser.request("PATCH", `/me/passkeys/${id}`, { name: "Mine" })).status).toBe(404);
    expect((await lin.browser.delete(`/me/factors/${id}`)).status).toBe(404);
    expect((await grace.browser.request("PATCH", `/me/passkeys/${id}`, { name: " " })).status).toBe(422);
    expect((await grace.browser.request("PATCH", `/me/passkeys/${id}`, { name: "Old phone" })).status).toBe(200);
    expect((await grace.browser.get("/me/factors")).body.passkeys[0].name).toBe("Old phone");
    expect((await grace.browser.delete(`/me/factors/${id}`)).status).toBe(200);
    expect(await signIn(grace.device)).toMatchObject(REFUSED);
  });

  test("is added for the agent who began alone", async () => {
    const acme = await team();
    const [grace, lin] = [await withPassword(kit, acme), await withPassword(kit, acme)];
    const { options } = (await grace.browser.post("/me/passkeys/options")).body;
    lin.browser.cookies.set("frontdesk-challenge", grace.browser.cookies.get("frontdesk-challenge") ?? "");
    const response = passkeyDevice(ORIGIN).create(options);
    expect((await lin.browser.post("/me/passkeys", { name: "Phone", response })).status).toBe(409);
    expect((await grace.browser.post("/me/passkeys", { name: "Phone", response })).status).toBe(200);
    // Its challenge was used, and so was its id.
    expect((await grace.browser.post("/me/passkeys", { name: "Phone", response })).status).toBe(409);
  });
});

const foreignKey = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
const forgeries: [string, Forgery][] = [
  ["another site's page", { origin: "https://chat.test.evil.example" }],
  ["http", { origin: "http://chat.test" }],
  ["another host's passkey", { rpId: "evil.example" }],
  ["another challenge", { challenge: randomBytes(32).toString("base64url") }],
  ["a user who was not verified", { userVerified: false }],
  ["another key", { key: foreignKey }],
  ["an unknown credential", { credentialId: randomBytes(16).toString("base64url") }],
  ["what was signed for something else", { type: "webauthn.create" }],
  ["no user", { userHandle: "" }],
  ["an unknown user", { userHandle: randomBytes(32).toString("base64url") }],
];

describe("what is signed wrongly is refused, with one answer", () => {
  test.each(forgeries)("%s", async (_title, forgery) => {
    const grace = await withPasskey(await team());
    expect(await signIn(grace.device, forgery)).toMatchObject(REFUSED);
    expect((await signIn(grace.device)).status).toBe(200);
  });

  test("the user of another agent", async () => {
    const acme = await team();
    const [grace, lin] = [await withPasskey(acme), await withPasskey(acme)];
    const rows = await query(storage, `SELECT user_handle FROM passkeys WHERE agent_id = '${lin.id}'`);
    expect(await signIn(grace.device, { userHandle: String(rows[0]?.user_handle) })).toMatchObject(REFUSED);
  });

  test("an answer that was used, also by eight at once, and one that comes late", async () => {
    const grace = await withPasskey(await team());
    const browser = newBrowser(kit);
    const { options } = (await browser.post("/sign-in/passkey/options")).body;
    const challenge = browser.cookies.get("frontdesk-challenge") ?? "";
    const response = grace.device.sign(options);
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const one = newBrowser(kit);
        one.cookies.set("frontdesk-challenge", challenge);
        return one.post("/sign-in/passkey", { response });
      }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await browser.post("/sign-in/passkey", { response })).toMatchObject(REFUSED);
    const late = newBrowser(kit);
    const asked = (await late.post("/sign-in/passkey/options")).body.options;
    clock.advance(CHALLENGE_LIFE_MS);
    expect(await late.post("/sign-in/passkey", { response: grace.device.sign(asked) })).toMatchObject(REFUSED);
  });

  test("without the browser's challenge, with one that was tampered with, and with one for adding", async () => {
    const grace = await withPasskey(await team());
    const { options } = (await newBrowser(kit).post("/sign-in/passkey/options")).body;
    const response = grace.device.sign(options);
    const without = newBrowser(kit);
    expect(await without.post("/sign-in/passkey", { response })).toMatchObject(REFUSED);
    without.cookies.set("frontdesk-challenge", "v2.x.y");
    expect(await without.post("/sign-in/passkey", { response })).toMatchObject(REFUSED);
    const adding = (await grace.browser.post("/me/passkeys/options")).body.options;
    const signed = grace.device.sign({ challenge: adding.challenge, rpId: "chat.test" });
    expect(await grace.browser.post("/sign-in/passkey", { response: signed })).toMatchObject(REFUSED);
  });

  test("an agent who was deactivated", async () => {
    const acme = await team();
    const grace = await withPasskey(acme);
    await app.perform(acme.actor, deactivateAgent, { agentId: grace.id });
    expect(await signIn(grace.device)).toMatchObject(REFUSED);
  });

  test.each([{}, { id: 1 }, { id: "x", response: null }, { response: { userHandle: [] } }])("%j", async (response) => {
    const browser = newBrowser(kit);
    await browser.post("/sign-in/passkey/options");
    expect(await browser.post("/sign-in/passkey", { response })).toMatchObject(REFUSED);
  });

  test.each(forgeries.filter(([title]) => !/key|credential|user$/.test(title)))(
    "a new passkey: %s",
    async (_title, forgery) => {
      const grace = await withPassword(kit, await team());
      const asked = forgery.type ? { ...forgery, type: "webauthn.get" } : forgery;
      expect((await add(grace.browser, passkeyDevice(ORIGIN), asked)).status).toBe(409);
      expect((await grace.browser.get("/me/factors")).body.passkeys).toEqual([]);
    },
  );
});

test("a counter that falls is in the audit log, and locks no agent out", async () => {
  const acme = await team();
  const grace = await withPasskey(acme);
  expect((await signIn(grace.device, { counter: 7 })).status).toBe(200);
  expect((await signIn(grace.device, { counter: 3 })).status).toBe(200);
  const abe = await signedIn(kit, acme, "CHAT_AGENT_ADMIN");
  const { entries } = (await abe.get("/audit-log?action=sign-in-with-passkey")).body;
  expect(entries.filter(({ what }: { what: { outcome?: string } }) => what.outcome === "counter-fell")).toHaveLength(1);
});

describe("proving again with a passkey", () => {
  test("makes the session fresh; another agent's passkey does not, and ends no session", async () => {
    const acme = await team();
    const [grace, lin] = [await withPasskey(acme), await withPasskey(acme)];
    clock.advance(16 * 60_000);
    expect((await grace.browser.post("/me/factors/recovery-codes")).body.reason).toBe("verify-again");
    const prove = async (device: PasskeyDevice) => {
      const { options } = (await grace.browser.post("/sign-in/passkey/options")).body;
      return grace.browser.post("/session/verify", { passkey: device.sign(options) });
    };
    expect((await prove(lin.device)).status).toBe(422);
    expect((await grace.browser.get("/me")).status).toBe(200);
    expect((await prove(grace.device)).status).toBe(200);
    expect((await grace.browser.post("/me/factors/recovery-codes")).status).toBe(200);
  });
});

test("a required factor may be a passkey, and the last one stays", async () => {
  const acme = await team();
  const olga = await signedIn(kit, acme, "CHAT_AGENT_OWNER");
  await olga.patch("/team/sign-in-rules", { required: "everybody" });
  const grace = await withPassword(kit, acme);
  expect((await grace.browser.get("/me")).body.must_enrol).toBe(true);
  expect((await add(grace.browser, passkeyDevice(ORIGIN))).status).toBe(200);
  expect((await grace.browser.get("/me")).body.must_enrol).toBe(false);
  const [{ id }] = (await grace.browser.get("/me/factors")).body.passkeys;
  expect((await grace.browser.delete(`/me/factors/${id}`)).body.reason).toBe("last-factor");
});

test.each([
  ["https://chat.acme.test", "chat.acme.test"],
  ["https://chat.acme.test:8443/desk", "chat.acme.test"],
  ["http://localhost:8080", "localhost"],
  ["http://chat.acme.test", undefined],
  ["https://192.0.2.7", undefined],
  ["http://127.0.0.1:8080", undefined],
  ["https://[::1]:8080", undefined],
])("passkeys of %s are for %s", (publicUrl, id) => {
  expect(relyingPartyOf(publicUrl)?.id).toBe(id);
});
