/** From one state of Vera's chat to the next. */
import type { ChatConversation, ChatMessage } from "@frontdesk/core/contract/visitor";
import { describe, expect, test } from "vitest";
import {
  applyEvent,
  applyOlder,
  applyPresence,
  type ChatContents,
  chatContents,
  emptyChat,
  emptyPresence,
  unreadMessages,
} from "./apply-event.ts";

const ada = { id: "ada", name: "Ada", photo_url: null };
const vera = { id: "vera", name: "Vera", email: null };
const conversation: ChatConversation = {
  ...{ id: "c", is_resolved: false, seen_number: 0, team_seen_number: 0, rating: null },
  speaker: "human",
};

function message(sort_number: number, more: Partial<ChatMessage> = {}): ChatMessage {
  return {
    id: `m${sort_number}`,
    conversation_id: "c",
    sort_number,
    from: "visitor",
    content: `Line ${sort_number}`,
    attachments: [],
    agent: null,
    client_id: null,
    created_at: "2026-11-20T09:00:00.000Z",
    ...more,
  };
}

const chat = (numbers: number[], more: Partial<ChatContents> = {}): ChatContents => ({
  contact: vera,
  conversation,
  messages: numbers.map((number) => message(number)),
  hasMore: false,
  ...more,
});
const numbersOf = (contents: ChatContents | null) => contents?.messages.map(({ sort_number }) => sort_number);

describe("a message", () => {
  test("is in the server's order, whatever arrived first", () => {
    const next = applyEvent(chat([1, 4]), { message: message(2) });
    expect(numbersOf(next)).toEqual([1, 2, 4]);
  });

  test("is there once, however often it comes", () => {
    const once = applyEvent(chat([1]), { message: message(2), conversation });
    expect(applyEvent(once as ChatContents, { message: message(2), conversation })).toEqual(once);
  });

  test("that was the first, and was answered before its event came, makes the conversation", () => {
    const next = applyEvent(emptyChat, { message: message(1), contact: vera });
    expect(next).toEqual({ contact: vera, conversation, messages: [message(1)], hasMore: false });
  });

  test("of another conversation needs more than the event says", () => {
    expect(applyEvent(chat([1]), { message: message(1, { conversation_id: "d" }) })).toBeNull();
    expect(applyEvent(chat([1]), { conversation: { ...conversation, id: "d" } })).toBeNull();
  });
});

describe("the conversation", () => {
  test("is the AI's, waits for a person or has one, as its last event says", () => {
    const withAi = applyEvent(chat([1]), { message: message(2), conversation: { ...conversation, speaker: "ai" } });
    expect(withAi?.conversation?.speaker).toBe("ai");
    const waiting = { name: "speaker.changed", conversation: { ...conversation, speaker: "waiting" as const } };
    expect(applyEvent(withAi as ChatContents, waiting)?.conversation?.speaker).toBe("waiting");
    // The answer to the visitor's own message does not say it.
    expect(applyEvent(withAi as ChatContents, { message: message(3) })?.conversation?.speaker).toBe("ai");
  });

  test.each(["erasure.started", "conversation.texts-erased", "conversation.files-erased"])(
    "is fetched again after %s",
    (name) => {
      expect(applyEvent(chat([1, 2]), { name })).toBeNull();
    },
  );

  test("is resolved and reopened as the event says", () => {
    const resolved = applyEvent(chat([1]), { conversation: { ...conversation, is_resolved: true } });
    expect(resolved?.conversation?.is_resolved).toBe(true);
    expect(applyEvent(resolved as ChatContents, { conversation })?.conversation?.is_resolved).toBe(false);
  });

  test("what was seen stays seen", () => {
    const seen = applyEvent(chat([1, 2]), { conversation: { ...conversation, seen_number: 2 } });
    expect(seen?.conversation?.seen_number).toBe(2);
    const later = applyEvent(seen as ChatContents, { conversation: { ...conversation, seen_number: 1 } });
    expect(later?.conversation?.seen_number).toBe(2);
  });

  test("an event never changes the state that it is applied to", () => {
    const before = Object.freeze(chat([1])) as ChatContents;
    Object.freeze(before.messages);
    applyEvent(before, { message: message(2), conversation: { ...conversation, is_resolved: true }, contact: vera });
    expect(before).toEqual(chat([1]));
  });

  test("the contact is as the event says", () => {
    const contact = { ...vera, email: "vera@example.com" };
    expect(applyEvent(chat([1]), { contact })?.contact).toEqual(contact);
  });
});

test("a fresh answer is turned round: oldest first", () => {
  const answer = { contact: vera, conversation, messages: [message(2), message(1)], has_more: true };
  expect(chatContents({ ...answer, number: 5, epoch: "e" })).toEqual(chat([1, 2], { hasMore: true }));
});

test("older messages come before those that are there, unless the conversation has changed meanwhile", () => {
  const answer = {
    contact: vera,
    conversation,
    messages: [message(2), message(1)],
    has_more: false,
    number: 5,
    epoch: "e",
  };
  const older = applyOlder(chat([3, 4], { hasMore: true }), answer);
  expect([numbersOf(older), older.hasMore]).toEqual([[1, 2, 3, 4], false]);
  const other = chat([3], { conversation: { ...conversation, id: "d" } });
  expect(applyOlder(other, answer)).toBe(other);
});

test("unread is what the team has written and the visitor has not seen", () => {
  const contents = chat([], {
    conversation: { ...conversation, seen_number: 2 },
    messages: [message(1), message(2, { from: "agent" }), message(3, { from: "agent" }), message(4)],
  });
  expect(unreadMessages(contents)).toBe(1);
  expect(unreadMessages(emptyChat)).toBe(0);
});

test("who types, and whether the team is there, is as it was said last; one's own typing is not shown", () => {
  const types = { type: "typing", conversation_id: "c", from: "agent", agent: ada, typing: true } as const;
  const online = applyPresence(emptyPresence, { type: "presence", team_online: true });
  const typing = applyPresence(online, types);
  expect(typing).toEqual({ typing: ada, teamOnline: true, draft: null });
  expect(applyPresence(typing, { ...types, from: "visitor", agent: null })).toBe(typing);
  expect(applyPresence(typing, { ...types, typing: false })).toEqual(online);
});
