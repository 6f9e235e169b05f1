/** GET /conversations/all. */
import { conversationFields } from "@frontdesk/core/contract";
import { graceJoins } from "@frontdesk/testing/grace";
import { specifyList } from "@frontdesk/testing/list-promises";
import { idsOf, invalid } from "@frontdesk/testing/rest-answers";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { adaReplies, adaSets, veraWrites } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";
import { assignAgent } from "./assign-agent.ts";

const kit = await startTestApp();
const { app, team, clock } = kit;
const now = () => new Date(clock.now()).toISOString();

specifyList({
  usual: 10,
  most: 100,
  filter: ["include_fields", "is_resolved,agents"],
  async fill(rows) {
    const acme = await team();
    const ids: string[] = [];
    while (ids.length < rows) ids.unshift((await veraWrites(acme)).conversationId);
    return { team: acme, path: "/conversations/all", ids };
  },
});

describe("the order", () => {
  test("is open conversations first, then the newest message activity first", async () => {
    const acme = await team();
    const written: Record<string, { conversationId: string; contactId: string }> = {};
    for (const name of ["Una", "Vera", "Wim", "Xaver"]) {
      clock.advance(1);
      written[name] = await veraWrites(acme, { name });
    }
    const [una, vera, wim, xaver] = Object.values(written).map(({ conversationId }) => conversationId) as [
      string,
      string,
      string,
      string,
    ];
    const order = async () => idsOf(await acme.get("/conversations/all"));
    expect(await order()).toEqual([xaver, wim, vera, una]);

    await adaSets(acme, xaver, "resolved");
    expect(await order()).toEqual([wim, vera, una, xaver]);

    clock.advance(1);
    await adaSets(acme, una, "resolved");
    // Resolving is no message activity.
    expect(await order()).toEqual([wim, vera, xaver, una]);

    clock.advance(1);
    await adaReplies(acme, una);
    expect(await order()).toEqual([wim, vera, una, xaver]);

    clock.advance(1);
    await adaReplies(acme, vera);
    expect(await order()).toEqual([vera, wim, una, xaver]);

    clock.advance(1);
    await veraWrites(acme, { contact_id: written.Xaver?.contactId });
    expect(await order()).toEqual([xaver, vera, wim, una]);
  });

  test("is by id, the newest first, where the activity was at the same time", async () => {
    const acme = await team();
    const [first, second, third] = [await veraWrites(acme), await veraWrites(acme), await veraWrites(acme)].map(
      ({ conversationId }) => conversationId,
    );
    expect(idsOf(await acme.get("/conversations/all"))).toEqual([third, second, first]);
  });
});

test("a team sees no conversation of another team", async () => {
  const [acme, sams] = [await team(), await team()];
  await veraWrites(acme);
  const { body } = await sams.get("/conversations/all");
  expect(body.data).toEqual([]);
  expect(body.meta.pagination).toEqual({ total: 0, count: 0, per_page: 10, current_page: 1, total_pages: 1 });
});

test("a conversation has is_resolved, contact_id, unread_messages and created_at", async () => {
  const acme = await team();
  const { conversationId, contactId } = await veraWrites(acme);
  const created_at = now();
  clock.advance(1_000);
  await veraWrites(acme, { contact_id: contactId });
  const { status, body } = await acme.get("/conversations/all");
  expect(status).toBe(200);
  expect(body.data).toEqual([
    {
      type: "conversations",
      id: conversationId,
      attributes: { is_resolved: false, contact_id: contactId, unread_messages: 2, created_at },
    },
  ]);
});

describe("include_fields", () => {
  test("brings in contact_name, latest_message and agents", async () => {
    const acme = await team();
    const { conversationId, contactId } = await veraWrites(acme);
    const created_at = now();
    clock.advance(1_000);
    const reply = await adaReplies(acme, conversationId);
    const grace = await graceJoins(kit, acme);
    await app.perform(acme.actor, assignAgent, { conversationId, agentId: grace.id });
    const nameless = await veraWrites(acme, { name: null, content: "Hello?" });

    const { body } = await acme.get(`/conversations/all?include_fields=${conversationFields.join(",")}`);
    const common = { type: "message", origin: "chat", created_at: now() };
    expect(body.data).toEqual([
      {
        type: "conversations",
        id: nameless.conversationId,
        attributes: {
          is_resolved: false,
          contact_id: nameless.contactId,
          unread_messages: 1,
          created_at: now(),
          contact_name: null,
          latest_message: { id: nameless.messageId, content: "Hello?", ...common },
          agents: [],
        },
      },
      {
        type: "conversations",
        id: conversationId,
        attributes: {
          is_resolved: false,
          contact_id: contactId,
          unread_messages: 0,
          created_at,
          contact_name: "Vera",
          latest_message: { id: reply, content: "We do, Vera.", ...common },
          agents: [grace],
        },
      },
    ]);
  });

  test("latest_message is the newest one, a note and a message of attachments alone included", async () => {
    const acme = await team();
    const { conversationId } = await veraWrites(acme);
    for (const said of [
      { content: "She asked twice.", type: "note" },
      { content: "", type: "message", attachments: [{ url: "https://files.acme.test/a.png" }] },
    ]) {
      const id = await adaReplies(acme, conversationId, said);
      const { body } = await acme.get("/conversations/all?include_fields=latest_message");
      expect(body.data[0].attributes).toEqual({
        latest_message: { id, content: said.content, type: said.type, origin: "chat", created_at: now() },
      });
    }
  });
});

test.each([
  ["include_fields=contact_name", ["contact_name"]],
  ["include_fields=agents,is_resolved", ["agents", "is_resolved"]],
  ["exclude_fields=created_at", ["contact_id", "is_resolved", "unread_messages"]],
  ["exclude_fields=agents", ["contact_id", "created_at", "is_resolved", "unread_messages"]],
  ["exclude_fields=is_resolved,contact_id,unread_messages,created_at", []],
  ["include_fields=latest_message&exclude_fields=latest_message", ["latest_message"]],
])("%s chooses the attributes; only include_fields counts when both are sent", async (query, names) => {
  const acme = await team();
  await veraWrites(acme);
  const { status, body } = await acme.get(`/conversations/all?${query}`);
  expect(status).toBe(200);
  expect(Object.keys(body.data[0].attributes).sort()).toEqual(names);
});

test.each(["id", "name", "agents,", "", "resolved_at", "Agents"])("an invalid name gives 422: %j", async (names) => {
  const acme = await team();
  for (const parameter of ["include_fields", "exclude_fields"]) {
    const { status, body } = await acme.get(`/conversations/all?${parameter}=${names}`);
    expect(status).toBe(422);
    expect(body).toEqual(invalid(parameter));
  }
});
