/** Conversations that are snoozed, and return (docs/decisions/0026-inbox.md; the diagram is in snooze.ts). */

import { LiveConversation } from "@frontdesk/core/contract/live";
import { problemsOf } from "@frontdesk/testing/ajv";
import { heldTimeouts } from "@frontdesk/testing/held-timeouts";
import { adasInbox } from "@frontdesk/testing/inbox-client";
import { appOn, query } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { adaReplies, eventNamesOf, veraWrites } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";

const { app, team, clock, storage, runtime } = await startTestApp();
const HOUR_MS = 3_600_000;
// The process whose timers fire.
const timeouts = heldTimeouts();
await (await appOn({ storage, runtime, timeouts })).start();

/** Waits until the process has fired what is due, and `reached` holds. */
const fires = (read: () => Promise<unknown>) =>
  expect.poll(
    async () => {
      timeouts.advance(5_000);
      return read();
    },
    { interval: 20 },
  );

async function veraHasWritten() {
  const acme = await team();
  const ada = adasInbox(app, acme);
  clock.advance(1_000);
  const { conversationId } = await veraWrites(acme, { email: "vera@example.com" });
  const act = async (action: string, body: object = {}) =>
    (await ada.post(`/conversations/${conversationId}/${action}`, body)).conversation;
  const now = async () => (await ada.get(`/conversations/${conversationId}`)).conversation;
  const again = () => veraWrites(acme, { email: "vera@example.com", content: "Are you there?" });
  return { acme, ada, conversationId, act, now, again };
}

const timersOf = (conversationId: string) =>
  query(storage, `SELECT kind, armed_for FROM timers WHERE subject_id = '${conversationId}'`);

const inFuture = (ms: number) => new Date(clock.now() + ms).toISOString();

test("a conversation that is snoozed until a time is in no open list, and says until when", async () => {
  const { acme, ada, conversationId, act } = await veraHasWritten();
  const until = inFuture(HOUR_MS);
  const names = await eventNamesOf(acme, async () => {
    const conversation = await act("snooze", { until });
    expect(problemsOf(LiveConversation, conversation)).toEqual([]);
    expect(conversation).toMatchObject({ snoozed_until: until, snoozed_until_reply: false, woken_at: null });
    // The same again changes nothing.
    expect(await act("snooze", { until })).toEqual(conversation);
  });
  expect(names).toEqual(["conversation.snoozed"]);
  expect(await ada.list("view=snoozed")).toEqual([conversationId]);
  for (const view of ["open", "unassigned", "mine", "handoff"])
    expect(await ada.list(`view=${view}`), view).toEqual([]);
});

test("a visitor's message brings it back on top with a mark, whatever it was snoozed until", async () => {
  for (const until of [{ until_reply: true }, { until: inFuture(HOUR_MS) }]) {
    const { acme, ada, conversationId, act, again, now } = await veraHasWritten();
    await act("snooze", until);
    clock.advance(60_000);
    expect(await eventNamesOf(acme, again)).toEqual(["conversation.unsnoozed", "message.received"]);
    const at = new Date(clock.now()).toISOString();
    expect(await now()).toMatchObject({ snoozed_until: null, snoozed_until_reply: false, woken_at: at, active_at: at });
    expect(await ada.list("view=open")).toEqual([conversationId]);
  }
});

test("at its time a stored timer brings it back, above what was written meanwhile", async () => {
  const { acme, ada, conversationId, act, now } = await veraHasWritten();
  await act("snooze", { until: inFuture(HOUR_MS) });
  clock.advance(60_000);
  const { conversationId: other } = await veraWrites(acme, { name: "Hugo" });
  expect(await ada.list("view=open")).toEqual([other]);
  clock.advance(HOUR_MS);
  await fires(async () => (await now()).snoozed_until).toBeNull();
  expect(await now()).toMatchObject({ woken_at: new Date(clock.now()).toISOString() });
  expect(await ada.list("view=open")).toEqual([conversationId, other]);
  expect((await acme.events()).at(-1)).toMatchObject({
    name: "conversation.unsnoozed",
    data: { ended_by: { system: {} } },
  });
});

test("its timer goes with it, whatever brings it back", async () => {
  const { conversationId, act, again } = await veraHasWritten();
  for (const back of [() => act("unsnooze"), again, () => act("resolve")]) {
    await act("snooze", { until: inFuture(HOUR_MS) });
    expect(await timersOf(conversationId)).toHaveLength(1);
    await back();
    expect(await timersOf(conversationId)).toEqual([]);
  }
});

test("snoozed until a reply it has no timer", async () => {
  const { conversationId, act } = await veraHasWritten();
  await act("snooze", { until: inFuture(HOUR_MS) });
  await act("snooze", { until_reply: true });
  expect(await timersOf(conversationId)).toEqual([]);
});

describe("it is over", () => {
  test("on request; a repeat records nothing", async () => {
    const { acme, act } = await veraHasWritten();
    await act("snooze", { until_reply: true });
    expect(await eventNamesOf(acme, () => act("unsnooze"))).toEqual(["conversation.unsnoozed"]);
    expect(await eventNamesOf(acme, () => act("unsnooze"))).toEqual([]);
  });

  test("when it is resolved, and the mark goes with the next reply", async () => {
    const { acme, conversationId, act, now } = await veraHasWritten();
    await act("snooze", { until_reply: true });
    expect(await act("resolve")).toMatchObject({ is_resolved: true, snoozed_until_reply: false, woken_at: null });
    await act("reopen");
    await act("snooze", { until_reply: true });
    expect(await act("unsnooze")).toMatchObject({ woken_at: expect.any(String) });
    await adaReplies(acme, conversationId);
    expect(await now()).toMatchObject({ woken_at: null });
  });

  test("not when an agent replies or notes: it stays snoozed", async () => {
    const { acme, conversationId, act, now } = await veraHasWritten();
    await act("snooze", { until_reply: true });
    await adaReplies(acme, conversationId);
    await adaReplies(acme, conversationId, { type: "note" });
    expect(await now()).toMatchObject({ snoozed_until_reply: true });
  });

  test("not at an earlier time, when it was snoozed again", async () => {
    const { act, now, conversationId } = await veraHasWritten();
    await act("snooze", { until: inFuture(HOUR_MS) });
    const later = inFuture(3 * HOUR_MS);
    await act("snooze", { until: later });
    clock.advance(2 * HOUR_MS);
    const { act: other, now: otherNow } = await veraHasWritten();
    await other("snooze", { until: inFuture(1_000) });
    clock.advance(2_000);
    // By the time that a younger timer has fired, an older one would have.
    await fires(async () => (await otherNow()).snoozed_until).toBeNull();
    expect(await now()).toMatchObject({ snoozed_until: later });
    expect(await timersOf(conversationId)).toEqual([{ kind: "end-snooze", armed_for: Date.parse(later) }]);
  });
});

test("what the visitor has written since the agent looked prevents a snooze, until a time or until a reply", async () => {
  const { acme, ada, conversationId, act, again, now } = await veraHasWritten();
  const { last_message } = await now();
  const seen = { after_numbers: { [conversationId]: last_message.sort_number } };
  await again();
  const names = await eventNamesOf(acme, async () => {
    for (const until of [{ until_reply: true }, { until: inFuture(HOUR_MS) }]) {
      const path = `/conversations/${conversationId}/snooze`;
      const { status, body } = await ada.ask("POST", path, { ...until, ...seen });
      const errors = { after_numbers: ["The visitor has written in the meantime."] };
      expect([status, body]).toMatchObject([422, { message: "Some fields are invalid.", errors }]);
    }
  });
  expect(names).toEqual([]);
  expect(await now()).toMatchObject({ snoozed_until: null, snoozed_until_reply: false, woken_at: null });
  expect(await ada.list("view=open")).toEqual([conversationId]);
  // What the team writes meanwhile is no reason; nor is it a newer message that the agent has seen.
  const { last_message: newest } = await now();
  await adaReplies(acme, conversationId);
  const both = { until_reply: true, after_numbers: { [conversationId]: newest.sort_number } };
  expect(await act("snooze", both)).toMatchObject({ snoozed_until_reply: true });
});

test("of many that are snoozed at once, each is checked against the message that was seen in it", async () => {
  const { acme, ada, conversationId, again } = await veraHasWritten();
  const { conversationId: other } = await veraWrites(acme, { name: "Hugo" });
  await again();
  const result = await ada.post("/bulk/snooze", {
    conversation_ids: [conversationId, other],
    until_reply: true,
    after_numbers: { [conversationId]: 1, [other]: 1 },
  });
  const failed = {
    id: conversationId,
    message: "The visitor has written in the meantime.",
    reason: "visitor-wrote-meanwhile",
  };
  expect(result).toEqual({ done: [other], failed: [expect.objectContaining(failed)] });
});

test("what is resolved, past, too far away or not said is refused", async () => {
  const { ada, conversationId, act } = await veraHasWritten();
  const refused = async (body: object) => {
    const { status, body: answer } = await ada.ask("POST", `/conversations/${conversationId}/snooze`, body);
    expect([status, Object.keys(answer.errors)]).toEqual([422, ["until"]]);
  };
  await refused({});
  await refused({ until: inFuture(HOUR_MS), until_reply: true });
  await refused({ until: inFuture(0) });
  await refused({ until: inFuture(-HOUR_MS) });
  await refused({ until: inFuture(400 * 24 * HOUR_MS) });
  await refused({ until: "tomorrow" });
  await act("resolve");
  await refused({ until_reply: true });
});
