/**
 * Invariant 4 for the dashboard's own API, as `tenants.test.ts` has it for REST: an id of another team is treated as missing.
 * The requests come from the catalogues and the ids from the rows, so that a new one is tested without being entered here.
 */

import { randomUUID } from "node:crypto";
import { query } from "@frontdesk/testing/second-app";
import { addApp, addPasskey, trustBrowser } from "@frontdesk/testing/second-factor";
import { type SignedIn, signedIn } from "@frontdesk/testing/signed-in";
import { type SignedInRequest, signedInRequests, UNKNOWN_ID } from "@frontdesk/testing/signed-in-requests";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { createSsoProvider } from "../../sso/change-sso-provider.ts";
import { linkOwnSso } from "../../sso/own-sso.ts";
import { columnsOf } from "../../storage/columns.ts";

const kit = await startTestApp();
const { storage, team } = kit;

/** Requests with an id somewhere, deletions last. */
function requestsWith(id: string): SignedInRequest[] {
  const [one, other] = [signedInRequests(id), signedInRequests("another")];
  return (
    one
      .filter((asked, index) => JSON.stringify(asked) !== JSON.stringify(other[index]))
      // A domain is no id: sso/require-sso.test.ts.
      .filter(({ path }) => !path.startsWith("/sso/domains/"))
      .toSorted((a, b) => Number(a.method === "DELETE") - Number(b.method === "DELETE"))
  );
}

/** A team with something of every kind that the dashboard can name, and its owner Olga at two browsers. */
async function furnished(): Promise<{ acme: TestTeam; olga: SignedIn }> {
  const acme = await team();
  const olga = await signedIn(kit, acme, "CHAT_AGENT_OWNER");
  await olga.again();
  const { body: contact } = await acme.post("/contacts/initialize", {
    widgetId: acme.widgetId,
    name: "Vera",
    email: "vera@visitor.test",
    message: { content: "Hello" },
  });
  const { body: conversations } = await acme.get("/conversations/all");
  const conversation = `/conversations/${conversations.data[0].id}`;
  await acme.post(`${conversation}/tags`, { name: "shipping" });
  await acme.post("/webhooks", { name: "Shop", endpoint_url: "https://shop.test/hook", events: ["message.sent"] });
  await acme.put(`/contacts/${contact.data.id}/custom-data/plan`, { value: "large" });
  const canned = { name: "hello", content: "Hello!" };
  await olga.post("/inbox/canned-replies/own", canned);
  await olga.post("/inbox/canned-replies/team", canned);
  await olga.post("/inbox/saved-views", { name: "Open", query: { view: "open" } });
  const { body: mailbox } = await acme.post("/channels", {
    channel: "email",
    widget_id: acme.widgetId,
    settings: {
      address: `support-${acme.teamId}@mail.example`,
      inbound: { kind: "http" },
      authserv_id: "mx.mail.example",
      oauth: { provider: "google", client_id: "acme" },
    },
  });
  await getsSpam(acme, mailbox.data.attributes.callback_url);
  for (const sub of ["one", "two"]) {
    const { next } = (await olga.get("/sso")).body;
    // An address that is not connected to.
    const at = { issuer: "https://127.0.0.1:1", client_id: "acme", client_secret: "a" };
    const provider = { id: next.id, preset: "custom", name: sub, is_on: true, ...at } as const;
    await kit.app.perform(olga.actor, createSsoProvider, provider);
    const claims = { subject: sub, email: undefined, name: undefined, groups: [], all: {} };
    await kit.app.perform(olga.actor, linkOwnSso, { provider: next.id, claims });
  }
  await acme.post("/agents/invite", { agents: [{ email: `ben-${acme.teamId}@acme.test` }] });
  await addApp(kit, olga);
  await addPasskey(olga);
  await trustBrowser(kit, olga);
  for (const name of ["one", "two"]) {
    const site = `https://${name}.test/`;
    const columns = "team_id, id, address, prefix, state, created_at";
    const values = `'${acme.teamId}', '${randomUUID()}', '${site}', '${site}', 'read', 0`;
    await query(storage, `INSERT INTO article_sites (${columns}) VALUES (${values})`);
  }
  return { acme, olga };
}

/** Two emails: one that is deleted, and one that is none after all. */
async function getsSpam({ teamId }: TestTeam, callbackUrl: string): Promise<void> {
  for (const name of ["one", "two"]) {
    const payload = `Authentication-Results: mx.mail.example; spf=pass\r\nX-Spam-Flag: YES\r\nFrom: ${name}@spam.example\r\n\r\n${name}`;
    const headers = { "content-type": "message/rfc822" };
    await kit.app.http.inject({ method: "POST", url: new URL(callbackUrl).pathname, headers, payload });
  }
  const spam = `SELECT 1 FROM mail_imports WHERE team_id = '${teamId}' AND state = 'spam'`;
  await expect.poll(async () => (await query(storage, spam)).length).toBe(2);
}

const rowsOf = ({ teamId }: TestTeam, table: string) =>
  query(storage, `SELECT * FROM ${table} WHERE team_id = '${teamId}'`);

const tables = Object.entries(columnsOf).filter(([, columns]) => "team_id" in columns);

async function everythingOf(acme: TestTeam): Promise<string> {
  const rows = await Promise.all(tables.map(async ([table]) => [table, await rowsOf(acme, table)]));
  return JSON.stringify(rows);
}

/** The ids of the team's rows, some of each table that has ids. */
async function idsOf(acme: TestTeam): Promise<string[]> {
  const ids = await Promise.all(
    tables
      .filter(([table, columns]) => "id" in columns && table !== "events")
      .map(async ([table]) => (await rowsOf(acme, table)).slice(-3).map(({ id }) => String(id))),
  );
  return ids.flat();
}

async function answerOf(who: SignedIn, { method, path, body }: SignedInRequest, id: string): Promise<string> {
  const { status, body: answer } = await who.request(method, path, body);
  return `${status} ${JSON.stringify(answer)}`.replaceAll(id, "ID");
}

test("another team's id is as one that does not exist, in every request of the dashboard that takes one", async () => {
  const { acme } = await furnished();
  const beta = await team();
  const sam = await signedIn(kit, beta, "CHAT_AGENT_OWNER");
  const before = await everythingOf(acme);
  const unknown = new Map<string, string>();
  for (const asked of requestsWith(UNKNOWN_ID)) {
    unknown.set(asked.path.replace(UNKNOWN_ID, "ID") + asked.method, await answerOf(sam, asked, UNKNOWN_ID));
  }
  expect(unknown.size).toBeGreaterThan(30);
  for (const id of await idsOf(acme)) {
    // The requests with one id are within the limit of a session, those with all of them are not.
    const browser = await sam.again();
    for (const asked of requestsWith(id)) {
      const name = asked.path.replace(id, "ID") + asked.method;
      expect(`${name} ${await answerOf(browser, asked, id)}`).toBe(`${name} ${unknown.get(name)}`);
    }
  }
  expect((await everythingOf(acme)) === before).toBe(true);
});

test("the premise: each of these requests finds something of its own team by these ids", async () => {
  const { acme, olga } = await furnished();
  const ids = await idsOf(acme);
  const blind: string[] = [];
  for (const [index, asked] of requestsWith(UNKNOWN_ID).entries()) {
    const unknown = await answerOf(olga, asked, UNKNOWN_ID);
    let found = false;
    for (const id of ids.filter((one) => one !== olga.actor.sessionId)) {
      const own = requestsWith(id)[index] as SignedInRequest;
      found ||= (await answerOf(olga, own, id)) !== unknown;
      if (found) break;
    }
    if (!found) blind.push(`${asked.method} ${asked.path}`);
  }
  expect(blind).toEqual([]);
});
