/** Required second factors, and what admins can do about the sign-ins of others (docs/decisions/0069-ways-in.md). */
import { type OperationName, policy, policyOf } from "@frontdesk/core/domain/policy";
import { listen } from "@frontdesk/testing/live-client";
import {
  addApp,
  addPasskey,
  type Browser,
  newBrowser,
  PASSWORD,
  withApp,
  withPassword,
} from "@frontdesk/testing/second-factor";
import { OWN_PAGE, signedIn } from "@frontdesk/testing/signed-in";
import { everySignedInRequest } from "@frontdesk/testing/signed-in-requests";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { describe, expect, test } from "vitest";

const kit = await startTestApp({ TRUST_PROXY: "1" });
const { app, team } = kit;
const origin = await app.start();

const signIn = (browser: Browser, { email }: { email: string }) =>
  browser.post("/sign-in", { email, password: PASSWORD });
const isSignedIn = async (browser: Browser) => (await browser.get("/me")).status === 200;

describe("a required factor", () => {
  test("the next sign-in reaches the enrolment alone, and everything once there is a factor", async () => {
    const acme = await team();
    const olga = await signedIn(kit, acme, "CHAT_AGENT_OWNER");
    const grace = await withPassword(kit, acme, "CHAT_AGENT_OWNER");
    expect((await olga.patch("/team/sign-in-rules", { required: "admins" })).body).toEqual({
      required: "admins",
      trusts_browsers: true,
    });
    // Sessions from before go on.
    expect((await grace.browser.get("/v1/contacts")).status).toBe(200);
    const browser = newBrowser(kit);
    const answer = await signIn(browser, grace);
    expect(answer.body.must_enrol).toBe(true);
    const cookie = `frontdesk=${browser.cookies.get("frontdesk")}`;
    const open = Object.keys(policy).filter((name) => policyOf(name as OperationName).enrolment);
    for (const asked of everySignedInRequest()) {
      // Files are refused by what they hold first.
      if (asked.path.startsWith("/v1/files")) continue;
      const { status, body } = await browser.request(asked.method, asked.path, asked.body);
      const title = `${asked.method} ${asked.path} ${asked.performs}`;
      if (policyOf(asked.performs).enrolment) expect(body.reason, title).not.toBe("enrol-first");
      else expect({ title, status, reason: body.reason }).toEqual({ title, status: 403, reason: "enrol-first" });
    }
    expect(open.toSorted()).toEqual([
      "add-passkey",
      "begin-app",
      "begin-passkey",
      "begin-sso-proof",
      "confirm-app",
      "end-session",
      "get-own-factors",
      "get-own-profile",
      "list-own-sso",
      "verify-by-sso",
      "verify-session",
    ]);
    const socket = await listen(origin, {}, { cookie, ...OWN_PAGE });
    await expect.poll(socket.closed).toBeDefined();

    await addApp(kit, browser);
    expect((await browser.get("/me")).body.must_enrol).toBe(false);
    expect((await browser.get("/v1/contacts")).status).toBe(200);
    // The last one stays.
    const { app: own, is_required } = (await browser.get("/me/factors")).body;
    expect(is_required).toBe(true);
    expect(await browser.delete(`/me/factors/${own.id}`)).toMatchObject({
      status: 409,
      body: { reason: "last-factor" },
    });
  });

  test("is of admins and owners, of everybody, or of nobody", async () => {
    const acme = await team();
    const olga = await signedIn(kit, acme, "CHAT_AGENT_OWNER");
    const [member, admin] = [await withPassword(kit, acme), await withPassword(kit, acme, "CHAT_AGENT_ADMIN")];
    for (const [required, ofMember, ofAdmin] of [
      ["nobody", false, false],
      ["admins", false, true],
      ["everybody", true, true],
    ] as const) {
      expect((await olga.patch("/team/sign-in-rules", { required })).status).toBe(200);
      expect((await signIn(newBrowser(kit), member)).body.must_enrol, required).toBe(ofMember);
      expect((await signIn(newBrowser(kit), admin)).body.must_enrol, required).toBe(ofAdmin);
    }
  });

  test("is changed by owners alone", async () => {
    const acme = await team();
    const abe = await signedIn(kit, acme, "CHAT_AGENT_ADMIN");
    expect((await abe.patch("/team/sign-in-rules", { required: "everybody" })).status).toBe(403);
    expect((await abe.get("/team/sign-in-rules")).body).toEqual({ required: "nobody", trusts_browsers: true });
  });
});

describe("an admin", () => {
  test("ends another's sessions everywhere, and not those of an agent above them, or their own", async () => {
    const acme = await team();
    const [abe, olga] = [await signedIn(kit, acme, "CHAT_AGENT_ADMIN"), await signedIn(kit, acme, "CHAT_AGENT_OWNER")];
    const grace = await withPassword(kit, acme);
    const cookie = `frontdesk=${grace.browser.cookies.get("frontdesk")}`;
    const socket = await listen(origin, {}, { cookie, ...OWN_PAGE });
    await socket.heard("ready");
    expect((await abe.delete(`/agents/${grace.id}/sessions`)).body).toEqual({ ended: 1 });
    expect(await isSignedIn(grace.browser)).toBe(false);
    await expect.poll(socket.closed).toMatchObject({ code: 4001 });
    expect((await abe.delete(`/agents/${olga.actor.agentId}/sessions`)).status).toBe(403);
    expect((await abe.delete(`/agents/${abe.actor.agentId}/sessions`)).status).toBe(422);
    const mia = await signedIn(kit, acme);
    expect((await mia.delete(`/agents/${abe.actor.agentId}/sessions`)).status).toBe(403);
  });

  test("sees who has one: an app that has shown a code, or a passkey; members do not", async () => {
    const acme = await team();
    const abe = await signedIn(kit, acme, "CHAT_AGENT_ADMIN");
    const [grace, olga] = [await withApp(kit, acme), await signedIn(kit, acme, "CHAT_AGENT_OWNER")];
    await addPasskey(olga);
    const begun = await withPassword(kit, acme);
    await begun.browser.post("/me/factors/app");
    await withApp(kit, await team());
    const { status, body } = await abe.get("/team/factors");
    expect([status, body.agent_ids.toSorted()]).toEqual([200, [grace.id, olga.actor.agentId].toSorted()]);
    expect((await (await signedIn(kit, acme)).get("/team/factors")).status).toBe(403);
  });

  test("removes the factors of an agent who has lost them; the password is as before", async () => {
    const acme = await team();
    const [abe, olga] = [await signedIn(kit, acme, "CHAT_AGENT_ADMIN"), await signedIn(kit, acme, "CHAT_AGENT_OWNER")];
    const grace = await withApp(kit, acme);
    expect((await abe.delete(`/agents/${grace.id}/factors`)).body).toEqual({ removed: true });
    expect((await abe.delete(`/agents/${grace.id}/factors`)).body).toEqual({ removed: false });
    expect((await signIn(newBrowser(kit), grace)).body).toHaveProperty("agent");
    expect((await abe.delete(`/agents/${olga.actor.agentId}/factors`)).status).toBe(403);
    expect((await abe.delete(`/agents/${abe.actor.agentId}/factors`)).status).toBe(422);
  });
});
