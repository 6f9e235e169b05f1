/**
 * No chain of requests leads a key beyond its scopes (docs/decisions/0031-power-of-keys.md). A team has a mark in everything
 * that a scope protects. A key with some scopes then sends every request there is, with ids it cannot know but may have got
 * elsewhere; every token in the answers is followed, and what a webhook of its would receive counts as seen. Which marks were
 * seen, and which events happened, is compared with two tables: `MARKS` and `WRITES`.
 */
import { type HttpOperation, type RestOperation, rest } from "@frontdesk/core/contract";
import { delivery, ids } from "@frontdesk/core/contract/examples";
import { actionOperation, inboxActionNames, inboxOperations } from "@frontdesk/core/contract/inbox";
import type { AgentRole } from "@frontdesk/core/domain/agent";
import { type ApiKeyScope, apiKeyScopes, scopesOf } from "@frontdesk/core/domain/policy";
import { robinCalls, robinJoins } from "@frontdesk/testing/assistant-at-work";
import { browser } from "@frontdesk/testing/browser-visitor";
import { inDepth } from "@frontdesk/testing/depth";
import { query } from "@frontdesk/testing/second-app";
import { newIdentitySecret, signedToken } from "@frontdesk/testing/signed-identity";
import { asPage, cookieOf, signedIn } from "@frontdesk/testing/signed-in";
import { engine, startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { veraArrives, veraWrites } from "@frontdesk/testing/vera";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { setAgentRole } from "../agents/set-agent-role.ts";
import { servedTools } from "../tools/served-tools.ts";
import { createApiKey } from "./create-api-key.ts";

const kit = await startTestApp({ TOOL_RATE_LIMIT: "1000000" });
const { app, storage, clock } = kit;
const MALLORY = "https://mallory.example/in";
const VERA = "customer-7";

/** Scopes that suffice: all of one of the lists. */
type Enough = readonly (readonly ApiKeyScope[])[];

/**
 * Where each mark is, and which scopes show it. A writing scope shows the one thing that its request names, as the interface
 * documents the answers; it never shows what others have written.
 */
const MARKS: Record<string, Enough> = {
  messageMark: [["conversations:read"]],
  laterMessageMark: [["conversations:read"]],
  noteMark: [["conversations:read"]],
  draftMark: [["conversations:read"]],
  contactLocationMark: [["contacts:read"], ["contacts:write"]],
  otherContactMark: [["contacts:read"]],
  customValueMark: [["contacts:read"]],
  // Assigning an agent answers with them.
  agentMailMark: [["agents:read"], ["conversations:write"]],
  endpointMark: [["webhooks:read"], ["webhooks:write"]],
  assistantNameMark: [["assistants:read"], ["assistants:write"]],
  toolArgumentMark: [["assistants:read", "knowledge:read"]],
  articleMark: [["knowledge:read"], ["knowledge:write"]],
  widgetSiteMark: [["widgets:read"], ["widgets:write"]],
};

/** Which scopes make which events happen; the longest beginning of the name counts. */
const WRITES: Record<string, Enough> = {
  "erasure.": [["privacy:write"]],
  "contact.erased": [["privacy:write"]],
  "message.redacted": [["privacy:write"]],
  "conversation.": [["conversations:write"]],
  "message.": [["conversations:write"]],
  "note.": [["conversations:write"]],
  "system-line.": [["conversations:write"], ["contacts:write"]],
  "handoff.": [["conversations:write"]],
  "speaker.": [["conversations:write"]],
  "tag.": [["conversations:write"]],
  "agent.assigned": [["conversations:write"]],
  "agent.unassigned": [["conversations:write"]],
  "contact.": [["contacts:write"]],
  "contact.created": [["contacts:write"], ["conversations:write"]],
  custom: [["contacts:write"]],
  "visitor-session.": [["contacts:write", "conversations:write"]],
  "agent.": [["agents:write"]],
  "widget.": [["widgets:write"]],
  "channel.": [["channels:write"], ["widgets:write"]],
  "webhook.": [["webhooks:write"]],
  "assistant.": [["assistants:write"]],
  "article.": [["knowledge:write"]],
  // No scope creates keys and teams. A key that may invite an admin has every scope, and the admin may create keys.
  "api-key.": [apiKeyScopes],
  "team.": [apiKeyScopes],
};

const suffices = (enough: Enough, scopes: readonly ApiKeyScope[]) =>
  enough.some((list) => list.every((scope) => scopes.includes(scope)));

function scopesToCause(name: string): Enough {
  const [longest] = Object.keys(WRITES)
    .filter((beginning) => name.startsWith(beginning))
    .toSorted((a, b) => b.length - a.length);
  if (longest === undefined) throw new Error(`Say in WRITES which scope may cause ${name}.`);
  return WRITES[longest] as Enough;
}

interface Asked {
  method: string;
  path: string;
  body?: unknown;
}

/** A team with a mark in every text, and every request with the ids of its data. */
async function markedTeam() {
  const acme = await kit.team();
  const shop = (await acme.post("/widgets", { name: "Shop" })).body.data.id as string;
  await acme.patch(`/widgets/${acme.widgetId}`, { settings: { sites: ["https://widgetsitemark.example"] } });
  const abe = await signedIn(kit, acme, "CHAT_AGENT_ADMIN");
  await acme.post("/agents/invite", { agents: ["agentMailMark@acme.test"] });
  const grace = (await acme.get("/agents")).body.data.at(-1).id as string;
  const secret = await newIdentitySecret(acme);
  const vera = browser(app, acme, { address: newAddress() });
  const written = (await vera.write("messageMark", { identity: identityOf(secret) })).body;
  const [conversationId, contactId] = [written.message.conversation_id, written.contact.id] as string[];
  await query(storage, `UPDATE contacts SET location = 'contactLocationMark' WHERE id = '${contactId}'`);
  await acme.put(`/contacts/${contactId}/custom-data/tier`, { value: "customValueMark" });
  await acme.post("/messages", { conversation_id: conversationId, type: "note", content: "noteMark" });
  await veraArrives(acme, { name: "otherContactMark" });
  const webhook = (
    await acme.post("/webhooks", { endpoint_url: "https://endpointmark.example/in", events: ["message.received"] })
  ).body.data.id as string;
  const other = await veraWrites(acme, { content: "messageMark", email: "vera@acme.test" });
  await acme.post(`/conversations/${other.conversationId}/resolve`, { status: "resolved" });
  const robin = await robinJoins(acme, { name: "assistantNameMark" });
  await robinCalls(kit, robin, "add-note", { conversation_id: conversationId, content: "noteMark" });
  // As a search is logged a second later.
  const search = `tool = 'search-knowledge-base', arguments = '{"query":"toolArgumentMark"}'`;
  await query(storage, `UPDATE tool_calls SET ${search} WHERE assistant_id = '${robin.id}'`);
  const article = (
    await acme.post("/articles", { question: "Do you ship?", answer: "articleMark", is_published: true })
  ).body.data.id as string;
  const sent = (await acme.get(`/webhooks/${webhook}/deliveries`)).body.data[0].id as string;
  const inKey = { headers: { "x-api-key": acme.apiKey, "content-type": "application/json" } };
  await app.http.inject({
    method: "PUT",
    url: `/app/api/inbox/conversations/${conversationId}/draft`,
    ...inKey,
    payload: { mode: "reply", content: "draftMark" },
  });
  const real: Record<string, string> = {
    [ids.widget]: acme.widgetId,
    [ids.vera]: contactId as string,
    [ids.conversation]: conversationId as string,
    [ids.ada]: acme.ada.id,
    [ids.webhook]: webhook,
    [delivery.id]: sent,
    [ids.assistant]: robin.id,
    [ids.article]: article,
    "ada@acme.example": acme.ada.email,
    "https://hooks.acme.example/frontdesk": MALLORY,
    // A server that is refused at once: one that is not there is tried twice, with a wait.
    "https://models.acme.example/v1": "https://10.0.0.1/v1",
    "grace@acme.example": `eve-${acme.teamId}@mallory.example`,
    "lin@acme.example": `mal-${acme.teamId}@mallory.example`,
  };
  const requests = everyRequest({
    webhook,
    assistant: robin.id,
    grace,
    contactId: contactId as string,
    conversationId: conversationId as string,
    acme,
  });
  const text = Object.entries(real).reduce((sofar, [from, to]) => sofar.replaceAll(from, to), JSON.stringify(requests));
  return { acme, abe, shop, requests: JSON.parse(text) as Asked[] };
}

type Marked = Awaited<ReturnType<typeof markedTeam>>;

/** The example of every operation of the REST API and of the inbox, and what an attacker would try. */
function everyRequest(of: {
  webhook: string;
  assistant: string;
  grace: string;
  contactId: string;
  conversationId: string;
  acme: TestTeam;
}): Asked[] {
  const filled = (path: string, params: object = {}) =>
    path.replaceAll(/\{(\w+)\}/g, (_all, name) => String(Reflect.get(params, name)));
  const search = (asked: object = {}) => {
    const text = new URLSearchParams(asked as Record<string, string>).toString();
    return text && `?${text}`;
  };
  const api = "/api/v1";
  const examples = Object.values<RestOperation>(rest).map(({ method, path, example, content }) => ({
    method,
    path: `${api}${filled(path, example.params)}${search(example.query)}`,
    ...((example.body ?? content) && { body: example.body ?? {} }),
  }));
  const inInbox = { conversation_id: of.conversationId, contact_id: of.contactId, whose: "own", id: of.contactId };
  const inbox = [...Object.values<HttpOperation>(inboxOperations), ...inboxActionNames.map(actionOperation)].map(
    ({ method, path }) => ({
      method,
      path: `/app/api/inbox${filled(path, inInbox)}${method === "GET" ? "?view=all&q=Mark&mode=reply" : ""}`,
      ...(method !== "GET" && {
        body: { client_id: of.contactId, type: "message", content: "Hello", agent_id: of.grace, name: "vip" },
      }),
    }),
  );
  const lists = ["/widgets", "/contacts", "/conversations/all", "/agents", "/webhooks", "/assistants", "/articles"];
  const webhook = `${api}/webhooks/${of.webhook}`;
  const assistant = `${api}/assistants/${of.assistant}`;
  const everything = { permissions: "all", widgets: "all", channels: "all" };
  const invited = (role: string) => ({ agents: [{ email: `${role.toLowerCase()}@${of.acme.teamId}.test`, role }] });
  return [
    ...examples.filter(({ method }) => method === "GET"),
    ...lists.map((path) => ({ method: "GET", path: `${api}${path}?limit=100` })),
    { method: "GET", path: `${api}/contacts/${of.contactId}/custom-data` },
    { method: "GET", path: `${api}/agents/${of.grace}` },
    { method: "GET", path: `${assistant}/calls?limit=100` },
    { method: "GET", path: `${api}/conversations/${of.conversationId}/messages` },
    { method: "GET", path: "/live/poll?since=0" },
    ...inbox,
    { method: "POST", path: `${api}/agents/invite`, body: invited("CHAT_AGENT_ADMIN") },
    { method: "POST", path: `${api}/agents/invite`, body: invited("CHAT_AGENT_MEMBER") },
    { method: "POST", path: `${api}/assistants`, body: { name: "Mallory", ...everything, agent_id: of.acme.ada.id } },
    ...["read_conversations", "read_conversation_messages", "read_visitor_details", "search_contacts"].map(
      (permission) => ({
        method: "POST",
        path: `${api}/assistants`,
        body: { name: "Mallory", permissions: [permission], widgets: "all", channels: "all" },
      }),
    ),
    { method: "PATCH", path: assistant, body: everything },
    { method: "POST", path: `${assistant}/token` },
    { method: "POST", path: `${api}/contacts/initialize`, body: { widgetId: of.acme.widgetId, name: "Eve" } },
    { method: "POST", path: `${api}/webhooks`, body: { endpoint_url: MALLORY, events: ["contact.updated"] } },
    { method: "PATCH", path: webhook, body: { endpoint_url: MALLORY } },
    { method: "POST", path: `${webhook}/replay`, body: { since: "2020-01-01T00:00:00Z" } },
    // Requests that delete come last.
    ...examples
      .filter(({ method }) => method !== "GET")
      .toSorted((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method)),
  ];
}

const ORDER = ["POST", "PUT", "PATCH", "DELETE"];

/** All that a key was answered, and what followed from it. */
async function explore({ acme, shop, requests }: Pick<Marked, "acme" | "shop" | "requests">, key: string) {
  const before = (await acme.events()).length;
  const seen: string[] = [];
  const followed = new Set<string>();
  const send = async ({ method, path, body }: Asked, headers: Record<string, string>) => {
    const answer = await app.http.inject({
      method: method as "GET",
      url: path,
      headers: { host: "chat.test", ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    seen.push(answer.payload);
  };
  for (const asked of requests) {
    const isLive = asked.path.startsWith("/live/");
    await send(asked, isLive ? { authorization: `Bearer ${key}` } : { "x-api-key": key });
  }
  for (let tokens = newTokens(); tokens.length > 0; tokens = newTokens()) {
    for (const token of tokens) await follow(token);
  }
  const effects = (await acme.events()).slice(before).map(({ name }) => name);

  // Vera goes on writing, in a widget that was not removed. Mallory sees what is sent to an address of his.
  await veraWrites(acme, { widget_id: shop, content: "laterMessageMark", email: "vera@acme.test" });
  const bodies = await query(
    storage,
    `SELECT events.data FROM outbox_items JOIN events ON events.team_id = outbox_items.team_id AND events.number = outbox_items.event_number
     JOIN webhooks ON webhooks.team_id = outbox_items.team_id AND webhooks.id = outbox_items.queue_id
     WHERE webhooks.endpoint_url = '${MALLORY}' AND outbox_items.team_id = '${acme.teamId}'`,
  );
  seen.push(...bodies.map(({ data }) => String(data)));
  return { seen: seen.join("\n"), effects: [...new Set(effects)] };

  function newTokens(): string[] {
    const found = new Set(seen.join("\n").match(/fd_(invite|assistant|identity|key)_\w{71}/g));
    return [...found].filter((token) => !followed.has(token));
  }

  async function follow(token: string): Promise<void> {
    followed.add(token);
    if (token.startsWith("fd_invite_")) return joinAndLookAround(token);
    if (token.startsWith("fd_assistant_")) return callEveryTool(token);
    if (token.startsWith("fd_identity_")) return beVera(token);
    const reading = requests.filter(({ method, path }) => method === "GET" && path.startsWith("/api/v1"));
    for (const asked of reading) await send(asked, { "x-api-key": token });
  }

  async function joinAndLookAround(token: string): Promise<void> {
    const body = { name: "Eve", password: "a river at night" };
    const cookie = cookieOf(await asPage(kit, "POST", `/join/${token}`, { body }));
    if (!cookie) return;
    // The cookie belongs to the host that `asPage` requests.
    const page = { cookie, host: "localhost:80", "sec-fetch-site": "same-origin" };
    const reading = requests.filter(({ method, path }) => method === "GET" && !path.startsWith("/live/"));
    for (const asked of reading)
      await send({ ...asked, path: asked.path.replace("/api/v1", "/app/api/v1").replace("/app/app", "/app") }, page);
    for (const path of ["/keys", "/audit-log", "/tags"]) await send({ method: "GET", path: `/app/api${path}` }, page);
    await send({ method: "POST", path: "/app/api/keys", body: { name: "Mallory" } }, page);
    await send({ method: "PATCH", path: "/app/api/team", body: { name: "Mallory's" } }, page);
  }

  async function callEveryTool(token: string): Promise<void> {
    const idAfter = (collection: string) =>
      new RegExp(`/${collection}/([0-9a-f-]{36})`).exec(JSON.stringify(requests))?.[1] ?? "";
    const [conversation_id, visitor_id] = [idAfter("conversations"), idAfter("contacts")];
    const given = { conversation_id, visitor_id, query: "Mark", content: "Hello", name: "vip", value: "x" };
    const ids_ = { conversation_ids: [conversation_id], agent_id: acme.ada.id };
    for (const name of servedTools.keys()) {
      seen.push(JSON.stringify((await robinCalls(kit, { token }, name, { ...given, ...ids_ })).body));
      const few = Object.entries({ ...given, ...ids_ }).filter(([field]) => FIELDS[name]?.includes(field));
      seen.push(JSON.stringify((await robinCalls(kit, { token }, name, Object.fromEntries(few))).body));
    }
  }

  async function beVera(secret: string): Promise<void> {
    const eve = browser(app, acme, { address: newAddress() });
    seen.push(JSON.stringify(await eve.ask("POST", "/introduce", { identity: identityOf(secret) })));
    seen.push(JSON.stringify(await eve.chat()));
    seen.push(JSON.stringify(await eve.write("I am Vera.", { identity: identityOf(secret) })));
  }
}

/** The arguments that each tool takes. */
const FIELDS = Object.fromEntries(
  [...servedTools].map(([name, { tool }]) => [name, Object.keys(tool.input.properties ?? {})]),
);

const identityOf = (secret: string) =>
  signedToken(secret, { sub: VERA, exp: Math.floor(clock.now() / 1_000) + 3_600, email: "vera@acme.test" });

let addresses = 0;
function newAddress(): string {
  addresses += 1;
  return `10.2.${addresses >> 8}.${addresses & 255}`;
}

/** @throws the first mark or event that the scopes do not explain */
function expectWithin(scopes: readonly ApiKeyScope[], { seen, effects }: Awaited<ReturnType<typeof explore>>): void {
  const lower = seen.toLowerCase();
  const beyond = [
    ...Object.keys(MARKS).filter((mark) => lower.includes(mark.toLowerCase()) && !suffices(MARKS[mark] ?? [], scopes)),
    ...effects.filter((name) => !suffices(scopesToCause(name), scopes)),
  ];
  expect({ scopes, beyond }).toEqual({ scopes, beyond: [] });
}

const keyWith = async ({ acme }: Marked, scopes: readonly ApiKeyScope[]) =>
  (await app.perform(acme.actor, createApiKey, { name: "few", scopes })).value;

// The rules know no database: once is enough.
describe.runIf(engine === "sqlite")("a chain of requests", () => {
  test("with every scope sees every mark, and every token is followed", async () => {
    const marked = await markedTeam();
    const { seen, effects } = await explore(marked, await keyWith(marked, apiKeyScopes));
    // By the session of an invited admin, by an assistant, and as a verified visitor.
    expect(effects).toEqual(expect.arrayContaining(["api-key.created", "team.updated", "note.added"]));
    expect(seen).toContain("I am Vera.");
    const lower = seen.toLowerCase();
    expect(Object.keys(MARKS).filter((mark) => !lower.includes(mark.toLowerCase()))).toEqual([]);
  });

  test.each(apiKeyScopes)("of a key with %s alone stays within it", async (scope) => {
    const marked = await markedTeam();
    expectWithin([scope], await explore(marked, await keyWith(marked, [scope])));
  });

  test.each(apiKeyScopes)("of a key with all scopes but %s reaches nothing of it", async (scope) => {
    const marked = await markedTeam();
    const scopes = apiKeyScopes.filter((one) => one !== scope);
    expectWithin(scopes, await explore(marked, await keyWith(marked, scopes)));
  });

  test("of a key with any scopes, of an agent of any role, in any order, stays within what both have", async () => {
    const roles: AgentRole[] = ["CHAT_AGENT_ADMIN", "CHAT_AGENT_MEMBER"];
    const cases = fc.record({
      scopes: fc.subarray([...apiKeyScopes], { minLength: 2 }),
      role: fc.constantFrom(...roles),
      order: fc.infiniteStream(fc.nat()).map((stream) => [...stream.take(200)]),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ scopes, role, order }) => {
        const marked = await markedTeam();
        const { acme, abe, shop } = marked;
        const made = await app.perform(acme.actor, createApiKey, { name: "few", scopes, agentId: abe.actor.agentId });
        await app.perform(acme.actor, setAgentRole, { agentId: abe.actor.agentId, role });
        const rank = new Map(marked.requests.map((asked, index) => [asked, order[index] ?? 0]));
        const requests = marked.requests.toSorted((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0));
        const within = scopes.filter((scope) => scopesOf(role).includes(scope));
        expectWithin(within, await explore({ acme, shop, requests }, made.value));
      }),
      { numRuns: inDepth(1, 3) },
    );
  });
});
