import type { LiveMessage } from "@frontdesk/core/contract/live";
import { useEffect, useRef, useState } from "react";
import { t } from "../texts/texts.ts";

/** Of several messages at once, as after a lost connection, the last ones are read out. */
const MOST_AT_ONCE = 3;

/** Tells screen readers of new messages in the open conversation, by others than this agent. */
export function ThreadAnnouncer({
  id,
  visitor,
  messages,
  me,
}: {
  id: string;
  visitor: string;
  /** Undefined until they are loaded. */
  messages: readonly LiveMessage[] | undefined;
  me: string;
}) {
  const [said, setSaid] = useState<{ id: string; number: number; text: string }>();
  /** The newest message so far; those that were there when the conversation was opened are history. */
  const heard = useRef<{ id: string; number: number }>(undefined);
  useEffect(() => {
    if (!messages) return;
    const before = heard.current?.id === id ? heard.current.number : undefined;
    const number = messages.at(-1)?.sort_number ?? 0;
    heard.current = { id, number };
    if (before === undefined) return;
    const texts = messages.flatMap((message) =>
      message.sort_number > before ? (announcement(message, visitor, me) ?? []) : [],
    );
    if (texts.length > 0) setSaid({ id, number, text: texts.slice(-MOST_AT_ONCE).join(" ") });
  }, [id, visitor, messages, me]);
  return (
    <div aria-live="polite" className="sr-only">
      {/* The key makes a repeated text a new element, which is read again. */}
      {said?.id === id && <p key={said.number}>{said.text}</p>}
    </div>
  );
}

/** What is said of a message; undefined for the agent's own and for system lines. */
export function announcement(message: LiveMessage, visitor: string, me: string): string | undefined {
  const { type, from, agent, email, is_redacted } = message;
  if (is_redacted) return undefined;
  const text = message.content || t("attachment");
  // A mail may come from another person than the contact.
  const name = email?.from ? email.from.name || email.from.address : visitor;
  if (type === "message" && from === "visitor") return t("announced.message", { name, text });
  if (agent?.id === me || !agent?.name) return undefined;
  if (type === "message") return t("announced.message", { name: agent.name, text });
  return type === "note" ? t("announced.note", { name: agent.name, text }) : undefined;
}
