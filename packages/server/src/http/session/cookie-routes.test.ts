/** Every route that sets a cookie does so only for a page of ours (docs/decisions/0025-signed-in-agents.md). */

import { passkeyDevice } from "@frontdesk/testing/passkey-device";
import { newBrowser, withApp, withPassword } from "@frontdesk/testing/second-factor";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { describe, expect, test } from "vitest";
import { hashPassword } from "../../access/password.ts";
import { createAgent } from "../../agents/create-agent.ts";
import { newSetupToken } from "../../setup/setup-token.ts";

const kit = await startTestApp({ TRUST_PROXY: "1" });
const { app, team, runtime } = kit;
const PASSWORD = "four words nobody guesses";
const acme = await team();
const abe = await signedIn(kit, acme, "CHAT_AGENT_ADMIN");

interface Asked {
  url: string;
  headers?: Record<string, string>;
  payload: string;
}

const json = (url: string, body: object): Asked => ({
  url,
  headers: { "content-type": "application/json" },
  payload: JSON.stringify(body),
});

async function joinToken(): Promise<string> {
  const { body } = await abe.post("/v1/agents/invite", { agents: [`lin-${runtime.newId()}@acme.test`] });
  return /\/join\/(\w+)/.exec(body.message)?.[1] ?? "";
}

/** Each route with a request that it answers with a cookie. `stories/house/cookies.test.ts` holds the list to the sources. */
const routes: Record<string, () => Promise<Asked>> = {
  "POST /app/api/sign-in": async () => {
    const email = `eva-${runtime.newId()}@acme.test`;
    const passwordHash = await hashPassword(PASSWORD);
    const eva = { name: "Eva", email, role: "CHAT_AGENT_MEMBER", passwordHash } as const;
    await app.perform(acme.actor, createAgent, eva);
    return json("/app/api/sign-in", { email, password: PASSWORD });
  },
  "POST /app/api/sign-out": async () => json("/app/api/sign-out", {}),
  "POST /app/api/sign-in/second-step": async () => {
    const grace = await withApp(kit, acme);
    const browser = newBrowser(kit);
    await browser.post("/sign-in", { email: grace.email, password: grace.password });
    const cookie = `__Host-frontdesk-second-step=${browser.cookies.get("frontdesk-second-step")}`;
    const asked = json("/app/api/sign-in/second-step", { recovery_code: grace.recoveryCodes[0] });
    return { ...asked, headers: { ...asked.headers, cookie } };
  },
  "POST /app/api/sign-in/passkey/options": async () => json("/app/api/sign-in/passkey/options", {}),
  "POST /app/api/sign-in/passkey": async () => {
    const { browser } = await withPassword(kit, acme);
    const device = passkeyDevice("https://chat.test");
    const { options } = (await browser.post("/me/passkeys/options")).body;
    await browser.post("/me/passkeys", { name: "Phone", response: device.create(options) });
    const asked = (await browser.post("/sign-in/passkey/options")).body.options;
    const cookie = `__Host-frontdesk-challenge=${browser.cookies.get("frontdesk-challenge")}`;
    const sent = json("/app/api/sign-in/passkey", { response: device.sign(asked) });
    return { ...sent, headers: { ...sent.headers, cookie } };
  },
  "POST /app/api/session/verify": async () => {
    const grace = await withPassword(kit, acme);
    const asked = json("/app/api/session/verify", { password: grace.password });
    const cookie = `__Host-frontdesk=${grace.browser.cookies.get("frontdesk")}`;
    return { ...asked, headers: { ...asked.headers, cookie } };
  },
  "POST /app/api/me/passkeys/options": async () => {
    const { browser } = await withPassword(kit, acme);
    const asked = json("/app/api/me/passkeys/options", {});
    return { ...asked, headers: { ...asked.headers, cookie: `__Host-frontdesk=${browser.cookies.get("frontdesk")}` } };
  },
  "POST /app/api/join/{token}": async () =>
    json(`/app/api/join/${await joinToken()}`, { name: "Lin", password: PASSWORD }),
};

let addresses = 0;
function newAddress(): string {
  addresses += 1;
  return `10.1.${addresses >> 8}.${addresses & 255}`;
}

const send = (route: string, { url, headers, payload }: Asked, from: Record<string, string>) =>
  app.http.inject({
    method: route.split(" ")[0] as "POST",
    url,
    payload,
    headers: { host: "chat.test", ...headers, ...from },
    // Each from an address of its own: tries to sign in are counted by address.
    remoteAddress: newAddress(),
  });

/** The headers of browsers for a request from a page of another site, or one whose origin they hide. */
const foreign: [string, Record<string, string>][] = [
  ["another site", { "sec-fetch-site": "cross-site", origin: "https://mallory.test" }],
  ["another host of our site", { "sec-fetch-site": "same-site", origin: "https://blog.chat.test" }],
  ["another site, by a browser without Sec-Fetch-Site", { origin: "https://mallory.test" }],
  ["a page that hides its origin", { origin: "null" }],
  ["a page that hides its origin, of another site", { "sec-fetch-site": "cross-site", origin: "null" }],
  ["nowhere", {}],
];
const own: [string, Record<string, string>][] = [
  ["a page of ours", { "sec-fetch-site": "same-origin", origin: "https://chat.test" }],
  ["a page of ours that hides its origin", { "sec-fetch-site": "same-origin", origin: "null" }],
  ["a page of ours over plain http", { origin: "http://chat.test" }],
];

describe.each(Object.keys(routes))("%s", (route) => {
  test.each(foreign)("sets no cookie for %s, and does nothing", async (_name, from) => {
    const asked = await routes[route]?.();
    if (!asked) throw new Error(`There is no request for ${route}.`);
    const before = (await acme.events()).length;
    const answer = await send(route, asked, from);
    expect([answer.statusCode, answer.headers["set-cookie"]]).toEqual([403, undefined]);
    expect((await acme.events()).length).toBe(before);
    expect((await send(route, asked, { "sec-fetch-site": "same-origin" })).headers["set-cookie"]).toBeDefined();
  });

  test.each(own)("sets one for %s", async (_name, from) => {
    const asked = await routes[route]?.();
    if (!asked) throw new Error(`There is no request for ${route}.`);
    const answer = await send(route, asked, from);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["set-cookie"]).toBeDefined();
  });
});

test("POST /app/api/setup sets no cookie for another site, makes no team, and its link goes on working", async () => {
  const fresh = await startTestApp();
  const token = await newSetupToken(fresh.storage, fresh.runtime);
  const owner = { name: "Ada", email: "ada@acme.test", password: PASSWORD };
  const asked = json("/app/api/setup", { token, team_name: "Acme", ...owner, widget_name: "Website" });
  const sent = (from: Record<string, string>) =>
    fresh.app.http.inject({ method: "POST", ...asked, headers: { host: "chat.test", ...asked.headers, ...from } });
  for (const [name, from] of foreign) {
    const { statusCode, headers } = await sent(from);
    expect([statusCode, headers["set-cookie"]], name).toEqual([403, undefined]);
  }
  const done = await sent({ origin: "http://chat.test" });
  expect([done.statusCode, done.headers["set-cookie"]]).toEqual([
    200,
    [expect.stringContaining("fd_session_"), expect.stringContaining("fd_browser_")],
  ]);
});
