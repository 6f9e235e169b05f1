import { idsOf, invalid, NO_IDS } from "@frontdesk/testing/rest-answers";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { contactOf, conversationOf, eventsOf, veraArrives, veraWrites } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";

const { team, clock } = await startTestApp();
const now = () => new Date(clock.now()).toISOString();

test("the answer is a message and the whole new contact, with all that was sent of it", async () => {
  const acme = await team();
  const { status, body } = await acme.post("/contacts/initialize", {
    widgetId: acme.widgetId,
    browser_type: "Firefox",
    operating_system: "Linux",
    ip: "203.0.113.7",
    language: "de",
    name: "Vera",
    timezone: "Europe/Berlin",
    location: "Leipzig",
    country: "Germany",
    country_dialing_code: "+49",
    email: "vera@example.com",
    phone: "+4915112345678",
    marketplace_channel: "shop",
    marketplace_origin: "app",
    preferred_chat_language: "auto-detect",
    is_simulator: false,
    is_form_auto_submitted: true,
    page_visited: [
      { page: "https://acme.test/", date: "2026-11-20T08:58:00.000Z" },
      { page: "https://acme.test/pricing", date: "2026-11-20T10:59:00+02:00" },
    ],
  });
  expect(status).toBe(200);
  expect(body).toEqual({
    message: "Contact initialized.",
    data: {
      type: "chat-contacts",
      id: expect.any(String),
      attributes: {
        widget_name: "Website",
        widget_id: acme.widgetId,
        team_id: acme.teamId,
        name: "Vera",
        email: "vera@example.com",
        phone: "+4915112345678",
        country_dialing_code: "+49",
        bgcolor: expect.stringMatching(/^#[0-9a-f]{6}$/),
        location: "Leipzig",
        browser_type: "Firefox",
        country_code: "DE",
        country: "Germany",
        country_flag: null,
        country_emoji: "🇩🇪",
        page_visited: [
          { page: "https://acme.test/", date: "2026-11-20T08:58:00.000Z" },
          { page: "https://acme.test/pricing", date: "2026-11-20T08:59:00.000Z" },
        ],
        online_status: "offline",
        last_active_at: now(),
        blocked_at: null,
        is_name_updated: false,
        created_at: now(),
        verified_id: null,
        verified_email: null,
        timezone: "Europe/Berlin",
        language: "de",
        ip: "203.0.113.7",
        operating_system: "Linux",
      },
    },
  });
  expect(await contactOf(acme, body.data.id)).toEqual(body.data.attributes);
});

test("only widgetId is required", async () => {
  const acme = await team();
  const { status, body } = await acme.post("/contacts/initialize", { widgetId: acme.widgetId });
  expect(status).toBe(200);
  expect(body.data.attributes).toMatchObject({ name: null, email: null, phone: null, page_visited: [] });
});

test("every call makes a new contact, also with the same e-mail", async () => {
  const acme = await team();
  const first = await veraArrives(acme, { email: "vera@example.com" });
  const second = await veraArrives(acme, { email: "vera@example.com" });
  expect(second).not.toBe(first);
  expect(idsOf(await acme.get("/contacts"))).toEqual([second, first]);
});

test("the id can be the contact_id of POST /conversations with the same widget", async () => {
  const acme = await team();
  const vera = await veraArrives(acme);
  expect((await veraWrites(acme, { contact_id: vera })).contactId).toBe(vera);
});

describe("with a message", () => {
  test("a conversation starts with its content, and its urls are the attachments", async () => {
    const acme = await team();
    const content = "Where is my parcel?";
    const urls = ["https://files.acme.test/a.png", "http://files.acme.test/b.pdf"];
    const pages = [{ page: "https://acme.test/orders", date: "2026-11-20T08:59:00.000Z" }];
    let vera = "";
    const events = await eventsOf(acme, async () => {
      vera = await veraArrives(acme, { message: { content, urls }, page_visited: pages });
    });
    const [conversationId] = idsOf(await acme.get("/conversations/all")) as [string];
    expect(await conversationOf(acme, conversationId)).toEqual({
      is_resolved: false,
      contact_id: vera,
      unread_messages: 1,
      created_at: now(),
    });
    expect((await acme.get(`/conversations/${conversationId}/messages`)).body.data).toEqual([
      {
        type: "messages",
        id: expect.any(String),
        attributes: {
          origin: "chat",
          content,
          type: "message",
          conversation_id: conversationId,
          created_at: now(),
        },
      },
    ]);

    expect(events.map(({ name }) => name)).toEqual(["contact.created", "conversation.created", "message.received"]);
    expect(events[1]?.data.conversation).toMatchObject({ first_page_url: "https://acme.test/orders" });
    expect(events[2]?.data.message).toMatchObject({
      content,
      attachments: urls.map((url) => ({ content: url, size: null })),
    });
  });

  test.each([
    ["no message", {}],
    ["an empty one", { message: {} }],
    ["one without text and urls", { message: { content: "", urls: [] } }],
  ])("%s starts no conversation", async (_what, body) => {
    const acme = await team();
    await veraArrives(acme, body);
    expect((await acme.get("/conversations/all")).body.meta.pagination.total).toBe(0);
  });

  test("of urls alone a conversation starts too: nothing that was sent is lost", async () => {
    const acme = await team();
    const urls = ["https://files.acme.test/a.png"];
    await veraArrives(acme, { message: { urls } });
    expect((await acme.get("/conversations/all")).body.meta.pagination.total).toBe(1);
    expect((await acme.events()).at(-1)).toMatchObject({
      name: "message.received",
      data: { message: { attachments: [{ content: urls[0], size: null }] } },
    });
  });

  test("Vera's next message joins the conversation that began so", async () => {
    const acme = await team();
    const vera = await veraArrives(acme, { message: { content: "Hello?" } });
    const [conversationId] = idsOf(await acme.get("/conversations/all"));
    expect(await veraWrites(acme, { contact_id: vera })).toMatchObject({ conversationId });
  });
});

test("widgetId must name a widget of the team: unknown, another team's, no id at all or missing gives 422", async () => {
  const [acme, sams] = [await team(), await team()];
  for (const widgetId of [sams.widgetId, "", null, 7, undefined, ...NO_IDS]) {
    const { status, body } = await acme.post("/contacts/initialize", { widgetId, name: "Vera" });
    expect(status).toBe(422);
    expect(body).toEqual(invalid("widgetId"));
  }
  await nobodyCame(acme);
});

const file = "https://files.acme.test/a.png";
const longUrl = (length: number) => `${file}?`.padEnd(length, "q");
const page = { page: "https://acme.test/", date: "2026-11-20T08:58:00.000Z" };

test.each<[string, object, string[]]>([
  ["a name of another type", { name: 7 }, ["name"]],
  ["a null, which the document does not give", { name: null, email: null }, ["name", "email"]],
  ["a malformed e-mail", { email: "vera@" }, ["email"]],
  ["a malformed phone", { phone: "0151 123" }, ["phone"]],
  ["a flag as text", { is_simulator: "true", is_form_auto_submitted: 1 }, ["is_simulator", "is_form_auto_submitted"]],
  ["a message as text", { message: "Hello?" }, ["message"]],
  ["a text of another type", { message: { content: ["Hello?"] } }, ["message.content"]],
  ["10,001 characters", { message: { content: "c".repeat(10_001) } }, ["message.content"]],
  ["10 urls", { message: { content: "Look", urls: Array(10).fill(file) } }, ["message.urls"]],
  ["a url that is none", { message: { content: "Look", urls: [file, "a.png"] } }, ["message.urls.1"]],
  ["a url of 2049 characters", { message: { urls: [longUrl(2049)] } }, ["message.urls.0"]],
  ["pages that are no list", { page_visited: page }, ["page_visited"]],
  ["a page without a date", { page_visited: [page, { page: page.page }] }, ["page_visited.1.date"]],
  ["a day that is none", { page_visited: [{ ...page, date: "2026-02-31T00:00:00Z" }] }, ["page_visited.0.date"]],
  ["a date without a time", { page_visited: [{ ...page, date: "2026-11-20" }] }, ["page_visited.0.date"]],
  ["a second that is none", { page_visited: [{ ...page, date: "2026-06-30T23:59:60Z" }] }, ["page_visited.0.date"]],
  ["a number as a time", { page_visited: [{ ...page, date: 1_795_000_000 }] }, ["page_visited.0.date"]],
])("%s gives 422 with the field named, and no contact is created", async (_what, fields, named) => {
  const acme = await team();
  const { status, body } = await acme.post("/contacts/initialize", { widgetId: acme.widgetId, ...fields });
  expect(status).toBe(422);
  expect(body).toEqual(invalid(...named));
  await nobodyCame(acme);
});

test("10,000 characters, 9 urls and a url of 2048 characters are taken", async () => {
  const acme = await team();
  const urls = [...Array(8).fill(file), longUrl(2048)];
  await veraArrives(acme, { message: { content: "🙂".repeat(10_000), urls } });
  const [message] = (await acme.events()).slice(-1);
  expect(message?.data.message).toMatchObject({ attachments: urls.map((content) => ({ content, size: null })) });
});

async function nobodyCame(acme: TestTeam): Promise<void> {
  expect((await acme.get("/contacts")).body.data).toEqual([]);
  expect((await acme.get("/conversations/all")).body.data).toEqual([]);
}
