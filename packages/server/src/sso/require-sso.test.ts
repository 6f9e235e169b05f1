/** Single sign-on that is required for a domain, and the ways out of it (rows B5, B6, B7 and B12 of the bar). */
import { sharedAuthority } from "@frontdesk/testing/certificates";
import { startHostileIdp } from "@frontdesk/testing/hostile-idp";
import { query } from "@frontdesk/testing/second-app";
import { PASSWORD, ssoBrowser, ssoScene } from "@frontdesk/testing/sso-scene";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { afterAll, describe, expect, test } from "vitest";
import { inviteAgents } from "../agents/invite-agents.ts";
import { createSignIn } from "../sessions/sign-in.ts";
import { turnOffSso } from "./sso-domains.ts";

const authority = sharedAuthority();
const idp = await startHostileIdp(authority);
const records = new Map<string, string[]>();
const kit = await startTestApp(
  {
    SSO_ALLOWED_NETWORKS: "127.0.0.0/8",
    TRUST_PROXY: "1",
    PUBLIC_URL: "http://localhost",
    SMTP_URL: "smtp://127.0.0.1:1",
  },
  {
    extraCa: authority.ca,
    domainRecords: { mx: async () => [], txt: async (name) => records.get(name) ?? "no-domain" },
  },
);
const { app, storage } = kit;
idp.now = kit.clock.now;
afterAll(() => idp.close());

/** With SSO required; `boss` is the owner who keeps a password, `owner` the one who has set it up. */
async function requiredScene() {
  const scene = await ssoScene(kit, idp);
  const boss = await scene.person("Boss", "CHAT_AGENT_OWNER");
  await linkOwner(scene);
  await scene.owner.request("PUT", `/sso/break-glass/${boss.id}`, { on: true });
  return { ...scene, boss, requires: (on: boolean) => requires(scene, on) };
}

type Scene = Awaited<ReturnType<typeof ssoScene>>;

const requires = ({ owner, domain }: Scene, on: boolean) =>
  owner.request("PUT", `/sso/domains/${domain}/required`, { on });

async function linkOwner({ owner, provider }: Scene) {
  const mine = ssoBrowser(kit, { frontdesk: owner.cookie.replace("frontdesk=", "") });
  const { url } = (await mine.send("POST", `/me/sso/${provider}`)).body;
  idp.claims = { sub: owner.actor.agentId };
  await mine.end(provider, idp.allows(url));
}

const signIn = (email: string, password = PASSWORD) => ssoBrowser(kit).send("POST", "/sign-in", { email, password });

test("a domain is the team's once its record is found, and no other team's then", async () => {
  const scene = await ssoScene(kit, idp);
  const sams = await ssoScene(kit, idp);
  const added = (await scene.owner.post("/sso/domains", { domain: "New.Example " })).body;
  const mine = added.domains.find(({ domain }: { domain: string }) => domain === "new.example");
  expect(mine).toMatchObject({ record_name: "_frontdesk.new.example", is_proven: false });
  const prove = (who = scene) => who.owner.post("/sso/domains/new.example/proof");
  const wrong = (reason: string) => ({ status: 422, body: { reasons: { domain: [{ reason }] } } });
  expect(await prove()).toMatchObject(wrong("sso-no-record"));
  const theirs = (await sams.owner.post("/sso/domains", { domain: "new.example" })).body;
  const other = theirs.domains.find(({ domain }: { domain: string }) => domain === "new.example");
  // The record of one team does not prove it for another.
  records.set("_frontdesk.new.example", ["v=spf1 -all", mine.record_value]);
  expect(await prove(sams)).toMatchObject(wrong("sso-no-record"));
  expect(await prove()).toMatchObject({ status: 200 });
  records.set("_frontdesk.new.example", [mine.record_value, other.record_value]);
  expect(await prove(sams)).toMatchObject(wrong("sso-domain-taken"));
  expect(await scene.owner.delete("/sso/domains/new.example")).toMatchObject({ status: 200 });
  expect(await prove(sams)).toMatchObject({ status: 200 });
  for (const none of ["acme", "127.0.0.1", "a b.example", "-a.example"])
    expect(await scene.owner.post("/sso/domains", { domain: none }), none).toMatchObject(wrong("sso-domain"));
  expect(await scene.owner.post("/sso/domains/nowhere.example/proof")).toMatchObject({ status: 404 });
});

describe("where it is required", () => {
  test("a password, a forgotten one and an invitation are answered as for an unknown e-mail", async () => {
    const scene = await requiredScene();
    const ivy = await scene.person("Ivy");
    const invited = { invitees: [{ email: `lin@${scene.domain}`, name: null, role: "CHAT_AGENT_MEMBER" as const }] };
    let link = "";
    const joinUrl = (token: string) => {
      link = token;
      return token;
    };
    await app.perform(scene.acme.actor, inviteAgents, { ...invited, joinUrl, mail: false } as never);
    expect(await signIn(ivy.email)).toMatchObject({ status: 200 });
    expect(await scene.requires(true)).toMatchObject({ status: 200 });

    const unknown = await signIn("nobody@nowhere.example");
    const theirs = await signIn(ivy.email);
    expect([theirs.status, theirs.body]).toEqual([unknown.status, unknown.body]);
    expect(await signIn(ivy.email, "wrong password")).toMatchObject({ status: 401, body: unknown.body });
    const ask = (email: string) => ssoBrowser(kit).send("POST", "/password-reset", { email });
    const [asked, askedUnknown] = [await ask(ivy.email), await ask("nobody@nowhere.example")];
    expect([asked.status, asked.body]).toEqual([askedUnknown.status, askedUnknown.body]);
    expect(await query(storage, `SELECT * FROM password_resets WHERE agent_id = '${ivy.id}'`)).toEqual([]);
    const join = (token: string) => ssoBrowser(kit).send("POST", `/join/${token}`, { name: "Lin", password: PASSWORD });
    const [joined, joinedUnknown] = [await join(link), await join("fd_invite_none")];
    expect([joined.status, joined.body]).toEqual([joinedUnknown.status, joinedUnknown.body]);
    expect(await ssoBrowser(kit).send("GET", `/join/${link}`)).toMatchObject({ body: { by_sso: true } });
    // The link of the provider is the way, and the password links once.
    const claims = { sub: "ivy", email: ivy.email, email_verified: true };
    const browser = ssoBrowser(kit);
    expect(await browser.signsIn(scene.provider, idp, claims)).toMatchObject({ body: { outcome: "password-needed" } });
    expect(await browser.send("POST", "/sso/link", { password: PASSWORD })).toMatchObject({ status: 200 });
  });

  test("as much is done as for an unknown e-mail, so that the time of an answer says nothing", async () => {
    const scene = await requiredScene();
    const ivy = await scene.person("Ivy");
    await scene.requires(true);
    let compared = 0;
    const signIn = createSignIn({
      ...{ storage, perform: app.perform, onFailure: () => {} },
      fits: async () => {
        compared += 1;
        return true;
      },
    });
    for (const email of [ivy.email, "nobody@nowhere.example"]) {
      compared = 0;
      await expect(signIn.whoIs({ email, password: PASSWORD, ip: "192.0.2.1" })).rejects.toThrow(/incorrect/);
      expect(compared).toBe(1);
    }
  });

  test("sessions of other ways end at once, those of named owners and by SSO stay", async () => {
    const scene = await requiredScene();
    const ivy = await scene.person("Ivy");
    const eve = await scene.person("Eve", "CHAT_AGENT_MEMBER", null);
    const [hers, bosses, bySso] = [ssoBrowser(kit), ssoBrowser(kit), ssoBrowser(kit)];
    await hers.send("POST", "/sign-in", { email: ivy.email, password: PASSWORD });
    await bosses.send("POST", "/sign-in", { email: scene.boss.email, password: PASSWORD });
    await bySso.signsIn(scene.provider, idp, { sub: "eve", email: eve.email, email_verified: true });
    await scene.requires(true);
    expect(await hers.me()).toMatchObject({ status: 401 });
    expect(await bosses.me()).toMatchObject({ status: 200 });
    expect(await bySso.me()).toMatchObject({ status: 200 });
    // The owner's e-mail is of another domain.
    expect(await scene.owner.get("/me")).toMatchObject({ status: 200 });
  });

  test("a named owner gets in while the provider is away, and the terminal ends it for everyone", async () => {
    const own = await startHostileIdp(authority);
    const scene = await ssoScene(kit, own);
    const boss = await scene.person("Boss", "CHAT_AGENT_OWNER");
    const ivy = await scene.person("Ivy");
    const mine = ssoBrowser(kit, { frontdesk: scene.owner.cookie.replace("frontdesk=", "") });
    own.claims = { sub: "olga" };
    await mine.end(scene.provider, own.allows((await mine.send("POST", `/me/sso/${scene.provider}`)).body.url));
    await scene.owner.request("PUT", `/sso/break-glass/${boss.id}`, { on: true });
    expect(await requires(scene, true)).toMatchObject({ status: 200 });
    await own.close();
    expect(await ssoBrowser(kit).begin(scene.provider)).toMatchObject({ status: 503, body: { reason: "sso-away" } });
    expect(await signIn(boss.email)).toMatchObject({ status: 200 });
    expect(await signIn(ivy.email)).toMatchObject({ status: 401 });
    expect(await app.perform(scene.acme.actor, turnOffSso, {})).toEqual([scene.domain]);
    expect(await signIn(ivy.email)).toMatchObject({ status: 200 });
    expect(await app.perform(scene.acme.actor, turnOffSso, {})).toEqual([]);
    expect(await scene.audited("turn-off-sso")).toHaveLength(1);
  });
});

describe("no order of switches locks a team out", () => {
  const locked = (field: string, reason = "sso-required") => ({
    status: 422,
    body: { reasons: { [field]: [{ reason }] } },
  });

  test("before it is required: a proven domain, the owner's own account, and a named owner with a password", async () => {
    const scene = await ssoScene(kit, idp);
    const boss = await scene.person("Boss", "CHAT_AGENT_OWNER");
    const none = await scene.person("None", "CHAT_AGENT_OWNER", null);
    const member = await scene.person("Mia");
    await scene.owner.post("/sso/domains", { domain: "unproven.example" });
    const unproven = await scene.owner.request("PUT", "/sso/domains/unproven.example/required", { on: true });
    expect(unproven).toMatchObject(locked("on", "sso-not-proven"));
    expect(await requires(scene, true)).toMatchObject(locked("on", "sso-sign-in-first"));
    await linkOwner(scene);
    expect(await requires(scene, true)).toMatchObject(locked("on", "sso-no-break-glass"));
    for (const wrong of [none, member]) {
      const answer = await scene.owner.request("PUT", `/sso/break-glass/${wrong.id}`, { on: true });
      expect(answer).toMatchObject(locked("agent", "sso-not-owner"));
    }
    await scene.owner.request("PUT", `/sso/break-glass/${boss.id}`, { on: true });
    await scene.change({ is_on: false });
    expect(await requires(scene, true)).toMatchObject(locked("on", "sso-sign-in-first"));
    await scene.change({ is_on: true });
    expect(await requires(scene, true)).toMatchObject({ status: 200 });
  });

  test("while it is required, the last provider and the last named owner stay as they are", async () => {
    const scene = await requiredScene();
    await scene.requires(true);
    expect(await scene.change({ is_on: false })).toMatchObject(locked("is_on"));
    expect(await scene.change({ client_id: "another" })).toMatchObject(locked("client_id"));
    expect(await scene.owner.delete(`/sso/providers/${scene.provider}`)).toMatchObject(locked("provider"));
    const { boss } = scene;
    expect(await scene.owner.request("PUT", `/sso/break-glass/${boss.id}`, { on: false })).toMatchObject(
      locked("agent"),
    );
    expect(await scene.owner.post(`/agents/${boss.id}/deactivate`, {})).toMatchObject(locked("agent"));
    const lower = () => scene.owner.patch(`/agents/${boss.id}`, { role: "CHAT_AGENT_MEMBER" });
    expect(await lower()).toMatchObject(locked("role"));
    // With another one named, this one may go; and is named no longer when they come back.
    const next = await scene.person("Next", "CHAT_AGENT_OWNER");
    await scene.owner.request("PUT", `/sso/break-glass/${next.id}`, { on: true });
    expect(await lower()).toMatchObject({ status: 200 });
    await scene.owner.patch(`/agents/${boss.id}`, { role: "CHAT_AGENT_OWNER" });
    expect(await signIn(boss.email)).toMatchObject({ status: 401 });
    expect(await signIn(next.email)).toMatchObject({ status: 200 });
    // Not required any more, all of it is free.
    await scene.requires(false);
    expect(await scene.owner.request("PUT", `/sso/break-glass/${next.id}`, { on: false })).toMatchObject({
      status: 200,
    });
    expect(await scene.owner.delete(`/sso/providers/${scene.provider}`)).toMatchObject({ status: 200 });
    expect(await signIn(boss.email)).toMatchObject({ status: 200 });
  });

  test("an owner who is named no longer goes on by SSO alone", async () => {
    const scene = await requiredScene();
    const next = await scene.person("Next", "CHAT_AGENT_OWNER");
    await scene.owner.request("PUT", `/sso/break-glass/${next.id}`, { on: true });
    await scene.requires(true);
    const browser = ssoBrowser(kit);
    await browser.send("POST", "/sign-in", { email: next.email, password: PASSWORD });
    await scene.owner.request("PUT", `/sso/break-glass/${next.id}`, { on: false });
    expect(await browser.me()).toMatchObject({ status: 401 });
    expect(await signIn(next.email)).toMatchObject({ status: 401 });
  });
});
