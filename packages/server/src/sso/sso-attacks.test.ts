/** Attacks on signing in by SSO, by a provider that signs any claims (rows B2, B3 and B12 of the bar). */
import { sharedAuthority } from "@frontdesk/testing/certificates";
import { startHostileIdp } from "@frontdesk/testing/hostile-idp";
import { addProvider, PASSWORD, ssoBrowser, ssoScene } from "@frontdesk/testing/sso-scene";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { afterAll, beforeEach, expect, test } from "vitest";

const authority = sharedAuthority();
const idp = await startHostileIdp(authority);
const second = await startHostileIdp(authority);
const kit = await startTestApp(
  { SSO_ALLOWED_NETWORKS: "127.0.0.0/8", TRUST_PROXY: "1", PUBLIC_URL: "http://localhost" },
  { extraCa: authority.ca },
);
idp.now = kit.clock.now;
second.now = kit.clock.now;
afterAll(() => Promise.all([idp.close(), second.close()]));
beforeEach(() => {
  for (const each of [idp, second]) Object.assign(each, { claims: {}, signs: "right", document: {}, manner: "well" });
});

const FAILED = { status: 401, body: { reason: "sso-failed" } };
const NO_ACCOUNT = { status: 401, body: { reason: "sso-no-account" } };

test("an e-mail that the provider does not vouch for leads to no one, and the audit log says why", async () => {
  const scene = await ssoScene(kit, idp);
  const { email } = await scene.person("Vic", "CHAT_AGENT_MEMBER", null);
  for (const [verified, why] of [
    [false, "email-unproven"],
    [undefined, "email-unproven"],
    ["true", "email-unproven"],
    [1, "email-unproven"],
  ] as const) {
    const browser = ssoBrowser(kit);
    const answer = await browser.signsIn(scene.provider, idp, { sub: "evil", email, email_verified: verified });
    expect(answer, String(verified)).toMatchObject(NO_ACCOUNT);
    expect(await browser.me()).toMatchObject({ status: 401 });
    expect((await scene.audited("refuse-sso"))[0]?.what).toMatchObject({ why, email });
  }
  const none = await ssoBrowser(kit).signsIn(scene.provider, idp, { sub: "evil", email_verified: true });
  expect(none).toMatchObject(NO_ACCOUNT);
  const elsewhere = { sub: "evil", email: "vic@other.example", email_verified: true };
  expect(await ssoBrowser(kit).signsIn(scene.provider, idp, elsewhere)).toMatchObject(NO_ACCOUNT);
  expect((await scene.audited("refuse-sso"))[0]?.what).toMatchObject({ why: "domain-unproven" });
  // The premise: with a true one, they are in.
  const right = await ssoBrowser(kit).signsIn(scene.provider, idp, { sub: "vic", email, email_verified: true });
  expect(right).toMatchObject({ status: 200, body: { outcome: "signed-in" } });
});

test("a second provider with the same e-mail takes over no account", async () => {
  const scene = await ssoScene(kit, idp);
  const vic = await scene.person("Vic");
  const other = await addProvider(scene.owner, second, { name: "Other" });
  const claims = { sub: "1", email: vic.email, email_verified: true };
  // The same subject of another issuer is another person; the account has a password, which is asked for.
  const browser = ssoBrowser(kit);
  expect(await browser.signsIn(other, second, claims)).toMatchObject({ body: { outcome: "password-needed" } });
  expect(await browser.me()).toMatchObject({ status: 401 });
  expect(await browser.send("POST", "/sso/link", { password: "wrong password" })).toMatchObject({ status: 401 });
  // Linked at the first, the second still leads nowhere without the password.
  const own = ssoBrowser(kit);
  await own.signsIn(scene.provider, idp, claims);
  expect(await own.send("POST", "/sso/link", { password: PASSWORD })).toMatchObject({ status: 200 });
  expect(await own.me()).toMatchObject({ body: { agent: { id: vic.id } } });
  expect(await ssoBrowser(kit).signsIn(other, second, claims)).toMatchObject({ body: { outcome: "password-needed" } });
});

test("a second provider does not get to an agent without a password whom the first one knows", async () => {
  const scene = await ssoScene(kit, idp);
  const vic = await scene.person("Vic", "CHAT_AGENT_MEMBER", null);
  const claims = { sub: "1", email: vic.email, email_verified: true };
  const own = ssoBrowser(kit);
  await own.signsIn(scene.provider, idp, claims);
  const other = await addProvider(scene.owner, second, { name: "Other" });
  expect(await ssoBrowser(kit).signsIn(other, second, claims)).toMatchObject(NO_ACCOUNT);
  // Signed in by the first, they link it themselves.
  const { url } = (await own.send("POST", `/me/sso/${other}`)).body;
  second.claims = claims;
  expect(await own.end(other, second.allows(url))).toMatchObject({ body: { outcome: "linked" } });
  expect(await ssoBrowser(kit).signsIn(other, second, claims)).toMatchObject({ body: { outcome: "signed-in" } });
});

test("an e-mail that is given to another person at the provider leads to no one", async () => {
  const scene = await ssoScene(kit, idp);
  const vic = await scene.person("Vic", "CHAT_AGENT_MEMBER", null);
  const claims = { sub: "vic", email: vic.email, email_verified: true };
  await ssoBrowser(kit).signsIn(scene.provider, idp, claims);
  expect(await ssoBrowser(kit).signsIn(scene.provider, idp, { ...claims, sub: "new" })).toMatchObject(NO_ACCOUNT);
  expect((await scene.audited("refuse-sso"))[0]?.what).toMatchObject({ why: "other-account" });
  // An e-mail that changes there changes nothing here.
  const browser = ssoBrowser(kit);
  await browser.signsIn(scene.provider, idp, { sub: "vic", email: "boss@evil.example", email_verified: true });
  expect(await browser.me()).toMatchObject({ body: { agent: { id: vic.id, email: vic.email } } });
});

test("a team cannot prove another team's domain, nor sign in its people", async () => {
  const acme = await ssoScene(kit, idp);
  const sams = await ssoScene(kit, second, { creates_agents: true });
  const vic = await acme.person("Vic", "CHAT_AGENT_MEMBER", null);
  await sams.owner.post("/sso/domains", { domain: acme.domain });
  expect(await sams.owner.post(`/sso/domains/${acme.domain}/proof`)).toMatchObject({
    status: 422,
    body: { reasons: { domain: [{ reason: "sso-no-record" }] } },
  });
  const claims = { sub: "vic", email: vic.email, email_verified: true };
  expect(await ssoBrowser(kit).signsIn(sams.provider, second, claims)).toMatchObject(NO_ACCOUNT);
  // A provider of one team cannot be used with the key of another.
  const [, id] = acme.provider.split(".");
  const mixed = `${sams.acme.teamId}.${id}`;
  expect(await ssoBrowser(kit).begin(mixed)).toMatchObject({ status: 404 });
});

test("a provider that is pointed elsewhere knows no one any more, and its sessions end", async () => {
  const scene = await ssoScene(kit, idp);
  const vic = await scene.person("Vic", "CHAT_AGENT_MEMBER", null);
  const claims = { sub: "vic", email: vic.email, email_verified: true };
  const browser = ssoBrowser(kit);
  await browser.signsIn(scene.provider, idp, claims);
  expect(await browser.me()).toMatchObject({ status: 200 });
  expect(await scene.change({ issuer: second.issuer })).toMatchObject({ status: 200 });
  expect(await browser.me()).toMatchObject({ status: 401 });
  // The same subject there is not the same person: without the e-mail, there is no account.
  expect(await ssoBrowser(kit).signsIn(scene.provider, second, { sub: "vic" })).toMatchObject(NO_ACCOUNT);
  expect((await scene.audited("update-sso-provider"))[0]?.what).toMatchObject({ links_dropped: true });
  // Another client ID has other subjects.
  await ssoBrowser(kit).signsIn(scene.provider, second, claims);
  await scene.change({ client_id: "another" });
  expect((await scene.settings()).is_linked).toBe(false);
});

test("what a provider sends back is worth something in the browser that began it, once, for a while", async () => {
  const scene = await ssoScene(kit, idp);
  const vic = await scene.person("Vic", "CHAT_AGENT_MEMBER", null);
  const claims = { sub: "vic", email: vic.email, email_verified: true };
  const victim = ssoBrowser(kit);
  const attacker = ssoBrowser(kit);
  const { url } = (await attacker.begin(scene.provider)).body;
  idp.claims = claims;
  const query = idp.allows(url);
  // Without the cookie, and with that of another sign-in.
  expect(await victim.end(scene.provider, query)).toMatchObject(FAILED);
  await victim.begin(scene.provider);
  expect(await victim.end(scene.provider, query)).toMatchObject(FAILED);
  // A changed cookie is none.
  victim.cookies["frontdesk-sso"] = `${attacker.cookies["frontdesk-sso"]?.slice(0, -2)}AA`;
  expect(await victim.end(scene.provider, query)).toMatchObject(FAILED);
  const kept = { ...attacker.cookies };
  expect(await attacker.end(scene.provider, query)).toMatchObject({ status: 200 });
  // Again, with the old cookie: the code was used.
  expect(await ssoBrowser(kit, kept).end(scene.provider, query)).toMatchObject(FAILED);
  // Everything is right but the state.
  const other = ssoBrowser(kit);
  const changed = new URLSearchParams(idp.allows((await other.begin(scene.provider)).body.url));
  changed.set("state", "another");
  expect(await other.end(scene.provider, changed.toString())).toMatchObject(FAILED);
  // A wrong state, none, and an answer that is an error.
  for (const wrong of ["state=a&code=b", "code=b", "", "error=access_denied", `${query}&error=access_denied`]) {
    const browser = ssoBrowser(kit);
    await browser.begin(scene.provider);
    expect(await browser.end(scene.provider, wrong), wrong).toMatchObject(FAILED);
  }
  const late = ssoBrowser(kit);
  const begun = (await late.begin(scene.provider)).body.url;
  kit.clock.advance(10 * 60_000);
  expect(await late.end(scene.provider, idp.allows(begun))).toMatchObject(FAILED);
});

test("a token that is not signed by the provider, not for us, not now or not for this sign-in is refused", async () => {
  const scene = await ssoScene(kit, idp);
  const vic = await scene.person("Vic", "CHAT_AGENT_MEMBER", null);
  const claims = { sub: "vic", email: vic.email, email_verified: true };
  const refused = async (change: object, what: string) => {
    const browser = ssoBrowser(kit);
    expect(await browser.signsIn(scene.provider, idp, { ...claims, ...change }), what).toMatchObject(FAILED);
    expect(await browser.me()).toMatchObject({ status: 401 });
  };
  await refused({ nonce: "another" }, "nonce");
  await refused({ nonce: undefined }, "no nonce");
  await refused({ aud: "another-app" }, "aud");
  await refused({ aud: ["another-app", "a-third"] }, "aud list");
  await refused({ aud: ["frontdesk", "another-app"] }, "several without azp");
  await refused({ aud: ["frontdesk", "another-app"], azp: "another-app" }, "azp");
  await refused({ iss: second.issuer }, "iss");
  await refused({ iss: `${idp.issuer}/` }, "iss with a slash");
  await refused({ exp: 1 }, "exp");
  await refused({ sub: undefined }, "no sub");
  await refused({ sub: "" }, "empty sub");
  await refused({ sub: "a".repeat(300) }, "long sub");
  for (const signs of ["none", "with-secret", "with-other-key", "wrong-algorithm-name"] as const) {
    idp.signs = signs;
    await refused({}, signs);
    // Whatever it says that it can do; RS384 is one of ours.
    if (signs === "wrong-algorithm-name") continue;
    idp.document = { id_token_signing_alg_values_supported: ["RS256", "RS384", "HS256", "none"] };
    await refused({}, `${signs}, announced`);
    idp.document = {};
  }
  idp.signs = "right";
  // The answer of another provider, for those who mix them up (RFC 9207).
  const browser = ssoBrowser(kit);
  const { url } = (await browser.begin(scene.provider)).body;
  idp.claims = claims;
  const query = new URLSearchParams(idp.allows(url));
  query.set("iss", second.issuer);
  expect(await browser.end(scene.provider, query.toString())).toMatchObject(FAILED);
  expect(await ssoBrowser(kit).signsIn(scene.provider, idp, claims)).toMatchObject({ status: 200 });
});

test("a cookie of one provider is worth nothing at another's address", async () => {
  const scene = await ssoScene(kit, idp);
  const other = await addProvider(scene.owner, second, { name: "Other" });
  const vic = await scene.person("Vic", "CHAT_AGENT_MEMBER", null);
  idp.claims = { sub: "vic", email: vic.email, email_verified: true };
  const browser = ssoBrowser(kit);
  const { url } = (await browser.begin(scene.provider)).body;
  expect(new URL(url).searchParams.get("redirect_uri")).toContain(scene.provider);
  const query = idp.allows(url);
  expect(await browser.end(other, query)).toMatchObject(FAILED);
  // The premise: at its own address it signs in.
  expect(await browser.end(scene.provider, query)).toMatchObject({ body: { outcome: "signed-in" } });
});

test("what an agent has begun ends in their own session alone", async () => {
  const scene = await ssoScene(kit, idp);
  const ivy = await scene.person("Ivy", "CHAT_AGENT_MEMBER", null);
  const browser = ssoBrowser(kit);
  await browser.signsIn(scene.provider, idp, { sub: "ivy", email: ivy.email, email_verified: true });
  const of = async (path: string, browserOf = browser) => idp.allows((await browserOf.send("POST", path)).body.url);
  // Ivy signs out, and the owner signs in with the same browser.
  const link = await of(`/me/sso/${scene.provider}`);
  browser.cookies.frontdesk = scene.owner.cookie.replace("frontdesk=", "");
  idp.claims = { sub: "eve" };
  expect(await browser.end(scene.provider, link)).toMatchObject(FAILED);
  expect((await scene.owner.get("/me/sso")).body.providers).toMatchObject([{ linked_at: null }]);
  const test = await of(`/sso/providers/${scene.provider}/test`);
  delete browser.cookies.frontdesk;
  expect(await browser.end(scene.provider, test)).toMatchObject(FAILED);
});

test("a sign-in goes on to a path of ours, whatever was asked for", async () => {
  const scene = await ssoScene(kit, idp);
  const vic = await scene.person("Vic", "CHAT_AGENT_MEMBER", null);
  const claims = { sub: "vic", email: vic.email, email_verified: true };
  const goesTo = async (next: string) =>
    (await ssoBrowser(kit).signsIn(scene.provider, idp, claims, { next })).body.next;
  expect(await goesTo("/inbox?view=mine")).toBe("/inbox?view=mine");
  for (const wrong of [
    ...["https://evil.example", "//evil.example", "/\\evil.example", "\\\\evil.example", "/\t/evil.example"],
    ...["javascript:alert(1)", "inbox", "/a\\b", "/a b", "/%0a\n"],
  ]) {
    expect(await goesTo(wrong), wrong).toBeNull();
  }
});

test("nothing of a sign-in begins or ends from another site's page", async () => {
  const scene = await ssoScene(kit, idp);
  const foreign = { "sec-fetch-site": "cross-site" };
  const inject = (path: string, payload: object) =>
    kit.app.http.inject({ method: "POST", url: `/app/api${path}`, headers: foreign, payload });
  expect((await inject("/sso/begin", { provider: scene.provider })).statusCode).toBe(403);
  expect((await inject("/sso/end", { provider: scene.provider, query: "" })).statusCode).toBe(403);
  expect((await inject("/sso/link", { password: PASSWORD })).statusCode).toBe(403);
});

test("deactivated people stay out, also where new accounts are created", async () => {
  const scene = await ssoScene(kit, idp, { creates_agents: true });
  const vic = await scene.person("Vic", "CHAT_AGENT_MEMBER", null);
  const claims = { sub: "vic", email: vic.email, email_verified: true };
  await ssoBrowser(kit).signsIn(scene.provider, idp, claims);
  await scene.owner.post(`/agents/${vic.id}/deactivate`, {});
  for (const sub of ["vic", "new"]) {
    const answer = await ssoBrowser(kit).signsIn(scene.provider, idp, { ...claims, sub });
    expect(answer).toMatchObject({ status: 401, body: { reason: "account-deactivated" } });
    expect((await scene.audited("refuse-sso"))[0]?.what, sub).toMatchObject({ why: "deactivated" });
  }
  // Who was removed has no account here, and comes in as a new person.
  await scene.owner.post(`/agents/${vic.id}/remove`, {});
});
