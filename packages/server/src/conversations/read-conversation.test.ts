import { browser } from "@frontdesk/testing/browser-visitor";
import { listen } from "@frontdesk/testing/live-client";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaReplies, conversationOf, eventNamesOf, eventsOf } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";

const { app, storage, team } = await startTestApp();
const origin = await app.start();

/** Vera has written this number of messages. */
async function veraWrote(acme: TestTeam, count: number) {
  const vera = browser(app, acme);
  let conversationId = "";
  for (let number = 1; number <= count; number += 1) {
    conversationId = (await vera.write(`Message ${number}`)).body.message.conversation_id;
  }
  return {
    vera,
    conversationId,
    read: (body: object = {}) => acme.post(`/conversations/${conversationId}/read`, body),
    unread: () => acme.post(`/conversations/${conversationId}/unread`),
    /** What the team has not read, and what the visitor sees of it. */
    async state() {
      const { unread_messages } = await conversationOf(acme, conversationId);
      return [unread_messages, (await vera.chat()).body.conversation.team_seen_number];
    },
  };
}

describe("POST /conversations/{id}/read", () => {
  test("reads all of it, and the visitor sees that", async () => {
    const acme = await team();
    const { conversationId, read, state } = await veraWrote(acme, 3);
    expect(await state()).toEqual([3, 0]);
    const [event] = await eventsOf(acme, async () => {
      expect(await read()).toMatchObject({
        status: 200,
        body: { message: "Conversation read.", data: { id: conversationId, attributes: { unread_messages: 0 } } },
      });
    });
    expect(event).toMatchObject({ name: "conversation.read", data: { read_number: 3 } });
    expect(await state()).toEqual([0, 3]);
  });

  test("reads up to a sort number: unread is what the visitor wrote after it, and no note", async () => {
    const acme = await team();
    const { conversationId, read, state } = await veraWrote(acme, 3);
    await adaReplies(acme, conversationId, { type: "note", content: "A note." });
    await read({ sort_number: 1 });
    expect(await state()).toEqual([2, 1]);
    await read({ sort_number: 2 });
    expect(await state()).toEqual([1, 2]);
    await read({ sort_number: 99 });
    expect(await state()).toEqual([0, 4]);
  });

  test("takes nothing back for a lower number, and records nothing when nothing changes", async () => {
    const acme = await team();
    const { read, state } = await veraWrote(acme, 3);
    await read({ sort_number: 2 });
    const names = await eventNamesOf(acme, async () => {
      await read({ sort_number: 1 });
      await read({ sort_number: 2 });
      await read({ sort_number: 0 });
    });
    expect(names).toEqual([]);
    expect(await state()).toEqual([1, 2]);
  });

  test("never makes a conversation more unread than it was", async () => {
    const acme = await team();
    const { conversationId, read, state } = await veraWrote(acme, 3);
    await adaReplies(acme, conversationId);
    // As a conversation of an earlier release may be: answered, without a stored read position.
    await query(storage, `UPDATE conversations SET team_seen_number = 0 WHERE id = '${conversationId}'`);
    await read({ sort_number: 1 });
    expect(await state()).toEqual([0, 1]);
  });

  test("is refused for numbers that are none, and for conversations of others", async () => {
    const [acme, sams] = [await team(), await team()];
    const { conversationId, read } = await veraWrote(acme, 1);
    for (const sort_number of [-1, 1.5, "1", null]) expect((await read({ sort_number })).status).toBe(422);
    for (const door of ["read", "unread"]) {
      expect((await sams.post(`/conversations/${conversationId}/${door}`, {})).status).toBe(404);
      const reader = await team({ scopes: ["conversations:read"] });
      expect((await reader.post(`/conversations/${conversationId}/${door}`, {})).status).toBe(403);
    }
  });
});

test("a reply has read what was there, without an event of its own; a note has not", async () => {
  const acme = await team();
  const { conversationId, state } = await veraWrote(acme, 2);
  await adaReplies(acme, conversationId, { type: "note", content: "A note." });
  expect(await state()).toEqual([2, 0]);
  expect(await eventNamesOf(acme, () => adaReplies(acme, conversationId))).toEqual(["message.sent"]);
  expect(await state()).toEqual([0, 4]);
});

describe("POST /conversations/{id}/unread", () => {
  test("makes a read conversation unread, and the visitor does not notice", async () => {
    const acme = await team();
    const { conversationId, vera, read, unread, state } = await veraWrote(acme, 2);
    await read();
    const streams = [
      await listen(origin, { token: acme.apiKey }),
      await listen(origin, { token: vera.token, widget_id: acme.widgetId }),
    ];
    for (const stream of streams) await stream.heard("ready");
    expect((await unread()).body).toMatchObject({
      message: "Conversation marked as unread.",
      data: { attributes: { unread_messages: 1 } },
    });
    expect(await state()).toEqual([1, 2]);
    await adaReplies(acme, conversationId);
    for (const stream of streams) await stream.heard("event");
    await expect
      .poll(() => streams.map((stream) => stream.events().at(-1)?.name))
      .toEqual(["message.sent", "message.sent"]);
    const [ofTeam, ofVera] = streams.map((stream) => stream.events().map(({ name }) => name));
    expect([ofTeam, ofVera]).toEqual([["conversation.marked-unread", "message.sent"], ["message.sent"]]);
    for (const stream of streams) stream.leave();
  });

  test("leaves one that is unread as it is; reading it again makes it read", async () => {
    const acme = await team();
    const { read, unread, state } = await veraWrote(acme, 2);
    expect(await eventNamesOf(acme, unread)).toEqual([]);
    expect(await state()).toEqual([2, 0]);
    await read();
    await unread();
    expect(await eventNamesOf(acme, read)).toEqual(["conversation.read"]);
    expect(await state()).toEqual([0, 2]);
  });
});
