/**
 * Every event that a subscription can name, recorded by its operation, in each form its payload can have: the stored payload
 * fits the catalogue, and contains nothing else (specification, "Events"; decisions 36, 45 to 47, 70, 71, 73).
 */
import { type EventName, eventNames, events } from "@frontdesk/core/contract";
import { closed, problemsOf } from "@frontdesk/testing/ajv";
import { graceJoins } from "@frontdesk/testing/grace";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaReplies, adaSets, eventsOf, veraArrives, veraWrites } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";
import { pigeonDriver } from "../../test/pigeon/pigeon-driver.ts";
import type { NamedDoer } from "../agents/acting-agent.ts";
import type { Operation } from "../context.ts";
import { assignAgent } from "../conversations/assign-agent.ts";
import { insertConversation } from "../conversations/conversation-store.ts";
import { findConversationWithPeople } from "../conversations/find-conversation.ts";
import { setConversationStatus } from "../conversations/set-conversation-status.ts";
import { removeCustomData } from "../custom-data/remove-custom-data.ts";
import { setCustomData } from "../custom-data/set-custom-data.ts";
import { eraseContact } from "../privacy/erase-contact.ts";
import { erasePiece } from "../privacy/erase-piece.ts";
import { addTag } from "../tags/add-tag.ts";
import { removeTag } from "../tags/remove-tag.ts";
import { createWidget } from "../widgets/create-widget.ts";

// A reply by mail is refused where nothing sends it.
const kit = await startTestApp({}, undefined, new Map([["email", pigeonDriver]]));
const { app, storage, runtime, team } = kit;

const page = { page: "https://acme.test/pricing", date: "2026-11-20T08:59:00.000Z" };
const url = "https://files.acme.test/a.png";
const file = { url, name: "a.png", type: "image", mime: "image/png", size: 7 };

/** Created once, so that each is compiled once. */
const schemas = Object.fromEntries(eventNames.map((name) => [name, closed(events[name].data)])) as Record<
  EventName,
  (typeof events)[EventName]["data"]
>;

/** Vera in each form that a payload can show her in. */
const visitors = {
  "with all details": { name: "Vera", email: "vera@example.com", phone: "+4915112345678" },
  "with a name only": { name: "Vera" },
  "without details": { name: null },
};

/** The data of the one event called `name` that `act` records. It must be what the catalogue says. */
async function dataOf(acme: TestTeam, name: EventName, act: () => Promise<unknown>) {
  const found = (await eventsOf(acme, act)).filter((event) => event.name === name);
  expect(found).toHaveLength(1);
  const data = found[0]?.data ?? {};
  expect({ name, problems: problemsOf(schemas[name], data) }).toEqual({
    name,
    problems: [],
  });
  return data;
}

/** Every public event, as what one person or program does to one conversation of a new visitor. */
const everyEvent: Record<EventName, (acme: TestTeam, vera: Vera, by: NamedDoer) => Promise<unknown>> = {
  "message.received": (acme, { contactId }) => veraWrites(acme, { contact_id: contactId }),
  "message.sent": (acme, { conversationId }) => adaReplies(acme, conversationId, { attachments: [file, { url }] }),
  "conversation.created": (acme) => veraWrites(acme),
  "conversation.resolved": (acme, { conversationId }, by) =>
    app.perform(acme.actor, setConversationStatus, { conversationId, status: "resolved", ...by }),
  "tag.assigned": (acme, { conversationId }, by) =>
    app.perform(acme.actor, addTag, { conversationId, name: "Shipping", color: "teal", by }),
  "tag.removed": async (acme, { conversationId }, by) => {
    await app.perform(acme.actor, addTag, { conversationId, name: "Returns" });
    await app.perform(acme.actor, removeTag, { conversationId, name: "returns", by });
  },
  "custom.data.assigned": (acme, { contactId }, by) =>
    app.perform(acme.actor, setCustomData, { contactId, name: "plan", value: "Business", mustExist: false, by }),
  "custom.data.removed": async (acme, { contactId }, by) => {
    await app.perform(acme.actor, setCustomData, { contactId, name: "seats", value: "3", mustExist: false });
    await app.perform(acme.actor, removeCustomData, { contactId, name: "seats", by });
  },
  "agent.assigned": (acme, { conversationId }, by) =>
    app.perform(acme.actor, assignAgent, { conversationId, agentId: acme.ada.id, by }),
  "contact.updated": (acme, { contactId }) => acme.put(`/contacts/${contactId}`, { phone: "0301234" }),
  async "contact.erased"(acme, { contactId }) {
    const { id } = await app.perform(acme.actor, eraseContact, { contactId });
    while (await app.perform({ kind: "system", teamId: acme.teamId }, erasePiece, { erasureId: id }));
  },
};

interface Vera {
  contactId: string;
  conversationId: string;
}

test("every name of the catalogue is here", () => {
  expect(Object.keys(everyEvent).toSorted()).toEqual([...eventNames].toSorted());
});

describe.each(Object.entries(visitors))("of a visitor %s", (_who, details) => {
  test.each(eventNames)("%s has the data that the catalogue says", async (name) => {
    const acme = await team();
    const vera = await veraWrites(acme, details);
    const data = await dataOf(acme, name, () => everyEvent[name](acme, vera, { agentId: acme.ada.id }));
    if (name === "conversation.created" || name === "contact.erased") return;
    const { email = null, phone = null } = details as { email?: string; phone?: string };
    expect(data.visitor).toEqual({
      id: vera.contactId,
      ...(details.name && { name: details.name }),
      email,
      phone: name === "contact.updated" ? "0301234" : phone,
    });
  });
});

test("a new conversation's visitor is as in every other event", async () => {
  const acme = await team();
  for (const details of Object.values(visitors)) {
    const data = await dataOf(acme, "conversation.created", () => veraWrites(acme, details));
    const { name, email = null, phone = null } = details as { name: string | null; email?: string; phone?: string };
    expect(data.visitor).toEqual({ id: expect.any(String), ...(name && { name }), email, phone });
  }
});

describe("who did it", () => {
  const told: Partial<Record<EventName, string>> = {
    "conversation.resolved": "resolved_by",
    "tag.assigned": "assigned_by",
    "tag.removed": "removed_by",
    "custom.data.assigned": "assigned_by",
    "custom.data.removed": "removed_by",
    "agent.assigned": "assigned_by",
  };

  test.each(Object.entries(told) as [EventName, string][])(
    "%s has in %s the agent, the automation or the system",
    async (name, key) => {
      const acme = await team();
      const grace = await graceJoins(kit, acme);
      const automation = { id: runtime.newId(), name: "Tag by topic" };
      const forms: [NamedDoer, object][] = [
        [{ agentId: grace.id }, { agent: grace }],
        [{ automation }, { automation }],
        [{ agentId: undefined }, { system: {} }],
      ];
      for (const [by, expected] of forms) {
        const vera = await veraWrites(acme, { email: `${runtime.newId()}@example.com` });
        // Another contact each time, so that nothing is there already.
        const data = await dataOf(acme, name, () => everyEvent[name](acme, vera, by));
        expect(data[key]).toEqual(expected);
      }
    },
  );

  test("no other public event has it", async () => {
    const acme = await team();
    for (const name of eventNames.filter((other) => !(other in told))) {
      const vera = await veraWrites(acme);
      const data = await dataOf(acme, name, () => everyEvent[name](acme, vera, { agentId: acme.ada.id }));
      expect(Object.keys(data).filter((key) => key.endsWith("_by"))).toEqual([]);
    }
  });
});

describe("attachments", () => {
  test("have what is known of each, and always the size", async () => {
    const acme = await team();
    const { conversationId } = await veraWrites(acme);
    const send = () => adaReplies(acme, conversationId, { attachments: [file, { url }] });
    const data = await dataOf(acme, "message.sent", send);
    expect(data.message).toMatchObject({
      content: "We do, Vera.",
      attachments: [
        { content: url, type: "image", mime: "image/png", original_file_name: "a.png", size: 7 },
        { content: url, size: null },
      ],
    });
  });

  test("alone leave out the content, of agents and of visitors", async () => {
    const acme = await team();
    const { conversationId } = await veraWrites(acme);
    const sent = await dataOf(acme, "message.sent", () =>
      adaReplies(acme, conversationId, { content: null, attachments: [{ url }] }),
    );
    const received = await dataOf(acme, "message.received", () => veraArrives(acme, { message: { urls: [url] } }));
    for (const { message } of [sent, received]) {
      expect(message).toEqual({
        id: expect.any(String),
        attachments: [{ content: url, size: null }],
        created_at: expect.any(String),
      });
    }
  });
});

describe("the page that Vera writes from", () => {
  const message = { content: "Hello?", urls: [] };

  test("is first_page_url and source of a new conversation, and source of a changed contact", async () => {
    const acme = await team();
    let vera = "";
    const created = await dataOf(acme, "conversation.created", async () => {
      vera = await veraArrives(acme, { page_visited: [page], message });
    });
    expect(created).toMatchObject({ conversation: { first_page_url: page.page }, source: page.page });
    const updated = await dataOf(acme, "contact.updated", () => acme.put(`/contacts/${vera}`, { name: "Verena" }));
    expect(updated.source).toBe(page.page);
  });

  test("is left out where it is not known", async () => {
    const acme = await team();
    let vera = "";
    const created = await dataOf(acme, "conversation.created", async () => {
      vera = await veraArrives(acme, { message });
    });
    expect(Object.keys(created)).toEqual(["conversation", "visitor"]);
    expect(created.conversation).not.toHaveProperty("first_page_url");
    const updated = await dataOf(acme, "contact.updated", () => acme.put(`/contacts/${vera}`, { name: "Verena" }));
    expect(updated).not.toHaveProperty("source");
  });
});

describe("the conversation", () => {
  test("names its widget on the website, and not when the widget has no name", async () => {
    const acme = await team();
    const nameless = await app.perform(acme.actor, createWidget, { name: null });
    for (const [widgetId, told] of [
      [acme.widgetId, { widget_name: "Website", identifier: acme.widgetId }],
      [nameless.id, {}],
    ] as const) {
      const vera = await veraWrites(acme, { widget_id: widgetId });
      const data = await dataOf(acme, "tag.assigned", () => everyEvent["tag.assigned"](acme, vera, { agentId: null }));
      expect(data.conversation).toEqual({ id: vera.conversationId, channel: "website", status: "open", ...told });
    }
  });

  // No operation starts one in another channel yet, so the row is changed by hand; the events are of real operations.
  test.each(["email", "messenger", "whatsapp", "fb", "instagram"])(
    "of the channel %s names no widget, in every event with a conversation",
    async (channel) => {
      const acme = await team();
      for (const name of eventNames) {
        // A reply by mail needs a mailbox (email/out).
        if (channel === "email" && name === "message.sent") continue;
        const vera = await veraWrites(acme);
        await query(storage, `UPDATE conversations SET channel = '${channel}' WHERE id = '${vera.conversationId}'`);
        const data = await dataOf(acme, name, () => everyEvent[name](acme, vera, { agentId: acme.ada.id }));
        if (name === "conversation.created" || !("conversation" in data)) continue;
        const status = name === "conversation.resolved" ? "resolved" : "open";
        const { resolved_at: _, ...conversation } = data.conversation as Record<string, unknown>;
        expect(conversation).toEqual({ id: vera.conversationId, channel, status });
      }
    },
  );

  test("of another channel than the website has the channel as its source", async () => {
    const acme = await team();
    const { conversationId } = await veraWrites(acme);
    for (const channel of ["email", "messenger", "whatsapp", "fb", "instagram"]) {
      const receiveMail: Operation<object, void> = {
        name: "receive-visitor-message",
        mode: "write",
        async run(ctx) {
          const { conversation, ...people } = await findConversationWithPeople(ctx, conversationId);
          const started = { ...conversation, id: ctx.newId(), channel };
          ctx.write(insertConversation, started);
          ctx.record({ name: "conversation.created", conversation: started, ...people });
        },
      };
      const data = await dataOf(acme, "conversation.created", () => app.perform(acme.actor, receiveMail, {}));
      expect(data).toMatchObject({ conversation: { channel }, source: channel });
      expect(data.conversation).not.toHaveProperty("widget_name");
    }
  });

  test("says whether it is resolved, also in later events", async () => {
    const acme = await team();
    const vera = await veraWrites(acme);
    await adaSets(acme, vera.conversationId, "resolved");
    for (const name of ["tag.assigned", "agent.assigned", "message.sent"] as const) {
      const data = await dataOf(acme, name, () => everyEvent[name](acme, vera, { agentId: null }));
      expect(data.conversation).toMatchObject({ status: "resolved" });
    }
  });
});
