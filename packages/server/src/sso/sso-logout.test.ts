/** Logouts that a provider reports: they end sessions in every process, at once, and only if they are real (row B8). */
import { sharedAuthority } from "@frontdesk/testing/certificates";
import { startHostileIdp } from "@frontdesk/testing/hostile-idp";
import { REAL_CLIENT, startRealIdp } from "@frontdesk/testing/real-idp";
import { appOn, openBeside } from "@frontdesk/testing/second-app";
import { ssoBrowser, ssoScene } from "@frontdesk/testing/sso-scene";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { afterAll, expect, test } from "vitest";

const authority = sharedAuthority();
const idp = await startHostileIdp(authority);
const real = await startRealIdp(authority);
const env = { SSO_ALLOWED_NETWORKS: "127.0.0.0/8", TRUST_PROXY: "1", PUBLIC_URL: "http://localhost" };
const kit = await startTestApp(env, { extraCa: authority.ca });
const outbound = { extraCa: authority.ca };
const second = await appOn({ storage: await openBeside(kit.storage), runtime: kit.runtime, env, outbound });
// Certified providers have the clock of this machine; the hostile one has the app's.
kit.clock.advance(Date.now() - kit.clock.now());
idp.now = kit.clock.now;
afterAll(() => Promise.all([idp.close(), real.close()]));

const SOON_MS = 2_000;

async function report(provider: string, token: string, app = kit.app): Promise<number> {
  const answer = await app.http.inject({
    ...{ method: "POST", url: `/sso/${provider}/logout` },
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: new URLSearchParams({ logout_token: token }).toString(),
  });
  expect(answer.headers["cache-control"]).toBe("no-store");
  return answer.statusCode;
}

async function twoPeople() {
  const scene = await ssoScene(kit, idp);
  const [ivy, eve] = [
    await scene.person("Ivy", "CHAT_AGENT_MEMBER", null),
    await scene.person("Eve", "CHAT_AGENT_MEMBER", null),
  ];
  const open = async (sub: string, email: string, sid: string, app = kit.app) => {
    const browser = ssoBrowser({ app });
    const answer = await browser.signsIn(scene.provider, idp, { sub, email, email_verified: true, sid });
    expect(answer).toMatchObject({ body: { outcome: "signed-in" } });
    expect(await browser.me()).toMatchObject({ status: 200 });
    return browser;
  };
  return { scene, ivy, eve, open };
}

test("a logout ends the session of its sid, or all of its subject, in every process within two seconds", async () => {
  const { scene, ivy, eve, open } = await twoPeople();
  const first = await open("ivy", ivy.email, "s1");
  const other = await open("ivy", ivy.email, "s2", second);
  const third = await open("ivy", ivy.email, "s3", second);
  const hers = await open("eve", eve.email, "s4", second);
  expect(await report(scene.provider, await idp.logoutToken({ sub: "ivy", sid: "s2" }))).toBe(200);
  await expect.poll(async () => (await other.me()).status, { timeout: SOON_MS }).toBe(401);
  expect([(await first.me()).status, (await third.me()).status, (await hers.me()).status]).toEqual([200, 200, 200]);
  expect(await report(scene.provider, await idp.logoutToken({ sub: "ivy" }), second)).toBe(200);
  for (const browser of [first, third]) {
    await expect.poll(async () => (await browser.me()).status, { timeout: SOON_MS }).toBe(401);
  }
  expect(await hers.me()).toMatchObject({ status: 200 });
  expect((await scene.audited("end-sso-sessions")).map(({ what }) => what.sessions)).toEqual([2, 1]);
});

test("a logout that is not the provider's, not for us, old, or a token of another kind ends nothing", async () => {
  const { scene, ivy, open } = await twoPeople();
  const browser = await open("ivy", ivy.email, "s1");
  const now = Math.floor(kit.clock.now() / 1_000);
  const wrong: [string, string][] = [
    ["no token", "abc"],
    ["typ", await idp.logoutToken({ sub: "ivy" }, { typ: "JWT" })],
    ["nonce", await idp.logoutToken({ sub: "ivy", nonce: "a" })],
    ["no event", await idp.logoutToken({ sub: "ivy", events: {} })],
    [
      "events a text",
      await idp.logoutToken({ sub: "ivy", events: "http://schemas.openid.net/event/backchannel-logout" }),
    ],
    ["aud", await idp.logoutToken({ sub: "ivy", aud: "another" })],
    ["iss", await idp.logoutToken({ sub: "ivy", iss: "https://evil.example" })],
    ["old", await idp.logoutToken({ sub: "ivy", iat: now - 300 })],
    ["of the future", await idp.logoutToken({ sub: "ivy", iat: now + 600 })],
    ["no jti", await idp.logoutToken({ sub: "ivy", jti: undefined })],
    ["no one", await idp.logoutToken({})],
  ];
  for (const [what, token] of wrong) expect(await report(scene.provider, token), what).toBe(400);
  const right = await idp.logoutToken({ sub: "ivy" });
  await idp.rotatesKey();
  expect(await report(scene.provider, right)).toBe(400);
  expect(await report("no.provider", await idp.logoutToken({ sub: "ivy" }))).toBe(400);
  expect(await browser.me()).toMatchObject({ status: 200 });
});

test("a token counts once, also in two processes at the same time", async () => {
  const { scene, ivy, open } = await twoPeople();
  await open("ivy", ivy.email, "s1");
  const token = await idp.logoutToken({ sub: "ivy" });
  const answers = await Promise.all(
    [kit.app, second, kit.app, second].map((app) => report(scene.provider, token, app)),
  );
  expect(answers.toSorted()).toEqual([200, 400, 400, 400]);
  const again = await open("ivy", ivy.email, "s2");
  expect(await report(scene.provider, token)).toBe(400);
  expect(await again.me()).toMatchObject({ status: 200 });
});

test("a certified provider's own logout is understood", async () => {
  const scene = await ssoScene(kit, idp);
  const { next } = await scene.settings();
  real.registers(next, (token) => report(next.id, token));
  await scene.owner.post("/sso/providers", {
    ...{ id: next.id, preset: "custom", name: "Real", issuer: real.issuer, ...REAL_CLIENT, is_on: true },
  });
  const ivy = await scene.person("Ivy", "CHAT_AGENT_MEMBER", null);
  real.people.set("ivy", { email: ivy.email, email_verified: true });
  const browser = ssoBrowser({ app: second });
  const atIdp = real.browser();
  await browser.end(next.id, await atIdp.signsIn((await browser.begin(next.id)).body.url, "ivy"));
  expect(await browser.me()).toMatchObject({ status: 200 });
  await atIdp.signsOut();
  await expect.poll(async () => (await browser.me()).status, { timeout: SOON_MS }).toBe(401);
});
