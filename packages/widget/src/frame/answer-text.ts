import type { ChatState } from "@frontdesk/client/visitor";
import type { Parts } from "./frame-state.ts";

type Message = ChatState["messages"][number];

/** What a message says in one line: its text; for files alone, their names. */
export const answerText = ({ content, attachments }: Message): string =>
  content || attachments.map(({ name, url }) => name ?? url).join(", ");

/** How a screen reader announces it. */
export const spokenAnswer = (message: Message, { config, t }: Pick<Parts, "config" | "t">): string =>
  `${message.agent?.name ?? config.team}${message.by_ai ? ` (${t.$aiLabel})` : ""}: ${answerText(message)}`;
