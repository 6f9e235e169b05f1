/** The files of replies that were not sent, until the composer of their conversation takes them. */
import type { StoredValues } from "./browser-storage.ts";
import type { MessageFromInbox } from "./inbox-store.ts";

/** What is written again with a returned reply, besides its text. */
export type Returned = Pick<MessageFromInbox, "attachments" | "after_number">;

export interface ReturnedFiles {
  add(message: MessageFromInbox): void;
  /** The conversations that have some. */
  conversations(): string[];
  /** Those of a conversation, once. */
  take(conversationId: string): Returned[];
}

export function returnedFiles(name: string, values: StoredValues, onChange: () => void): ReturnedFiles {
  const prefix = `${name}:`;
  return {
    add({ conversation_id, client_id, attachments, after_number }) {
      values.set(`${prefix}${conversation_id}:${client_id}`, JSON.stringify({ attachments, after_number }));
      onChange();
    },
    conversations: () => [
      ...new Set(values.keys(prefix).map((key) => key.slice(prefix.length).split(":")[0] as string)),
    ],
    take(conversationId) {
      const keys = values.keys(`${prefix}${conversationId}:`);
      const taken = keys.map((key): Returned => JSON.parse(values.get(key) ?? "{}"));
      for (const key of keys) values.delete(key);
      if (keys.length > 0) onChange();
      return taken;
    },
  };
}
