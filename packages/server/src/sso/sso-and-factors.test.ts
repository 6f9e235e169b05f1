/** Single sign-on and second factors together: no way in skips a factor, and none but SSO is open where it is required (rows C6, B5). */
import { TOTP_STEP_MS, totpCode } from "@frontdesk/server/access/totp";
import { sharedAuthority } from "@frontdesk/testing/certificates";
import { type Claims, startHostileIdp } from "@frontdesk/testing/hostile-idp";
import { type PasskeyDevice, passkeyDevice } from "@frontdesk/testing/passkey-device";
import { query } from "@frontdesk/testing/second-app";
import { PASSWORD, type Person, ssoBrowser, ssoScene } from "@frontdesk/testing/sso-scene";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { afterAll, beforeEach, describe, expect, test } from "vitest";

const ORIGIN = "http://localhost";
const authority = sharedAuthority();
const idp = await startHostileIdp(authority);
const kit = await startTestApp(
  { SSO_ALLOWED_NETWORKS: "127.0.0.0/8", TRUST_PROXY: "1", PUBLIC_URL: ORIGIN },
  { extraCa: authority.ca },
);
idp.now = kit.clock.now;
afterAll(() => idp.close());
beforeEach(() => {
  Object.assign(idp, { claims: {}, signs: "right", document: {}, manner: "well", userInfo: undefined, asked: [] });
});

type Scene = Awaited<ReturnType<typeof ssoScene>>;
type Browser = ReturnType<typeof ssoBrowser>;

const claimsOf = ({ email }: Person, more: Claims = {}): Claims => ({
  ...{ sub: email, email, email_verified: true },
  ...more,
});

async function signInBy(scene: Scene, person: Person, more: Claims = {}, browser = ssoBrowser(kit)) {
  const answer = await browser.signsIn(scene.provider, idp, claimsOf(person, more));
  return { ...answer, browser };
}

async function byPassword({ email }: Person, browser = ssoBrowser(kit)): Promise<Browser> {
  await browser.send("POST", "/sign-in", { email, password: PASSWORD });
  return browser;
}

async function addApp(browser: Browser) {
  const { secret } = (await browser.send("POST", "/me/factors/app", {})).body;
  const code = () => totpCode(secret, Math.floor(kit.clock.now() / TOTP_STEP_MS));
  const confirmed = await browser.send("POST", "/me/factors/app/confirm", { code: code() });
  expect(confirmed).toMatchObject({ status: 200 });
  kit.clock.advance(TOTP_STEP_MS);
  return code;
}

async function addPasskey(browser: Browser): Promise<PasskeyDevice> {
  const device = passkeyDevice(ORIGIN);
  const { options } = (await browser.send("POST", "/me/passkeys/options", {})).body;
  const added = await browser.send("POST", "/me/passkeys", { name: "Phone", response: device.create(options) });
  expect(added).toMatchObject({ status: 200 });
  return device;
}

async function byPasskey(device: PasskeyDevice, browser = ssoBrowser(kit)) {
  const { options } = (await browser.send("POST", "/sign-in/passkey/options", {})).body;
  return browser.send("POST", "/sign-in/passkey", { response: device.sign(options) });
}

const linksOf = (person: Person) =>
  query(kit.storage, `SELECT subject FROM sso_identities WHERE agent_id = '${person.id}'`);
const waysOf = (person: Person) =>
  query(kit.storage, `SELECT way_in, sso_provider_id, reach FROM sessions WHERE agent_id = '${person.id}' ORDER BY id`);

/** A member with an app, and an account that is linked. */
async function linkedWithApp(scene: Scene, name = "Ivy") {
  const ivy = await scene.person(name);
  const { browser } = await signInBy(scene, ivy);
  expect(await browser.send("POST", "/sso/link", { password: PASSWORD })).toMatchObject({ status: 200 });
  return { ...ivy, browser, code: await addApp(browser) };
}

describe("the first link", () => {
  test("of an account with an app waits for the password and the code, whatever the provider says", async () => {
    const scene = await ssoScene(kit, idp, { trusts_factors: true });
    const ivy = await scene.person("Ivy");
    const code = await addApp(await byPassword(ivy));
    const { browser, body } = await signInBy(scene, ivy, { amr: ["pwd", "mfa"] });
    expect(body).toMatchObject({ outcome: "password-needed" });
    const linked = await browser.send("POST", "/sso/link", { password: PASSWORD });
    expect(linked).toMatchObject({ status: 200, body: { second_step: { app: true, passkey: false } } });
    expect(await browser.me()).toMatchObject({ status: 401 });
    expect(await linksOf(ivy)).toEqual([]);
    expect(await browser.send("POST", "/sign-in/second-step", { code: "000000" })).toMatchObject({ status: 422 });
    expect(await linksOf(ivy)).toEqual([]);
    expect(await browser.send("POST", "/sign-in/second-step", { code: code() })).toMatchObject({ status: 200 });
    expect(await linksOf(ivy)).toMatchObject([{ subject: ivy.email }]);
    expect((await waysOf(ivy)).at(-1)).toMatchObject({ way_in: "sso", sso_provider_id: expect.any(String) });
    // From then on, what the provider says counts.
    expect(await signInBy(scene, ivy)).toMatchObject({ body: { outcome: "signed-in" } });
  });

  test("of an account with a passkey and no password waits for that passkey", async () => {
    const scene = await ssoScene(kit, idp);
    const ivy = await scene.person("Ivy");
    const device = await addPasskey(await byPassword(ivy));
    await query(kit.storage, `UPDATE agents SET password_hash = NULL WHERE id = '${ivy.id}'`);
    const { browser, body } = await signInBy(scene, ivy, { amr: ["hwk"] });
    expect(body).toMatchObject({ outcome: "second-step", second_step: { app: false, passkey: true } });
    expect(await linksOf(ivy)).toEqual([]);
    // Another agent's passkey signs that agent in, and links nothing.
    const mia = await scene.person("Mia");
    const other = await addPasskey(await byPassword(mia));
    const theirs = ssoBrowser(kit, { ...browser.cookies });
    expect(await byPasskey(other, theirs)).toMatchObject({ status: 200, body: { agent: { id: mia.id } } });
    expect([await linksOf(ivy), await linksOf(mia)]).toEqual([[], []]);
    expect(await byPasskey(device, browser)).toMatchObject({ status: 200, body: { agent: { id: ivy.id } } });
    expect(await linksOf(ivy)).toHaveLength(1);
    expect((await waysOf(ivy)).at(-1)).toMatchObject({ way_in: "sso" });
  });
});

describe("an agent with a factor who signs in by SSO", () => {
  test("is asked for it, unless the provider says that it has asked, or the owner vouches", async () => {
    const scene = await ssoScene(kit, idp);
    const ivy = await linkedWithApp(scene);
    for (const silent of [{}, { amr: ["pwd"] }, { amr: ["sms"] }, { acr: "1" }, { amr: "mfa-not" }]) {
      expect(await signInBy(scene, ivy, silent)).toMatchObject({ body: { outcome: "second-step" } });
    }
    for (const said of [{ amr: ["pwd", "otp"] }, { amr: ["swk"] }, { acr: "https://refeds.org/profile/mfa" }]) {
      expect(await signInBy(scene, ivy, said)).toMatchObject({ body: { outcome: "signed-in" } });
    }
    await scene.change({ trusts_factors: true });
    expect(await signInBy(scene, ivy)).toMatchObject({ body: { outcome: "signed-in" } });
  });

  test("may trust the browser, as after a password", async () => {
    const scene = await ssoScene(kit, idp);
    const ivy = await linkedWithApp(scene);
    const { browser } = await signInBy(scene, ivy);
    const trusting = { code: ivy.code(), trust_browser: true };
    expect(await browser.send("POST", "/sign-in/second-step", trusting)).toMatchObject({ status: 200 });
    expect(await signInBy(scene, ivy, {}, browser)).toMatchObject({ body: { outcome: "signed-in" } });
    expect(await signInBy(scene, ivy)).toMatchObject({ body: { outcome: "second-step" } });
  });

  test("is not signed in when the provider was turned off, or unlinked, before the second step", async () => {
    const scene = await ssoScene(kit, idp);
    const ivy = await linkedWithApp(scene);
    const first = (await signInBy(scene, ivy)).browser;
    await scene.change({ is_on: false });
    expect(await first.send("POST", "/sign-in/second-step", { code: ivy.code() })).toMatchObject({ status: 401 });
    await scene.change({ is_on: true });
    const own = ssoBrowser(kit);
    await signInBy(scene, ivy, { amr: ["otp"] }, own);
    const second = (await signInBy(scene, ivy)).browser;
    expect(await own.send("DELETE", `/me/sso/${scene.provider}`)).toMatchObject({ status: 200 });
    expect(await second.send("POST", "/sign-in/second-step", { code: ivy.code() })).toMatchObject({ status: 401 });
  });
});

test("where a factor is required, SSO reaches the enrolment alone, unless a second factor was shown there", async () => {
  const scene = await ssoScene(kit, idp, { creates_agents: true });
  expect(await scene.owner.patch("/team/sign-in-rules", { required: "everybody" })).toMatchObject({ status: 200 });
  const reachOf = async (name: string, more: Claims) => {
    const email = `${name}@${scene.domain}`;
    const { browser } = await signInBy(scene, { id: "", email }, more);
    return (await browser.me()).body.must_enrol;
  };
  expect(await reachOf("a", {})).toBe(true);
  expect(await reachOf("b", { amr: ["pwd"] })).toBe(true);
  expect(await reachOf("c", { amr: ["pwd", "mfa"] })).toBe(false);
  expect(await reachOf("d", { acr: "phr" })).toBe(false);
  await scene.change({ trusts_factors: true });
  expect(await reachOf("e", {})).toBe(false);
});

describe("where SSO is required", () => {
  async function requiring(scene: Scene) {
    const boss = await scene.person("Boss", "CHAT_AGENT_OWNER");
    const browser = ssoBrowser(kit, { frontdesk: scene.owner.cookie.replace("frontdesk=", "") });
    idp.claims = { sub: "olga" };
    await browser.end(scene.provider, idp.allows((await browser.send("POST", `/me/sso/${scene.provider}`)).body.url));
    const named = await scene.owner.request("PUT", `/sso/break-glass/${boss.id}`, { on: true });
    expect(named).toMatchObject({ status: 200 });
    const require = () => scene.owner.request("PUT", `/sso/domains/${scene.domain}/required`, { on: true });
    return { boss, require };
  }

  test("no passkey, second step or trusted browser signs in, but for owners who keep their password", async () => {
    const scene = await ssoScene(kit, idp);
    const { boss, require } = await requiring(scene);
    const ivy = await scene.person("Ivy");
    const own = await byPassword(ivy);
    const [device, code] = [await addPasskey(own), await addApp(own)];
    const bossDevice = await addPasskey(await byPassword(boss));
    const trusted = await byPassword(ivy);
    await trusted.send("POST", "/sign-in/second-step", { code: code(), trust_browser: true });
    kit.clock.advance(TOTP_STEP_MS);
    const begun = await byPassword(ivy);
    expect(await require()).toMatchObject({ status: 200 });

    expect(await byPasskey(device)).toMatchObject({ status: 401, body: { reason: "passkey-unknown" } });
    expect(await begun.send("POST", "/sign-in/second-step", { code: code() })).toMatchObject({ status: 401 });
    const known = await trusted.send("POST", "/sign-in", { email: ivy.email, password: PASSWORD });
    expect(known).toMatchObject({ status: 401, body: { reason: "wrong-sign-in" } });
    expect(await waysOf(ivy)).toEqual([]);
    expect(await byPasskey(bossDevice)).toMatchObject({ status: 200, body: { agent: { id: boss.id } } });
    // By SSO and then the passkey they are in.
    const { browser } = await signInBy(scene, ivy);
    await browser.send("POST", "/sso/link", { password: PASSWORD });
    expect(await byPasskey(device, browser)).toMatchObject({ status: 200 });
    expect(await waysOf(ivy)).toMatchObject([{ way_in: "sso" }]);
  });

  test("an owner who keeps their password has a factor, if the team requires one", async () => {
    const scene = await ssoScene(kit, idp);
    const boss = await scene.person("Boss", "CHAT_AGENT_OWNER");
    const browser = await byPassword(boss);
    await scene.owner.patch("/team/sign-in-rules", { required: "admins" });
    const name = () => scene.owner.request("PUT", `/sso/break-glass/${boss.id}`, { on: true });
    expect(await name()).toMatchObject({
      status: 422,
      body: { reasons: { agent: [{ reason: "sso-keeper-factor" }] } },
    });
    await addApp(browser);
    expect(await name()).toMatchObject({ status: 200 });
    expect((await byPassword(boss)).cookies).toHaveProperty("frontdesk-second-step");
  });
});
