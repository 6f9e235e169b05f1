/** Simultaneous requests end as if they had been sent one after another (reference row 39). */

import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";

const { team } = await startTestApp();
const write = (acme: TestTeam, extra: object) =>
  acme.post("/conversations", { widget_id: acme.widgetId, content: "Hello", ...extra });
const totals = async (acme: TestTeam) => [
  (await acme.get("/contacts")).body.meta.pagination.total,
  (await acme.get("/conversations/all")).body.meta.pagination.total,
];

test("200 first messages with one e-mail make one contact and one conversation, with every message in it", async () => {
  const acme = await team();
  const spelt = ["vera@visitor.test", "Vera@Visitor.Test", "VERA@VISITOR.TEST"];
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) => write(acme, { email: spelt[n % 3], content: `Message ${n}` })),
  );
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  expect(await totals(acme)).toEqual([1, 1]);
  const [id] = new Set(answers.map(({ body }) => body.data.attributes.conversation_id));
  const texts: string[] = [];
  for (let page = 1; page <= 10; page += 1) {
    const { body } = await acme.get(`/conversations/${id}/messages?page=${page}`);
    texts.push(...body.data.map(({ attributes }: { attributes: { content: string } }) => attributes.content));
  }
  expect(new Set(texts).size).toBe(200);
  // Newest first, by their numbers; and the log has the same order.
  const received = (await acme.events()).filter(({ name }) => name === "message.received");
  expect(texts.toReversed()).toEqual(received.map(({ data }) => (data.message as { content: string }).content));
});

test("200 messages of one known contact make one conversation", async () => {
  const acme = await team();
  const { body } = await acme.post("/contacts/initialize", { widgetId: acme.widgetId });
  await Promise.all(Array.from({ length: 200 }, () => write(acme, { contact_id: body.data.id })));
  expect(await totals(acme)).toEqual([1, 1]);
  expect((await acme.get("/conversations/all")).body.data[0].attributes.unread_messages).toBe(200);
});

test("resolving, reopening and writing at the same time: no fault, and each change is recorded once", async () => {
  const acme = await team();
  const email = "vera@visitor.test";
  const id = (await write(acme, { email })).body.data.attributes.conversation_id as string;
  const answers = await Promise.all(
    Array.from({ length: 150 }, (_, n) => {
      if (n % 3 === 0) return acme.post(`/conversations/${id}/resolve`, { status: "resolved" });
      if (n % 3 === 1) return acme.post(`/conversations/${id}/resolve`, { status: "unresolved" });
      return n % 2 ? write(acme, { email }) : acme.post("/messages", { conversation_id: id, content: "Hello" });
    }),
  );
  expect(answers.filter(({ status }) => status > 201)).toEqual([]);
  const changes = (await acme.events())
    .map(({ name }) => name)
    .filter((name) => name === "conversation.resolved" || name === "conversation.reopened");
  expect(changes.length).toBeGreaterThan(1);
  expect(changes).toEqual(changes.map((_name, n) => (n % 2 ? "conversation.reopened" : "conversation.resolved")));
  const { is_resolved } = (await acme.get("/conversations/all")).body.data[0].attributes;
  expect(is_resolved).toBe(changes.at(-1) === "conversation.resolved");
  expect(await totals(acme)).toEqual([1, 1]);
});

test("one e-mail that is invited 20 times at once is in the team once", async () => {
  const acme = await team();
  const invite = { agents: [{ email: "grace@acme.test" }, { email: "lin@acme.test" }] };
  const answers = await Promise.all(Array.from({ length: 20 }, () => acme.post("/agents/invite", invite)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(422)]);
  expect((await acme.get("/agents")).body.meta.pagination.total).toBe(3);
});

test("a subscription that is removed 20 times at once is removed once", async () => {
  const acme = await team();
  const hook = { endpoint_url: "https://a.test/hook", events: ["message.sent"] };
  const { body } = await acme.post("/webhooks", hook);
  const answers = await Promise.all(Array.from({ length: 20 }, () => acme.delete(`/webhooks/${body.data.id}`)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(403)]);
  expect((await acme.get("/webhooks")).body.meta.pagination.total).toBe(0);
});

test("teams that write at the same time do not get into each other's way", async () => {
  const teams = await Promise.all(Array.from({ length: 25 }, () => team()));
  const answers = await Promise.all(
    Array.from({ length: 500 }, (_, n) => write(teams[n % 25] as TestTeam, { email: `vera${n % 50}@visitor.test` })),
  );
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  for (const acme of teams) {
    const events = await acme.events();
    expect(events.map(({ number }) => number)).toEqual(events.map((_event, index) => index + 1));
    expect(events.filter(({ name }) => name === "message.received")).toHaveLength(20);
  }
});
