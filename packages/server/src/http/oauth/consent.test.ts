/** The consent: who may answer, what they see, and where the browser goes (S11, S13, S17; A11 to A13, A15). */
import { ISSUER, listTools, oauthApp, type Query, registeredApp, toolNames } from "@frontdesk/testing/oauth-app";
import { query } from "@frontdesk/testing/second-app";
import { asPage, signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp } from "@frontdesk/testing/test-kit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { deactivateAgent } from "../../agents/deactivate-agent.ts";
import { reactivateAgent } from "../../agents/reactivate-agent.ts";
import { setAgentRole } from "../../agents/set-agent-role.ts";

const kit = await startTestApp({ TOOL_RATE_LIMIT: "100000" });
const acme = await kit.team();
let admin = await signedIn(kit, acme, "CHAT_AGENT_ADMIN");
let member = await signedIn(kit, acme, "CHAT_AGENT_MEMBER");
const robin = await registeredApp(kit);

/** What the page is opened with. */
async function carriedBy(change?: Query): Promise<string> {
  const { status, headers } = await robin.authorize(change);
  expect(status).toBe(302);
  const to = new URL(headers.location ?? "");
  expect(to.origin + to.pathname).toBe(`${ISSUER}/app/connect`);
  return to.searchParams.get("request") ?? "";
}
const chosen = { permissions: ["view_tags"], widgets: "all", channels: [], agent_id: null };

test("the page says who asks, where the browser will go, and what there is of it", async () => {
  const asked = await carriedBy();
  expect((await admin.post("/connect/request", { query: asked })).body).toEqual({
    problem: null,
    send_back: null,
    asked: {
      ...{ name: "Robin", host: null, redirect_host: "robin.test", redirect_kind: "website", resource: "mcp" },
      ...{ connection: null, admins: [] },
    },
  });
  const { redirect_to } = (await admin.post("/connect", { query: asked, ...chosen })).body;
  const back = new URL(redirect_to);
  expect(back.origin + back.pathname).toBe(robin.redirectUri);
  expect(Object.fromEntries(back.searchParams)).toEqual({
    ...{ code: expect.stringMatching(/^fd_code_/), state: "a state", iss: ISSUER },
  });
  const seen = (await admin.post("/connect/request", { query: asked })).body.asked.connection;
  expect(seen).toMatchObject({ permissions: ["view_tags"], widgets: "all", channels: [], agent_id: null });
});

test("who has signed in long ago proves first who they are", async () => {
  const abe = await signedIn(kit, acme, "CHAT_AGENT_ADMIN");
  const asked = await carriedBy();
  kit.clock.advance(16 * 60_000);
  const { status, body } = await abe.post("/connect", { query: asked, ...chosen });
  expect([status, body.reason]).toEqual([403, "verify-again"]);
  expect((await (await abe.again()).post("/connect", { query: asked, ...chosen })).status).toBe(200);
  admin = await admin.again();
  member = await member.again();
});

test("a refusal goes back with access_denied and iss, and stores nothing", async () => {
  const before = await query(kit.storage, "SELECT count(*) AS n FROM audit_log");
  for (const person of [admin, member]) {
    const { body } = await person.post("/connect/refusal", { query: await carriedBy({ state: undefined }) });
    const back = new URL(body.redirect_to);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      ...{ error: "access_denied", error_description: expect.any(String), iss: ISSUER },
    });
  }
  expect(await query(kit.storage, "SELECT count(*) AS n FROM audit_log")).toEqual(before);
});

test("members see whom to ask, and cannot allow it", async () => {
  const asked = await carriedBy();
  const { body } = await member.post("/connect/request", { query: asked });
  expect(body.asked.admins).toEqual(expect.arrayContaining(["Ada", "Abe"]));
  expect(body.asked.admins).not.toContain("Mia");
  expect((await member.post("/connect", { query: asked, ...chosen })).status).toBe(403);
});

test("an answer has to come from a page of ours, by someone who is signed in, with a body of JSON", async () => {
  const body = { query: await carriedBy(), ...chosen };
  const { cookie } = admin;
  const forged: [string, Record<string, string>, number][] = [
    ["another site", { cookie, "sec-fetch-site": "cross-site" }, 403],
    ["a page of a neighbour", { cookie, "sec-fetch-site": "same-site" }, 403],
    ["another origin", { cookie, "sec-fetch-site": "", origin: "https://evil.test" }, 403],
    ["an address that was typed", { cookie, "sec-fetch-site": "none" }, 403],
    ["no one who is signed in", {}, 401],
    ["a form", { cookie, "content-type": "application/x-www-form-urlencoded" }, 415],
  ];
  for (const [what, headers, status] of forged) {
    expect((await asPage(kit, "POST", "/connect", { body, headers })).status, what).toBe(status);
  }
  const key = { "x-api-key": acme.apiKey };
  expect((await asPage(kit, "POST", "/connect", { body, headers: key })).status).toBe(401);
});

const wrongForPeople: [string, Query, string][] = [
  ["no client", { client_id: undefined }, "unknown-app"],
  ["an unknown client", { client_id: "x" }, "unknown-app"],
  ["no redirect", { redirect_uri: undefined }, "unknown-redirect"],
  ["another redirect", { redirect_uri: "https://evil.test/callback" }, "unknown-redirect"],
  ["a redirect with more path", { redirect_uri: "https://robin.test/callback/x" }, "unknown-redirect"],
  ["a redirect with a query", { redirect_uri: "https://robin.test/callback?x=1" }, "unknown-redirect"],
  ["a redirect of another host", { redirect_uri: "https://robin.test.evil.test/callback" }, "unknown-redirect"],
  ["a redirect with a user", { redirect_uri: "https://robin.test@evil.test/callback" }, "unknown-redirect"],
  ["too much", { state: "x".repeat(9_000) }, "unreadable"],
];
test.each(wrongForPeople)("%s: a page of ours, and never an address of the request", async (_what, change, problem) => {
  const { status, headers } = await robin.authorize(change);
  expect([status, headers.location]).toEqual([302, `${ISSUER}/app/connect?problem=${problem}`]);
});

const wrongForApps: [string, Query, string][] = [
  ["no response_type", { response_type: undefined }, "invalid_request"],
  ["the implicit flow", { response_type: "token" }, "unsupported_response_type"],
  ["a hybrid one", { response_type: "code id_token" }, "unsupported_response_type"],
  ["an answer in the fragment", { response_mode: "fragment" }, "invalid_request"],
  ["no PKCE", { code_challenge: undefined, code_challenge_method: undefined }, "invalid_request"],
  ["plain PKCE", { code_challenge_method: "plain" }, "invalid_request"],
  ["PKCE without its method, which means plain", { code_challenge_method: undefined }, "invalid_request"],
  ["a challenge that is no hash", { code_challenge: "x" }, "invalid_request"],
  ["a request object", { request: "x.y.z" }, "invalid_request"],
  ["another resource", { resource: "https://evil.test/mcp" }, "invalid_target"],
  ["a resource that is none", { resource: "mcp" }, "invalid_target"],
];
test.each(wrongForApps)("%s: the app is told, with state and iss", async (_what, change, error) => {
  const { status, headers } = await robin.authorize(change);
  const back = new URL(headers.location ?? "");
  expect([status, back.origin + back.pathname]).toEqual([302, robin.redirectUri]);
  expect(Object.fromEntries(back.searchParams)).toEqual({
    ...{ error, error_description: expect.any(String), state: "a state", iss: ISSUER },
  });
});

test("a parameter that is there twice is refused", async () => {
  const at = (query: string) => kit.app.http.inject({ method: "GET", url: `/oauth/authorize?${query}` });
  const twice = await at(`${robin.query()}&response_type=code`);
  expect(new URL(twice.headers.location ?? "").searchParams.get("error")).toBe("invalid_request");
  const clients = await at(`${robin.query()}&client_id=x`);
  expect(clients.headers.location).toMatch(/problem=unknown-app$/);
  const redirects = await at(`${robin.query()}&redirect_uri=https://evil.test/`);
  expect(redirects.headers.location).toMatch(/problem=unknown-redirect$/);
});

test("state comes back letter by letter", async () => {
  for (const state of ["1e5", "true", "null", '{"a":1}', "ä +%20&=#?", "007", "a".repeat(4_000)]) {
    const { body } = await admin.post("/connect/refusal", { query: await carriedBy({ state }) });
    expect(new URL(body.redirect_to).searchParams.get("state")).toBe(state);
  }
});

test("whatever the redirect is, the browser goes to a registered one or to us", async () => {
  const hosts = ["robin.test", "evil.test", "robin.test@evil.test", "evil.test#robin.test", "robin.test\\.evil.test"];
  const parts = fc.record({
    scheme: fc.constantFrom("https://", "http://", "//", "javascript:", "data:", "cursor://", "HTTPS://", "https:\\\\"),
    host: fc.oneof(fc.constantFrom(...hosts), fc.string({ maxLength: 20 })),
    path: fc.oneof(
      fc.constantFrom("/callback", "/callback/..", "/callback?", "/%63allback", "/x/../callback"),
      fc.string(),
    ),
  });
  await fc.assert(
    fc.asyncProperty(parts, async ({ scheme, host, path }) => {
      const { headers } = await robin.authorize({ redirect_uri: scheme + host + path });
      const to = headers.location ?? "";
      expect(to.startsWith(`${ISSUER}/app/connect?`)).toBe(true);
      if (to.includes("request=")) expect(scheme + host + path).toBe(robin.redirectUri);
    }),
    { numRuns: 500 },
  );
});

test("the answer is checked again: what a page sends is no more than what an app may ask for", async () => {
  const made = (query: string) => `q${Buffer.from(query).toString("base64url")}`;
  for (const query of [
    "",
    "x",
    made("client_id=x"),
    made(robin.query({ redirect_uri: "https://evil.test/" })),
    made(`client_id=x&state=${"a".repeat(8_300)}`),
  ]) {
    const { status, body } = await admin.post("/connect", { query: query || "q", ...chosen });
    expect([status, body.reasons?.query?.[0]?.reason]).toEqual([422, "app-request"]);
  }
  const wrong = await admin.post("/connect", {
    query: made(robin.query({ code_challenge_method: "plain" })),
    ...chosen,
  });
  expect(wrong.body.redirect_to).toMatch(/^https:\/\/robin\.test\/callback\?error=invalid_request/);
  const grant = { query: await carriedBy(), ...chosen, permissions: ["fly"], widgets: [acme.teamId] };
  expect((await admin.post("/connect", grant)).body.errors).toEqual({
    ...{ permissions: [expect.any(String)], widgets: [expect.any(String)] },
  });
});

test("the same app of the same person keeps its connection; another person, app or address has its own", async () => {
  const app = await registeredApp(kit, { name: "Same", redirectUri: "http://localhost:1/callback" });
  const connections = async () => {
    const { data } = (await acme.get("/assistants?limit=100")).body;
    return data.filter(({ attributes }: { attributes: { name: string } }) => attributes.name === "Same");
  };
  await app.connect(admin);
  // Hosts register anew at each start, with another port.
  const again = await registeredApp(kit, { name: "Same", redirectUri: "http://localhost:2/callback" });
  const { access } = await again.connect(admin, { permissions: ["add_notes"] });
  const [one, ...others] = await connections();
  expect([one.attributes.permissions, others]).toEqual([["add_notes"], []]);
  expect(await toolNames(kit, access)).toEqual(["add-note"]);

  const olga = await signedIn(kit, acme, "CHAT_AGENT_OWNER");
  await app.connect(olga);
  await app.connect(admin, {}, { resource: `${ISSUER}/mcp/readonly` });
  await (await registeredApp(kit, { name: "Same", redirectUri: "http://127.0.0.1:2/callback" })).connect(admin);
  expect(await connections()).toHaveLength(4);
});

test("the same app on 20 computers of a person stays connected on each; the 21st ends the first", async () => {
  const app = await registeredApp(kit, { name: "Many" });
  const all: { access: string }[] = [];
  for (let count = 0; count < 21; count += 1) all.push(await app.connect(admin));
  const statuses = await Promise.all(all.map(async ({ access }) => (await listTools(kit, access)).status));
  expect(statuses).toEqual([401, ...Array.from({ length: 20 }, () => 200)]);
});

test("an app has no tools while its maker is deactivated or no admin, and a permission that is added works at once", async () => {
  const abe = await signedIn(kit, acme, "CHAT_AGENT_ADMIN");
  const app = await registeredApp(kit, { name: "Made" });
  const { access, refresh } = await app.connect(abe, { permissions: ["view_tags"] });
  const { data } = (await acme.get("/assistants?limit=100")).body;
  const { id } = data.find(({ attributes }: { attributes: { name: string } }) => attributes.name === "Made");
  expect(await toolNames(kit, access)).toEqual(["view-tags"]);
  await acme.patch(`/assistants/${id}`, { permissions: ["view_tags", "add_notes"] });
  expect(await toolNames(kit, access)).toEqual(["view-tags", "add-note"]);

  const { agentId } = abe.actor;
  await kit.app.perform(acme.actor, setAgentRole, { agentId, role: "CHAT_AGENT_MEMBER" });
  expect(await toolNames(kit, access)).toEqual([]);
  await kit.app.perform(acme.actor, setAgentRole, { agentId, role: "CHAT_AGENT_ADMIN" });
  expect(await toolNames(kit, access)).toEqual(["view-tags", "add-note"]);
  await kit.app.perform(acme.actor, deactivateAgent, { agentId });
  expect(await toolNames(kit, access)).toEqual([]);
  expect((await app.refresh(refresh)).status).toBe(200);
  await kit.app.perform(acme.actor, reactivateAgent, { agentId });
  expect(await toolNames(kit, access)).toHaveLength(2);
  await acme.post(`/assistants/${id}/pause`);
  expect(await toolNames(kit, access)).toEqual([]);
  await acme.post(`/assistants/${id}/resume`);
  expect(await toolNames(kit, access)).toHaveLength(2);
  // It has no token of its own that could be given out.
  expect((await acme.post(`/assistants/${id}/token`)).status).toBe(422);
  await acme.post(`/assistants/${id}/revoke`);
  expect((await listTools(kit, access)).status).toBe(401);
});

test("a team of another person is never reached: the code belongs to who has allowed it", async () => {
  const other = await kit.team();
  const sam = await signedIn(kit, other, "CHAT_AGENT_ADMIN");
  const app = oauthApp(kit, robin);
  const { access } = await app.connect(sam);
  const lists = await Promise.all(
    [acme, other].map(async (team) => (await team.get("/assistants?limit=100")).body.data),
  );
  const ofSam = (list: { attributes: { created_by: string } }[]) =>
    list.filter(({ attributes }) => attributes.created_by === sam.actor.agentId).length;
  expect(lists.map(ofSam)).toEqual([0, 1]);
  expect((await listTools(kit, access)).status).toBe(200);
});
