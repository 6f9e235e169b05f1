/** The team's event log: what each operation records, and that a public event's data is what the contract says. */
import { type EventName, eventNames, events as publicEvents } from "@frontdesk/core/contract";
import { closed, problemsOf } from "@frontdesk/testing/ajv";
import { eraseAtOnce } from "@frontdesk/testing/erase-at-once";
import { NO_IDS } from "@frontdesk/testing/rest-answers";
import { startTestApp, type TestAnswer, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaReplies, adaSets, eventNamesOf, veraArrives, veraWrites } from "@frontdesk/testing/vera";
import { beforeAll, describe, expect, test } from "vitest";
import { assignAgent } from "../conversations/assign-agent.ts";
import { unassignAgent } from "../conversations/unassign-agent.ts";
import { removeCustomData } from "../custom-data/remove-custom-data.ts";
import { setCustomData } from "../custom-data/set-custom-data.ts";
import { addTag } from "../tags/add-tag.ts";
import { removeTag } from "../tags/remove-tag.ts";

const { app, team, clock } = await startTestApp();

const pages = [{ page: "https://acme.test/pricing", date: "2026-11-20T08:59:00.000Z" }];
const file = { url: "https://files.acme.test/a.png", name: "a.png", type: "image", mime: "image/png", size: 7 };
const orders = { endpoint_url: "https://hooks.acme.test/", events: ["message.received"] };

/** Every writing operation with what it records, in the order of a day at Acme. */
const day: [operation: string, act: (acme: TestTeam, ids: Ids) => Promise<unknown>, records: string[]][] = [
  [
    "a visitor's first message",
    async (acme, ids) => Object.assign(ids, await veraWrites(acme, { email: "vera@example.com" })),
    ["contact.created", "conversation.created", "message.received"],
  ],
  ["a further one", (acme, ids) => veraWrites(acme, { contact_id: ids.contactId, name: null }), ["message.received"]],
  ["a reply", (acme, ids) => adaReplies(acme, ids.conversationId), ["message.sent"]],
  [
    "a reply of attachments alone",
    (acme, ids) => adaReplies(acme, ids.conversationId, { content: null, attachments: [file, { url: file.url }] }),
    ["message.sent"],
  ],
  ["a note", (acme, ids) => adaReplies(acme, ids.conversationId, { type: "note" }), ["note.added"]],
  ["resolving", (acme, ids) => adaSets(acme, ids.conversationId, "resolved"), ["conversation.resolved"]],
  ["resolving again", (acme, ids) => adaSets(acme, ids.conversationId, "resolved"), []],
  ["a reply to a resolved conversation", (acme, ids) => adaReplies(acme, ids.conversationId), ["message.sent"]],
  [
    "a visitor's message to a resolved conversation",
    (acme, ids) => veraWrites(acme, { contact_id: ids.contactId }),
    ["conversation.reopened", "message.received"],
  ],
  ["reopening what is open", (acme, ids) => adaSets(acme, ids.conversationId, "open"), []],
  ["resolving once more", (acme, ids) => adaSets(acme, ids.conversationId, "resolved"), ["conversation.resolved"]],
  ["reopening", (acme, ids) => adaSets(acme, ids.conversationId, "open"), ["conversation.reopened"]],
  [
    "assigning it to Ada",
    (acme, ids) => app.perform(acme.actor, assignAgent, { ...ids, agentId: acme.ada.id }),
    ["agent.assigned"],
  ],
  ["assigning it again", (acme, ids) => app.perform(acme.actor, assignAgent, { ...ids, agentId: acme.ada.id }), []],
  [
    "taking it from her",
    (acme, ids) => app.perform(acme.actor, unassignAgent, { ...ids, agentId: acme.ada.id }),
    ["agent.unassigned"],
  ],
  [
    "adding a new tag",
    (acme, ids) => app.perform(acme.actor, addTag, { ...ids, name: "Shipping" }),
    ["tag.created", "tag.assigned"],
  ],
  ["adding it again", (acme, ids) => app.perform(acme.actor, addTag, { ...ids, name: "shipping" }), []],
  [
    "removing the tag",
    (acme, ids) => app.perform(acme.actor, removeTag, { ...ids, name: "SHIPPING" }),
    ["tag.removed"],
  ],
  [
    "adding a tag that the team has",
    (acme, ids) => app.perform(acme.actor, addTag, { ...ids, name: "shipping" }),
    ["tag.assigned"],
  ],
  [
    "setting new custom data",
    (acme, ids) => app.perform(acme.actor, setCustomData, { ...ids, name: "plan", value: "Free", mustExist: false }),
    ["custom-field.created", "custom.data.assigned"],
  ],
  [
    "setting it to what it is",
    (acme, ids) => app.perform(acme.actor, setCustomData, { ...ids, name: "plan", value: "Free", mustExist: true }),
    [],
  ],
  [
    "setting it to something else",
    (acme, ids) => app.perform(acme.actor, setCustomData, { ...ids, name: "plan", value: "Pro", mustExist: true }),
    ["custom.data.assigned"],
  ],
  [
    "removing custom data",
    (acme, ids) => app.perform(acme.actor, removeCustomData, { ...ids, name: "plan" }),
    ["custom.data.removed"],
  ],
  ["initializing a contact", (acme) => veraArrives(acme, { name: "" }), ["contact.created"]],
  [
    "initializing one with a message",
    async (acme, ids) => {
      const message = { content: "Hello?", urls: [file.url] };
      ids.contactId = await veraArrives(acme, { page_visited: pages, phone: "+4915112345678", message });
    },
    ["contact.created", "conversation.created", "message.received"],
  ],
  [
    "updating a contact",
    (acme, ids) => acme.put(`/contacts/${ids.contactId}`, { name: "Verena", email: "verena@example.com" }),
    ["contact.updated"],
  ],
  [
    "updating nothing of it",
    async (acme, ids) => expect((await acme.put(`/contacts/${ids.contactId}`, { name: "Verena" })).status).toBe(200),
    [],
  ],
  [
    "inviting two agents",
    (acme) => acme.post("/agents/invite", { agents: ["lin@acme.test", { email: "mia@acme.test", name: "Mia" }] }),
    ["agent.invited", "agent.invited"],
  ],
  [
    "subscribing",
    async (acme, ids) => {
      ids.webhookId = (await acme.post("/webhooks", orders)).body.data.id;
    },
    ["webhook.created"],
  ],
  [
    "changing a subscription",
    (acme, ids) => acme.patch(`/webhooks/${ids.webhookId}`, { name: "Orders" }),
    ["webhook.updated"],
  ],
  ["removing it", (acme, ids) => acme.delete(`/webhooks/${ids.webhookId}`), ["webhook.deleted"]],
  [
    "erasing a contact",
    async (acme) => eraseAtOnce(app.perform, acme, await veraArrives(acme, { name: "Otto" })),
    ["contact.created", "erasure.started", "contact.erased"],
  ],
];

interface Ids {
  conversationId: string;
  contactId: string;
  webhookId: string;
}

test("every writing operation records its events, in order", async () => {
  const acme = await team();
  const ids = {} as Ids;
  for (const [operation, act, records] of day) {
    clock.advance(1_000);
    expect({ operation, records: await eventNamesOf(acme, () => act(acme, ids)) }).toEqual({ operation, records });
  }
});

test("what is refused and what only reads records nothing", async () => {
  const acme = await team();
  const { conversationId, contactId } = await veraWrites(acme);
  const [nobody] = NO_IDS as [string];
  const refused: (() => Promise<TestAnswer>)[] = [
    () => acme.post("/conversations", { widget_id: nobody, content: "Hello?" }),
    () => acme.post("/conversations", { widget_id: acme.widgetId, content: "" }),
    () => acme.post("/messages", { conversation_id: nobody, content: "Hello" }),
    () => acme.post("/messages", { conversation_id: conversationId, content: "Hello", agent_id: nobody }),
    () => acme.post(`/conversations/${conversationId}/resolve`, { status: "resolved", agent_id: nobody }),
    () => acme.post("/contacts/initialize", { widgetId: nobody }),
    () => acme.put(`/contacts/${contactId}`, { nickname: "V" }),
    () => acme.post("/agents/invite", { agents: ["new@acme.test", acme.ada.email] }),
    () => acme.post("/webhooks", { ...orders, endpoint_url: "https://hooks.acme.test:99999/" }),
    () => acme.delete(`/webhooks/${nobody}`),
  ];
  const read = [
    "/widgets",
    "/contacts?search=vera",
    `/contacts/${contactId}`,
    "/conversations/all",
    `/conversations/${conversationId}/messages`,
    "/agents",
    `/agents/${acme.ada.id}`,
    "/webhooks",
    "/webhooks/events",
  ];
  const recorded = await eventNamesOf(acme, async () => {
    for (const act of refused) expect((await act()).status, act.toString()).toBeOneOf([403, 404, 422]);
    for (const path of read) expect((await acme.get(path)).status, path).toBe(200);
  });
  expect(recorded).toEqual([]);
});

describe("after a day at Acme", () => {
  let acme: TestTeam;
  let log: Awaited<ReturnType<TestTeam["events"]>>;
  const began = clock.now();
  beforeAll(async () => {
    const sams = await team();
    acme = await team();
    const ids = {} as Ids;
    for (const [, act] of day) {
      clock.advance(1_000);
      await act(acme, ids);
      // What another team does in between takes no number of ours.
      await veraWrites(sams);
    }
    log = await acme.events();
    expect(log.length).toBeGreaterThan(20);
  });

  test("the events are numbered 1, 2, 3 … without a gap", () => {
    expect(log.map(({ number }) => number)).toEqual(log.map((_event, index) => index + 1));
  });

  test("each has an id of its own that begins evt_, the moment it occurred, and who did it", () => {
    expect(new Set(log.map(({ id }) => id)).size).toBe(log.length);
    for (const { id, team_id, occurred_at, actor, name } of log) {
      expect(id).toMatch(/^evt_[0-9a-f]{32}$/);
      expect(team_id).toBe(acme.teamId);
      expect(occurred_at).toBeGreaterThanOrEqual(began);
      expect(occurred_at).toBeLessThanOrEqual(clock.now());
      const bySystem = SYSTEM_EVENTS.includes(name);
      expect(actor).toEqual(
        bySystem ? { kind: "system", id: null } : { kind: "api-key", id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      );
    }
    expect(log.map(({ occurred_at }) => occurred_at)).toEqual(log.map(({ occurred_at }) => occurred_at).sort());
  });

  test("the data of every public event is what the catalogue says, and holds nothing else", () => {
    const seen = new Set<string>();
    for (const { name, data } of log.filter(({ name }) => isPublic(name))) {
      seen.add(name);
      const schema = publicEvents[name as EventName].data;
      expect({ name, problems: problemsOf(closed(schema), data) }).toEqual({ name, problems: [] });
    }
    expect([...seen].sort()).toEqual([...eventNames].sort());
  });

  test("notes are in no public event", () => {
    const notes = log
      .filter(({ name }) => name === "note.added")
      .map(({ data }) => (data.message as { id: string }).id);
    expect(notes).toHaveLength(1);
    const open = JSON.stringify(log.filter(({ name }) => isPublic(name)));
    for (const id of notes) expect(open).not.toContain(id);
  });

  test("an event names its conversation and its contact", () => {
    for (const { name, data, conversation_id, contact_id } of log) {
      expect({ name, conversation_id }).toEqual({ name, conversation_id: idIn(data.conversation) });
      expect({ name, contact_id }).toEqual({ name, contact_id: idIn(data.visitor) });
    }
  });
});

/** What the system does on this day: it founds the team, and performs what has no REST operation. */
const SYSTEM_EVENTS = [
  "team.created",
  "agent.created",
  "widget.created",
  "api-key.created",
  "agent.assigned",
  "agent.unassigned",
  "tag.created",
  "tag.assigned",
  "tag.removed",
  "custom-field.created",
  "custom.data.assigned",
  "custom.data.removed",
  "erasure.started",
  "contact.erased",
];

const isPublic = (name: string) => (eventNames as readonly string[]).includes(name);

const idIn = (part: unknown): string | null => (part as { id: string } | undefined)?.id ?? null;
