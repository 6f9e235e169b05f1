/** Who waits, who has an answer, and whose it is (docs/decisions/0044-triage.md). */
import { randomUUID } from "node:crypto";
import { isUnseen } from "@frontdesk/core/domain/inbox";
import { adasInbox, bensInbox, type InboxClient } from "@frontdesk/testing/inbox-client";
import { dump } from "@frontdesk/testing/second-app";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { eventNamesOf, eventsOf, veraWrites } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";

const { app, storage, team, clock } = await startTestApp();
const HOUR_MS = 3_600_000;

async function acmeAtWork() {
  const acme = await team();
  const ada = adasInbox(app, acme);
  const written = async () => {
    clock.advance(1_000);
    return veraWrites(acme);
  };
  return { acme, ada, written };
}

const said = (more: object = {}) => ({ client_id: randomUUID(), type: "message", content: "We do, Vera.", ...more });
const reply = (inbox: InboxClient, conversationId: string, more: object = {}) =>
  inbox.post(`/conversations/${conversationId}/messages`, said(more));
const inFuture = (ms: number) => new Date(clock.now() + ms).toISOString();

describe("the lists", () => {
  test("tell who waits for an answer and who has one: an automatic reply is none, a reopening begins anew", async () => {
    const { acme, ada, written } = await acmeAtWork();
    const { conversationId: waits } = await written();
    const { conversationId: answered } = await written();
    const { conversationId: reopened } = await written();
    const { conversationId: snoozed } = await written();
    const { conversationId: done } = await written();
    for (const id of [answered, reopened, done]) await reply(ada, id);
    for (const id of [reopened, done]) await ada.post(`/conversations/${id}/resolve`);
    await ada.post(`/conversations/${reopened}/reopen`);
    await ada.post(`/conversations/${snoozed}/snooze`, { until: inFuture(HOUR_MS) });
    await reply(ada, waits, { type: "note", content: "Who knows Portugal?" });
    expect(await ada.list("view=waiting")).toEqual([waits]);
    expect(await ada.list("view=answered")).toEqual([answered]);
    await ada.post(`/conversations/${answered}/unread`);
    const { waiting, answered: counted } = (await ada.get("/counts")).views;
    expect([waiting, counted]).toEqual([
      { count: 1, unread: 1 },
      { count: 1, unread: 1 },
    ]);
    // The visitor of the answered one writes again: it waits.
    const { contact } = (await ada.get(`/conversations/${answered}`)).conversation;
    await veraWrites(acme, { content: "And to Spain?", contact_id: contact.id });
    expect((await ada.list("view=waiting")).toSorted()).toEqual([waits, answered].toSorted());
    expect(await ada.list("view=answered")).toEqual([]);
  });

  test("go from who waits longest to those that wait for nothing, page by page, in every view", async () => {
    const { ada, written } = await acmeAtWork();
    const ids: string[] = [];
    for (let count = 0; count < 6; count += 1) ids.push((await written()).conversationId);
    const [first, second, third, fourth, fifth, sixth] = ids as [string, string, string, string, string, string];
    clock.advance(1_000);
    await reply(ada, first);
    clock.advance(1_000);
    await reply(ada, third);
    await ada.post(`/conversations/${fifth}/resolve`);
    await ada.post(`/conversations/${fifth}/reopen`);
    const paged = async (query: string) => {
      const found: string[] = [];
      let before = "";
      for (;;) {
        const page = await ada.get(`/conversations?limit=2&order=waiting&${query}${before}`);
        found.push(...page.conversations.map(({ id }: { id: string }) => id));
        if (page.next === null) return found;
        before = `&before=${encodeURIComponent(page.next)}`;
      }
    };
    expect(await paged("view=open")).toEqual([second, fourth, sixth, third, first, fifth]);
    expect(await paged("view=all&unread=true")).toEqual([second, fourth, sixth, fifth]);
    expect(await paged("view=waiting")).toEqual([second, fourth, sixth]);
    expect(await paged("view=answered")).toEqual([third, first]);
    expect(await ada.list("view=waiting&order=newest")).toEqual([sixth, fourth, second]);
    expect(await ada.list("view=waiting&order=oldest&limit=2")).toEqual([second, fourth, sixth]);
  });
});

describe("what an agent has read", () => {
  test("is their own: the team's unread is everybody's, and what a colleague has read stays new to the others", async () => {
    const { acme, ada, written } = await acmeAtWork();
    const ben = await bensInbox(app, acme);
    const { conversationId } = await written();
    const shown = async (inbox: InboxClient) => {
      const { conversations, own_reads } = await inbox.get("/conversations?view=open");
      const details = await inbox.get(`/conversations/${conversationId}`);
      expect(details.own_read).toBe(own_reads[conversationId] ?? 0);
      return [conversations[0].unread_messages, isUnseen(conversations[0], own_reads[conversationId])];
    };
    expect([await shown(ada), await shown(ben)]).toEqual([
      [1, true],
      [1, true],
    ]);
    await ben.post(`/conversations/${conversationId}/read`, { sort_number: 1 });
    expect([await shown(ada), await shown(ben)]).toEqual([
      [0, true],
      [0, false],
    ]);
    // Ada's reading changes nothing for the team: no event. A repeat, and a lower number, change nothing at all.
    expect(await eventNamesOf(acme, () => ada.post(`/conversations/${conversationId}/read`))).toEqual([]);
    const before = await dump(storage);
    for (const sort_number of [0, 99]) {
      await ada.post(`/conversations/${conversationId}/read`, { sort_number });
      expect(await dump(storage), String(sort_number)).toBe(before);
    }
    expect(await shown(ada)).toEqual([0, false]);
    await reply(ben, conversationId);
    expect(await shown(ada)).toEqual([0, false]);
  });

  test("what is answered or resolved is new to no one", async () => {
    const { acme, ada, written } = await acmeAtWork();
    const ben = await bensInbox(app, acme);
    const { conversationId: answered } = await written();
    const { conversationId: resolved } = await written();
    await reply(ben, answered);
    await ben.post(`/conversations/${resolved}/resolve`);
    const { conversations, own_reads } = await ada.get("/conversations?view=all");
    expect(own_reads).toEqual({});
    expect(conversations.map((each: Parameters<typeof isUnseen>[0]) => isUnseen(each))).toEqual([false, false]);
  });
});

describe("assign to me when I reply", () => {
  const assignedIn = (answer: { body: { conversation?: { assigned_agents: { name: string }[] } } }) =>
    answer.body.conversation?.assigned_agents.map(({ name }) => name);

  test("a reply takes a conversation that nobody has, in its own commit; a note does not", async () => {
    const { acme, written } = await acmeAtWork();
    const mia = await signedIn({ app }, acme);
    const { conversationId } = await written();
    const path = `/inbox/conversations/${conversationId}/messages`;
    expect(assignedIn(await mia.post(path, said({ type: "note" })))).toEqual([]);
    const [sent, assigned, ...others] = await eventsOf(acme, async () => {
      const answer = await mia.post(path, said());
      expect(assignedIn(answer)).toEqual(["Mia"]);
    });
    expect(others).toEqual([]);
    expect([sent?.name, assigned?.name]).toEqual(["message.sent", "agent.assigned"]);
    const byMia = { agent: { id: mia.actor.agentId, name: "Mia", email: mia.email } };
    expect(assigned?.data).toMatchObject({ ...byMia, assigned_by: byMia });
    expect(assigned?.occurred_at).toBe(sent?.occurred_at);
  });

  test("what somebody has stays theirs, and a repeat takes nothing back that was given up", async () => {
    const { acme, ada, written } = await acmeAtWork();
    const mia = await signedIn({ app }, acme);
    const { conversationId } = await written();
    const path = `/inbox/conversations/${conversationId}`;
    await ada.post(`/conversations/${conversationId}/assign`, { agent_id: ada.agentId });
    expect(assignedIn(await mia.post(`${path}/messages`, said()))).toEqual(["Ada"]);
    await ada.post(`/conversations/${conversationId}/unassign`, { agent_id: ada.agentId });
    const again = said();
    expect(assignedIn(await mia.post(`${path}/messages`, again))).toEqual(["Mia"]);
    await mia.post(`${path}/unassign`, { agent_id: mia.actor.agentId });
    expect(assignedIn(await mia.post(`${path}/messages`, again))).toEqual([]);
  });

  test("a reply that resolves takes it too; with the setting off, none does", async () => {
    const { acme, written } = await acmeAtWork();
    const mia = await signedIn({ app }, acme);
    const { conversationId: done } = await written();
    const answer = await mia.post(`/inbox/conversations/${done}/messages`, said({ resolve: true }));
    expect([assignedIn(answer), answer.body.conversation.is_resolved]).toEqual([["Mia"], true]);
    expect((await mia.request("PUT", "/inbox/preferences", { assign_on_reply: false })).status).toBe(200);
    const { conversationId: other } = await written();
    expect(assignedIn(await mia.post(`/inbox/conversations/${other}/messages`, said()))).toEqual([]);
  });

  test("a key assigns nobody, neither at the inbox nor by REST", async () => {
    const { acme, ada, written } = await acmeAtWork();
    const ben = await bensInbox(app, acme);
    const { conversationId } = await written();
    expect((await reply(ben, conversationId)).conversation.assigned_agents).toEqual([]);
    expect((await acme.post("/messages", { conversation_id: conversationId, content: "We do." })).status).toBe(201);
    expect((await ada.get(`/conversations/${conversationId}`)).conversation.assigned_agents).toEqual([]);
  });
});
