/** Architecture, 2 and 3: invariants 2 and 5. */
import { apiKeyScopes, type OperationName, policy, policyOf, scopesFor } from "@frontdesk/core/domain/policy";
import { Refusal } from "@frontdesk/core/domain/refusal";
import { automatedActors } from "@frontdesk/testing/automated-actors";
import { dump, query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import type { ApiKeyActor } from "./access/actor.ts";
import type { Operation } from "./context.ts";
import { assignAgent } from "./conversations/assign-agent.ts";
import { rateConversation } from "./conversations/rate-conversation.ts";
import { receiveVisitorMessage } from "./conversations/receive-visitor-message.ts";
import { unassignAgent } from "./conversations/unassign-agent.ts";
import { removeCustomData } from "./custom-data/remove-custom-data.ts";
import { setCustomData } from "./custom-data/set-custom-data.ts";
import { eventsAfter } from "./events/event-store.ts";
import { createPerform } from "./perform.ts";
import { addTag } from "./tags/add-tag.ts";
import { removeTag } from "./tags/remove-tag.ts";
import { createTeam } from "./teams/create-team.ts";
import { renameTeam } from "./teams/rename-team.ts";

const { app, team, storage, runtime } = await startTestApp();
// With mail, so that an invitation stores a job too; nothing is sent, the app does not run its jobs.
const breaking = await startTestApp({ SMTP_URL: "smtp://127.0.0.1:1" });

/** A request to every operation that changes something. */
async function everyWrite(acme: TestTeam) {
  const begun = await acme.post("/conversations", { widget_id: acme.widgetId, content: "Hi", email: "v@visitor.test" });
  const { conversation_id, contact } = begun.body.data.attributes;
  const [readId, reopenedId] = await Promise.all(["r@visitor.test", "s@visitor.test"].map(resolvedConversation));
  async function resolvedConversation(email: string): Promise<string> {
    const { body } = await acme.post("/conversations", { widget_id: acme.widgetId, content: "Hi", email });
    const id = body.data.attributes.conversation_id;
    await acme.post(`/conversations/${id}/resolve`, { status: "resolved" });
    return id;
  }
  const hook = { endpoint_url: "https://a.test/hook", events: ["message.sent"] };
  const { body: webhook } = await acme.post("/webhooks", hook);
  const initialize = {
    widgetId: acme.widgetId,
    message: { content: "Hi", urls: ["https://a.test/b"] },
    page_visited: [{ page: "https://a.test/", date: "2026-11-20T12:00:00Z" }],
  };
  const once = (key: string) => ({ "idempotency-key": key });
  /** Operations without a REST operation, with the status that they would have there. */
  const perform = <Input>(operation: Operation<Input, unknown>, input: Input) =>
    breaking.app.perform(acme.actor, operation, input).then(
      () => ({ status: 200 }),
      (error) => ({ status: error instanceof Refusal ? 422 : 500 }),
    );
  const agentId = acme.ada.id;
  const known = { contactId: contact.id as string, name: "seats", value: "3", mustExist: false };
  await acme.post(`/conversations/${readId}/read`, {});
  await perform(assignAgent, { conversationId: reopenedId as string, agentId });
  await perform(addTag, { conversationId: reopenedId as string, name: "Returns" });
  await perform(setCustomData, known);
  return {
    "a read conversation": () => acme.post(`/conversations/${reopenedId}/read`, {}),
    "one to be looked at again": () => acme.post(`/conversations/${readId}/unread`),
    "a rating": () => perform(rateConversation, { conversationId: reopenedId as string, rating: 5, comment: "Thanks" }),
    "a visitor's first message": () =>
      acme.post("/conversations", { widget_id: acme.widgetId, content: "New" }, once("new")),
    "a visitor's next message": () =>
      acme.post("/conversations", { widget_id: acme.widgetId, content: "Next", email: "v@visitor.test" }),
    "a visitor's message that reopens": () =>
      acme.post("/conversations", { widget_id: acme.widgetId, content: "Next", email: "r@visitor.test" }),
    "a new visitor with a page, a message and an attachment": () => acme.post("/contacts/initialize", initialize),
    "a changed contact": () => acme.put(`/contacts/${contact.id}`, { name: "Vera" }),
    "a reply": () => acme.post("/messages", { conversation_id, content: "Hello" }, once("reply")),
    "a note": () => acme.post("/messages", { conversation_id, content: "Hello", type: "note" }),
    "a resolved conversation": () => acme.post(`/conversations/${conversation_id}/resolve`, { status: "resolved" }),
    "a reopened conversation": () => acme.post(`/conversations/${reopenedId}/resolve`, { status: "open" }),
    "an assigned agent": () => perform(assignAgent, { conversationId: conversation_id, agentId }),
    "an agent who is taken off": () => perform(unassignAgent, { conversationId: reopenedId as string, agentId }),
    "a new tag": () => perform(addTag, { conversationId: conversation_id, name: "Shipping", color: "teal" }),
    "a tag that the team has": () => perform(addTag, { conversationId: conversation_id, name: "Returns" }),
    "a removed tag": () => perform(removeTag, { conversationId: reopenedId as string, name: "Returns" }),
    "new custom data": () => perform(setCustomData, { ...known, name: "plan" }),
    "changed custom data": () => perform(setCustomData, { ...known, value: "4" }),
    "removed custom data": () => perform(removeCustomData, known),
    "an invitation": () => acme.post("/agents/invite", { agents: ["grace@acme.test"] }),
    "a subscription": () => acme.post("/webhooks", hook),
    "a changed subscription": () => acme.patch(`/webhooks/${webhook.data.id}`, { name: "New" }),
    "a removed subscription": () => acme.delete(`/webhooks/${webhook.data.id}`),
  };
}

test("a change and its events are one commit: when the event cannot be stored, nothing of the change is there", async () => {
  const acme = await breaking.team();
  const writes = await everyWrite(acme);
  const sqlite = breaking.storage.engine === "sqlite";
  await query(
    breaking.storage,
    sqlite
      ? "CREATE TRIGGER no_event BEFORE INSERT ON events BEGIN SELECT raise(abort, 'no event'); END"
      : "ALTER TABLE events ADD CONSTRAINT no_event CHECK (number < 0) NOT VALID",
  );
  const before = await dump(breaking.storage);
  for (const [what, write] of Object.entries(writes)) {
    expect({ what, status: (await write()).status }).toEqual({ what, status: 500 });
    expect(await dump(breaking.storage), what).toBe(before);
  }
  await query(breaking.storage, sqlite ? "DROP TRIGGER no_event" : "ALTER TABLE events DROP CONSTRAINT no_event");
  // The premise: without that each of them is done, and records its event.
  for (const [what, write] of Object.entries(writes)) {
    const events = (await acme.events()).length;
    expect({ what, status: (await write()).status < 202 }).toEqual({ what, status: true });
    expect((await acme.events()).length, what).toBeGreaterThan(events);
  }
  const jobs = await query(breaking.storage, "SELECT kind FROM jobs ORDER BY kind");
  expect(jobs).toEqual([{ kind: "send-mail" }]);
  expect(await query(breaking.storage, "SELECT kind FROM timers")).toEqual([{ kind: "mail-replies" }]);
});

test("with a bus that loses every wake-up the log still has every event, in order", async () => {
  const acme = await team();
  const deaf = createPerform(storage, runtime, { news: () => {}, jobs: () => {} });
  await Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      deaf(acme.actor, receiveVisitorMessage, { widgetId: acme.widgetId, content: `Message ${n}`, email: "v@a.test" }),
    ),
  );
  const events = await acme.events();
  expect(events.map(({ number }) => number)).toEqual(events.map((_event, index) => index + 1));
  const texts = events.filter(({ name }) => name === "message.received").map(({ data }) => data.message);
  expect(texts.map((message) => (message as { content: string }).content)).toEqual(
    Array.from({ length: 100 }, (_, n) => `Message ${n}`),
  );
});

test("a woken listener finds the event stored, and every commit with events wakes", async () => {
  const acme = await team();
  const read = (after: number) =>
    storage.read((db) => db.all(eventsAfter, { team_id: acme.teamId, after, limit: 1_000 }));
  const known = (await read(0)).length;
  const found: Promise<number>[] = [];
  const unsubscribe = app.bus.subscribe((teamId) => {
    if (teamId === acme.teamId) found.push(read(known).then(({ length }) => length));
  });
  for (let n = 0; n < 5; n += 1) await acme.post("/contacts/initialize", { widgetId: acme.widgetId });
  expect((await acme.post("/contacts/initialize", { widgetId: "nowhere" })).status).toBe(422);
  unsubscribe();
  const counts = await Promise.all(found);
  expect(counts).toHaveLength(5);
  for (const [index, count] of counts.entries()) expect(count).toBeGreaterThan(index);
});

test("an operation without a column for API keys is refused to them, whatever scopes they carry, and does nothing", async () => {
  const acme = await team();
  const actor: ApiKeyActor = {
    kind: "api-key",
    teamId: acme.teamId,
    keyId: runtime.newId(),
    agentId: acme.ada.id,
    scopes: apiKeyScopes,
  };
  const before = await acme.events();
  await expect(app.perform(actor, renameTeam, { name: "x" })).rejects.toMatchObject({
    reason: { name: "not-allowed" },
  });
  await expect(app.perform(actor, createTeam, { name: "x" })).rejects.toMatchObject({
    reason: { name: "not-allowed" },
  });
  expect(await acme.events()).toEqual(before);
});

test("every row of the policy that a key may use is refused to a key that carries all the other scopes", async () => {
  const acme = await team();
  for (const name of Object.keys(policy) as OperationName[]) {
    const needed = scopesFor(name);
    const actor: ApiKeyActor = { kind: "api-key", teamId: acme.teamId, keyId: "k", agentId: acme.ada.id, scopes: [] };
    let ran = false;
    const operation = {
      name,
      mode: "read" as const,
      run: async () => {
        ran = true;
      },
    };
    for (const missing of needed ?? [undefined]) {
      const others = { ...actor, scopes: apiKeyScopes.filter((scope) => scope !== missing) };
      const asked = app.perform(others, operation, {});
      await expect(asked, `${name} without ${missing}`).rejects.toMatchObject({ reason: { name: "not-allowed" } });
    }
    expect(ran).toBe(false);
    if (needed) await app.perform({ ...actor, scopes: needed }, operation, {});
    expect(ran).toBe(needed !== undefined);
  }
});

test("what acts by itself may perform the rows with its column, and no other", async () => {
  const acme = await team();
  for (const [kind, actor] of Object.entries(automatedActors(acme))) {
    const performed: OperationName[] = [];
    for (const name of Object.keys(policy) as OperationName[]) {
      const operation = { name, mode: "read" as const, run: async () => performed.push(name) };
      const refused = await app.perform(actor, operation, {}).catch((error) => error.reason.name);
      expect(typeof refused === "number" || refused === "not-allowed", `${kind}, ${name}: ${refused}`).toBe(true);
    }
    const column = kind as keyof ReturnType<typeof automatedActors>;
    expect(performed.toSorted()).toEqual(
      (Object.keys(policy) as OperationName[]).filter((name) => policyOf(name)[column] === true).toSorted(),
    );
  }
});

test("of operations that take long an actor has one under way at a time, and no other actor waits for it", async () => {
  const acme = await team();
  const begun: string[] = [];
  const ends = new Map<string, (problem?: Error) => void>();
  const long: Operation<{ name: string }, string> = {
    name: "list-contacts",
    mode: "read",
    oneAtATime: ({ name }) => name !== "short",
    async run(_ctx, { name }) {
      begun.push(name);
      await new Promise<void>((resolve, reject) =>
        ends.set(name, (problem) => (problem ? reject(problem) : resolve())),
      );
      return name;
    },
  };
  const perform = createPerform(storage, runtime);
  const ada = {
    kind: "agent",
    teamId: acme.teamId,
    agentId: acme.ada.id,
    role: "CHAT_AGENT_OWNER",
    sessionId: "s",
    verifiedAt: 0,
    reach: "everything",
  } as const;
  const robin = { ...ada, agentId: runtime.newId() };
  const asked = ["first", "second", "third"].map((name) => perform(ada, long, { name }));
  const others = [perform(robin, long, { name: "robin" }), perform(ada, long, { name: "short" })];
  await expect.poll(() => begun.toSorted()).toEqual(["first", "robin", "short"]);
  for (const name of ["robin", "short"]) ends.get(name)?.();
  expect(await Promise.all(others)).toEqual(["robin", "short"]);
  // One that fails does not keep the next from its turn.
  ends.get("first")?.(new Error("no"));
  await expect(asked[0]).rejects.toThrow("no");
  await expect.poll(() => begun.at(-1)).toBe("second");
  ends.get("second")?.();
  await expect.poll(() => begun.at(-1)).toBe("third");
  ends.get("third")?.();
  expect(await Promise.all(asked.slice(1))).toEqual(["second", "third"]);
});
