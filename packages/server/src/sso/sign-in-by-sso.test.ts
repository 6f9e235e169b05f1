/** Signing in by SSO at a certified provider, new accounts, links, and what a provider can do wrong (rows B1, B4, B9 to B11). */
import { sharedAuthority } from "@frontdesk/testing/certificates";
import { HOSTILE_CLIENT, startHostileIdp } from "@frontdesk/testing/hostile-idp";
import { REAL_CLIENT, startRealIdp } from "@frontdesk/testing/real-idp";
import { dump, query } from "@frontdesk/testing/second-app";
import { addProvider, PASSWORD, ssoBrowser, ssoScene } from "@frontdesk/testing/sso-scene";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { subjectsTo } from "@frontdesk/testing/waiting-mails";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { inviteAgents } from "../agents/invite-agents.ts";
import { createOutbound } from "../outbound/outbound.ts";
import { createOidcRequests } from "./oidc-client.ts";

const authority = sharedAuthority();
const idp = await startHostileIdp(authority);
const real = await startRealIdp(authority);
const kit = await startTestApp(
  {
    ...{ SSO_ALLOWED_NETWORKS: "127.0.0.0/8", TRUST_PROXY: "1", PUBLIC_URL: "http://localhost" },
    // No mail server is at this address, and no job runs: mails are read from the job table.
    SMTP_URL: "smtp://127.0.0.1:1",
  },
  { extraCa: authority.ca },
);
const { clock, storage } = kit;
// Certified providers have the clock of this machine; the hostile one has the app's.
kit.clock.advance(Date.now() - kit.clock.now());
idp.now = kit.clock.now;
afterAll(() => Promise.all([idp.close(), real.close()]));
beforeEach(() => {
  Object.assign(idp, {
    claims: {},
    signs: "right",
    document: {},
    manner: "well",
    userInfo: undefined,
    asked: [],
    clientAuth: "form",
  });
});

const NO_ACCOUNT = { status: 401, body: { reason: "sso-no-account" } };

test("a person signs in at a certified provider, is asked for the password once, and from then on for nothing", async () => {
  const scene = await ssoScene(kit, idp);
  const { next } = await scene.settings();
  real.registers(next);
  await scene.owner.post("/sso/providers", {
    ...{ id: next.id, preset: "keycloak", name: "Keycloak", issuer: real.issuer, ...REAL_CLIENT, is_on: true },
  });
  const ivy = await scene.person("Ivy");
  real.people.set("ivy", { email: ivy.email, email_verified: true, name: "Ivy" });
  const browser = ssoBrowser(kit);
  const atIdp = real.browser();
  const begun = await browser.begin(next.id, { next: "/inbox" });
  const first = await browser.end(next.id, await atIdp.signsIn(begun.body.url, "ivy"));
  expect(first).toMatchObject({ status: 200, body: { outcome: "password-needed", email: ivy.email } });
  expect(await browser.me()).toMatchObject({ status: 401 });
  expect(await browser.send("POST", "/sso/link", { password: "wrong" })).toMatchObject({ status: 401 });
  expect(await browser.send("POST", "/sso/link", { password: PASSWORD })).toMatchObject({ body: { next: "/inbox" } });
  expect(await browser.me()).toMatchObject({ body: { agent: { id: ivy.id } } });
  expect(browser.cookies).not.toHaveProperty("frontdesk-sso");

  const again = ssoBrowser(kit);
  const url = (await again.begin(next.id)).body.url;
  expect(await again.end(next.id, await atIdp.signsIn(url, "ivy"))).toMatchObject({ body: { outcome: "signed-in" } });
  const [session] = await query(
    storage,
    `SELECT way_in, sso_sid, auth_time, ends_at, created_at FROM sessions WHERE agent_id = '${ivy.id}' ORDER BY id DESC`,
  );
  expect(session).toMatchObject({ way_in: "sso", sso_sid: expect.any(String) });
  expect(Number(session?.ends_at)).toBe(Number(session?.created_at) + 12 * 3_600_000);
  // It is over then, though it was used all the time.
  for (let hour = 0; hour < 12; hour += 1) {
    expect(await again.me()).toMatchObject({ status: 200 });
    clock.advance(3_600_000);
  }
  expect(await again.me()).toMatchObject({ status: 401 });
});

test("an agent without a password joins by SSO alone, invited or not", async () => {
  const scene = await ssoScene(kit, idp);
  const email = `lin@${scene.domain}`;
  const input = {
    invitees: [{ email, name: null, role: "CHAT_AGENT_MEMBER" as const }],
    joinUrl: () => "",
    mail: false,
  };
  await kit.app.perform(scene.acme.actor, inviteAgents, input as never);
  const browser = ssoBrowser(kit);
  const claims = { sub: "lin", email: email.toUpperCase(), email_verified: true, name: "Lin" };
  expect(await browser.signsIn(scene.provider, idp, claims)).toMatchObject({ body: { outcome: "signed-in" } });
  expect(await browser.me()).toMatchObject({ body: { agent: { email, name: "Lin", role: "CHAT_AGENT_MEMBER" } } });
  expect((await scene.acme.events()).some(({ name }) => name === "agent.joined")).toBe(true);
});

describe("new accounts", () => {
  const claimsOf = (domain: string, more: object = {}) => ({
    ...{ sub: "new", email: `new@${domain}`, email_verified: true, name: "Nia", ...more },
  });

  test("are created for no one, unless the owner has switched that on", async () => {
    const scene = await ssoScene(kit, idp);
    expect(await ssoBrowser(kit).signsIn(scene.provider, idp, claimsOf(scene.domain))).toMatchObject(NO_ACCOUNT);
    expect((await scene.audited("refuse-sso"))[0]?.what).toMatchObject({ why: "no-agent" });
    await scene.change({ creates_agents: true });
    const browser = ssoBrowser(kit);
    expect(await browser.signsIn(scene.provider, idp, claimsOf(scene.domain))).toMatchObject({ status: 200 });
    expect(await browser.me()).toMatchObject({ body: { agent: { role: "CHAT_AGENT_MEMBER", name: "Nia" } } });
  });

  test("are members, or admins by the named group; no claim makes an owner", async () => {
    const scene = await ssoScene(kit, idp, { creates_agents: true });
    const roleOf = async (sub: string, more: object) => {
      const browser = ssoBrowser(kit);
      const claims = claimsOf(scene.domain, { sub, email: `${sub}@${scene.domain}`, ...more });
      await browser.signsIn(scene.provider, idp, claims);
      return (await browser.me()).body.agent.role;
    };
    const greedy = { role: "owner", roles: ["owner"], groups: ["owner", "CHAT_AGENT_OWNER", "admin"], admin: true };
    expect(await roleOf("a", greedy)).toBe("CHAT_AGENT_MEMBER");
    await scene.change({ admin_group: "support-leads" });
    expect(await roleOf("b", greedy)).toBe("CHAT_AGENT_MEMBER");
    expect(await roleOf("c", { groups: "support-leads" })).toBe("CHAT_AGENT_MEMBER");
    expect(await roleOf("d", { groups: ["others", "support-leads"] })).toBe("CHAT_AGENT_ADMIN");
    await scene.change({ admin_group: "" });
    expect(await roleOf("e", { groups: ["support-leads", ""] })).toBe("CHAT_AGENT_MEMBER");
  });

  test("are created by no e-mail of a domain that is not the team's", async () => {
    const scene = await ssoScene(kit, idp, { creates_agents: true });
    expect(await ssoBrowser(kit).signsIn(scene.provider, idp, claimsOf("other.example"))).toMatchObject(NO_ACCOUNT);
  });
});

describe("a test", () => {
  test("says whom it would sign in, works while the provider is off, and changes nothing", async () => {
    const scene = await ssoScene(kit, idp, { is_on: false });
    const ivy = await scene.person("Ivy");
    const browser = ssoBrowser(kit, { frontdesk: scene.owner.cookie.replace("frontdesk=", "") });
    const tries = async (claims: object) => {
      const { url } = (await browser.send("POST", `/sso/providers/${scene.provider}/test`)).body;
      idp.claims = claims as Record<string, unknown>;
      const { body } = await browser.end(scene.provider, idp.allows(url));
      expect(body.outcome).toBe("tested");
      return body.test;
    };
    const claims = { sub: "ivy", email: ivy.email, email_verified: true, groups: ["a"] };
    expect(await tries(claims)).toMatchObject({ result: "asks-password", agent: "Ivy", groups: ["a"], subject: "ivy" });
    expect(await tries({ ...claims, email_verified: false })).toMatchObject({
      result: "refused",
      problem: "email-unproven",
    });
    expect(await tries({ sub: "x" })).toMatchObject({ result: "refused", problem: "no-email" });
    expect(await tries({ ...claims, email: `x@${scene.domain}` })).toMatchObject({ problem: "no-agent" });
    expect(await browser.me()).toMatchObject({ body: { agent: { id: scene.owner.actor.agentId } } });
    expect(await query(storage, `SELECT * FROM sso_identities WHERE team_id = '${scene.acme.teamId}'`)).toEqual([]);
    // Off, it signs in no one.
    expect(await ssoBrowser(kit).begin(scene.provider)).toMatchObject({ status: 404 });
    // In another browser, it says nothing.
    const { url } = (await browser.send("POST", `/sso/providers/${scene.provider}/test`)).body;
    const other = ssoBrowser(kit, { "frontdesk-sso": browser.cookies["frontdesk-sso"] ?? "" });
    expect(await other.end(scene.provider, idp.allows(url))).toMatchObject({ status: 401 });
  });
});

describe("an agent's own account", () => {
  test("is linked from the profile by a signed-in agent, whatever its e-mail, and unlinked", async () => {
    const scene = await ssoScene(kit, idp);
    const mine = ssoBrowser(kit, { frontdesk: scene.owner.cookie.replace("frontdesk=", "") });
    const { url } = (await mine.send("POST", `/me/sso/${scene.provider}`)).body;
    idp.claims = { sub: "olga", email: "olga@home.example" };
    expect(await mine.end(scene.provider, idp.allows(url))).toMatchObject({ body: { outcome: "linked" } });
    expect((await scene.owner.get("/me/sso")).body.providers).toMatchObject([
      { name: "Acme ID", email: "olga@home.example" },
    ]);
    const browser = ssoBrowser(kit);
    await browser.signsIn(scene.provider, idp, { sub: "olga" });
    expect(await browser.me()).toMatchObject({ body: { agent: { id: scene.owner.actor.agentId } } });
    // It is no one else's then.
    const ivy = await scene.person("Ivy", "CHAT_AGENT_MEMBER", null);
    const hers = ssoBrowser(kit);
    await hers.signsIn(scene.provider, idp, { sub: "ivy", email: ivy.email, email_verified: true });
    const second = (await hers.send("POST", `/me/sso/${scene.provider}`)).body.url;
    idp.claims = { sub: "olga" };
    expect(await hers.end(scene.provider, idp.allows(second))).toMatchObject({ status: 401 });

    expect(await scene.owner.delete(`/me/sso/${scene.provider}`)).toMatchObject({ status: 200 });
    expect(await browser.me()).toMatchObject({ status: 401 });
    expect(await ssoBrowser(kit).signsIn(scene.provider, idp, { sub: "olga" })).toMatchObject(NO_ACCOUNT);
  });

  test("is mailed to the agent when it is linked and unlinked, but not when they join by it", async () => {
    const scene = await ssoScene(kit, idp);
    const ivy = await scene.person("Ivy");
    const hers = ssoBrowser(kit);
    await hers.signsIn(scene.provider, idp, { sub: "ivy", email: ivy.email, email_verified: true });
    expect(await subjectsTo(kit, scene.acme.teamId, ivy.email)).toEqual([]);
    expect(await hers.send("POST", "/sso/link", { password: PASSWORD })).toMatchObject({ status: 200 });
    const linked = ["Company account linked", "New sign-in to your account"];
    expect(await subjectsTo(kit, scene.acme.teamId, ivy.email)).toEqual(linked);
    // Not with a session that was proved long ago.
    clock.advance(16 * 60_000);
    const unlink = () => hers.send("DELETE", `/me/sso/${scene.provider}`);
    expect(await unlink()).toMatchObject({ status: 403, body: { reason: "verify-again" } });
    await hers.send("POST", "/session/verify", { password: PASSWORD });
    expect(await unlink()).toMatchObject({ status: 200 });
    expect(await subjectsTo(kit, scene.acme.teamId, ivy.email)).toEqual([
      "Company account linked",
      "Company account unlinked",
      "New sign-in to your account",
    ]);

    const email = `ines@${scene.domain}`;
    const invitees = [{ email, name: "Ines", role: "CHAT_AGENT_MEMBER" as const }];
    await kit.app.perform(scene.acme.actor, inviteAgents, { invitees, joinUrl: (token) => token, mail: false });
    const answer = await ssoBrowser(kit).signsIn(scene.provider, idp, { sub: "ines", email, email_verified: true });
    expect(answer).toMatchObject({ body: { outcome: "signed-in" } });
    expect(await subjectsTo(kit, scene.acme.teamId, email)).toEqual([]);
  });

  test("proves again who they are, by a sign-in of this moment", async () => {
    const scene = await ssoScene(kit, idp);
    const olga = await scene.person("Olga", "CHAT_AGENT_OWNER", null);
    const claims = { sub: "olga", email: olga.email, email_verified: true };
    const browser = ssoBrowser(kit);
    await browser.signsIn(scene.provider, idp, claims);
    clock.advance(16 * 60_000);
    const rename = () => browser.send("PATCH", `/sso/providers/${scene.provider}`, { name: "Acme login" });
    expect(await rename()).toMatchObject({ status: 403, body: { reason: "verify-again" } });
    const proves = async (more: object) => {
      const { url } = (await browser.send("POST", "/me/sso-proof")).body;
      expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({ prompt: "login", max_age: "0" });
      idp.claims = { ...claims, ...more };
      return browser.end(scene.provider, idp.allows(url));
    };
    const now = Math.floor(kit.clock.now() / 1_000);
    const before = browser.cookies.frontdesk;
    expect(await proves({})).toMatchObject({ status: 401 });
    expect(await proves({ auth_time: now - 600 })).toMatchObject({ status: 401 });
    expect(await proves({ auth_time: now, sub: "another" })).toMatchObject({ status: 401 });
    expect(await rename()).toMatchObject({ status: 403 });
    expect(await proves({ auth_time: now })).toMatchObject({ body: { outcome: "verified" } });
    expect(browser.cookies.frontdesk).not.toBe(before);
    expect(await rename()).toMatchObject({ status: 200 });
  });
});

describe("a provider", () => {
  test("that is slow, huge, elsewhere, broken or private is bounded, and said to be", async () => {
    const scene = await ssoScene(kit, idp);
    const ivy = await scene.person("Ivy");
    for (const [manner, status] of [
      ["with-500", 503],
      ["closed", 503],
      ["hugely", 503],
      ["elsewhere", 503],
    ] as const) {
      idp.manner = manner;
      expect(await ssoBrowser(kit).begin(scene.provider), manner).toMatchObject({
        status,
        body: { reason: "sso-away" },
      });
    }
    const quick = createOutbound({ allowedNetworks: ["127.0.0.0/8"], extraCa: authority.ca, timeoutMs: 200 });
    const closed = createOutbound({ allowedNetworks: [], extraCa: authority.ca });
    const provider = { preset: "custom" as const, issuer: idp.issuer, clientId: "a", clientSecret: "b" };
    idp.manner = "slowly";
    const slow = createOidcRequests({ ask: (asked) => quick.ask({ ...asked, timeoutMs: 200 }) }, clock.now);
    expect(await slow.look(provider)).toMatchObject({ problem: "away" });
    idp.manner = "well";
    idp.asked = [];
    const look = (issuer: string) => createOidcRequests(closed, clock.now).look({ ...provider, issuer });
    for (const issuer of [
      idp.issuer,
      "https://127.0.0.1",
      "https://[::1]",
      "https://169.254.169.254",
      "https://10.0.0.1",
    ])
      expect(await look(issuer), issuer).toMatchObject({ problem: "private" });
    expect(idp.asked).toEqual([]);
    // In its documents too, every address is one that may be reached.
    idp.document = { token_endpoint: "https://169.254.169.254/token" };
    const moved = await ssoBrowser(kit).signsIn(scene.provider, idp, { sub: "1", email: ivy.email });
    expect(moved).toMatchObject({ status: 503 });
    idp.document = { authorization_endpoint: "http://localhost/authorize" };
    expect(await ssoBrowser(kit).begin(scene.provider)).toMatchObject({ status: 503 });
    for (const each of [quick, closed]) each.close();
  });

  test("is looked at before it is saved, and its problem is named at the field", async () => {
    const scene = await ssoScene(kit, idp);
    const saves = async (body: object) => {
      const { id } = (await scene.settings()).next;
      const whole = { id, preset: "custom", name: "New", issuer: idp.issuer, ...HOSTILE_CLIENT, ...body };
      const answer = await scene.owner.post("/sso/providers", whole);
      return answer.body.reasons?.issuer[0].reason ?? answer.status;
    };
    expect(await saves({ issuer: "http://localhost" })).toBe("sso-issuer");
    expect(await saves({ issuer: "https://10.1.2.3" })).toBe("sso-issuer-private");
    expect(await saves({ issuer: `${idp.issuer}/realms/none` })).toBe("sso-no-provider");
    expect(await saves({ preset: "microsoft", issuer: "https://login.microsoftonline.com/common/v2.0" })).toBe(
      "sso-tenant",
    );
    idp.document = { issuer: `${idp.issuer}/` };
    expect(await saves({})).toBe("sso-no-provider");
    idp.document = { id_token_signing_alg_values_supported: ["HS256", "none"] };
    expect(await saves({})).toBe("sso-no-provider");
    idp.document = {};
    idp.manner = "closed";
    expect(await saves({})).toBe("sso-issuer-away");
    idp.manner = "well";
    expect(await saves({})).toBe(200);
  });

  test("that knows its client by a header alone still signs in, and by the form alone too", async () => {
    const scene = await ssoScene(kit, idp);
    const ivy = await scene.person("Ivy", "CHAT_AGENT_MEMBER", null);
    const claims = { sub: "ivy", email: ivy.email, email_verified: true };
    const [header, form] = ["client_secret_basic", "client_secret_post"];
    for (const [clientAuth, ways] of [
      ["header", [header, form]],
      ["header", [header]],
      ["header", undefined],
      ["form", [form]],
    ] as const) {
      idp.clientAuth = clientAuth;
      idp.document = { token_endpoint_auth_methods_supported: ways };
      const answer = await ssoBrowser(kit).signsIn(scene.provider, idp, claims);
      expect(answer, `${clientAuth} ${ways}`).toMatchObject({ body: { outcome: "signed-in" } });
    }
    // The known providers take the form as well.
    await scene.owner.delete(`/sso/providers/${scene.provider}`);
    const keycloak = await addProvider(scene.owner, idp, { preset: "keycloak" });
    idp.clientAuth = "form";
    idp.document = { token_endpoint_auth_methods_supported: [header, form] };
    expect(await ssoBrowser(kit).signsIn(keycloak, idp, claims)).toMatchObject({ body: { outcome: "signed-in" } });
  });

  test("that has rotated its keys, or whose clock is a minute off, still signs in", async () => {
    const scene = await ssoScene(kit, idp);
    const ivy = await scene.person("Ivy", "CHAT_AGENT_MEMBER", null);
    const claims = { sub: "ivy", email: ivy.email, email_verified: true };
    const signsIn = (more: object = {}) => ssoBrowser(kit).signsIn(scene.provider, idp, { ...claims, ...more });
    expect(await signsIn()).toMatchObject({ status: 200 });
    await idp.rotatesKey();
    expect(await signsIn()).toMatchObject({ status: 200 });
    const now = Math.floor(kit.clock.now() / 1_000);
    expect(await signsIn({ iat: now + 60, nbf: now + 60, exp: now + 360 })).toMatchObject({ status: 200 });
    expect(await signsIn({ iat: now - 360, exp: now - 60 })).toMatchObject({ status: 200 });
    expect(await signsIn({ iat: now - 600, exp: now - 300 })).toMatchObject({ status: 401 });
  });

  test("that says the e-mail elsewhere than in the token is asked there, about the same subject", async () => {
    const scene = await ssoScene(kit, idp);
    const ivy = await scene.person("Ivy", "CHAT_AGENT_MEMBER", null);
    idp.userInfo = { sub: "another", email: ivy.email, email_verified: true };
    expect(await ssoBrowser(kit).signsIn(scene.provider, idp, { sub: "ivy" })).toMatchObject({ status: 401 });
    idp.userInfo = { sub: "ivy", email: ivy.email, email_verified: true };
    expect(await ssoBrowser(kit).signsIn(scene.provider, idp, { sub: "ivy" })).toMatchObject({ status: 200 });
  });

  test("shows its secret to no one: it is sealed, and in no answer", async () => {
    const scene = await ssoScene(kit, idp);
    const { client_secret } = HOSTILE_CLIENT;
    expect(JSON.stringify(await scene.settings())).not.toContain(client_secret);
    expect(JSON.stringify(await scene.owner.get("/audit-log"))).not.toContain(client_secret);
    expect(await dump(storage)).not.toContain(client_secret);
    await scene.change({ client_secret: "another-secret-of-32-characters-" });
    expect(await dump(storage)).not.toContain("another-secret");
    // The new one is what the provider gets; it does not take it.
    expect(await ssoBrowser(kit).signsIn(scene.provider, idp, { sub: "a" })).toMatchObject({ status: 401 });
  });
});

test("the sign-in page shows providers of one team, and finds them by e-mail for several", async () => {
  await query(storage, "UPDATE sso_providers SET is_on = 0");
  const shown = async () => (await ssoBrowser(kit).send("GET", "/sign-in")).body.sso;
  expect(await shown()).toEqual({ providers: [], by_email: false });
  const acme = await ssoScene(kit, idp, { name: "Acme" });
  await addProvider(acme.owner, idp, { name: "Second" });
  expect(await shown()).toMatchObject({ providers: [{ name: "Acme" }, { name: "Second" }], by_email: true });
  const sams = await ssoScene(kit, idp, { name: "Sams" });
  expect(await shown()).toEqual({ providers: [], by_email: true });
  const begun = await ssoBrowser(kit).send("POST", "/sso/begin", { email: ` Any@${sams.domain.toUpperCase()} ` });
  expect(begun.body.url).toContain(encodeURIComponent(sams.provider));
  expect(await ssoBrowser(kit).send("POST", "/sso/begin", { email: "a@nowhere.example" })).toMatchObject({
    status: 404,
  });
});
