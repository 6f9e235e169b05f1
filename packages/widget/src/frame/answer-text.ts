import type { ChatState } from "@frontdesk/client/visitor";

type Message = ChatState["messages"][number];

/** What a message says in one line: its text; for files alone, their names. */
export const answerText = ({ content, attachments }: Message): string =>
  content || attachments.map(({ name, url }) => name ?? url).join(", ");

/** How a screen reader announces it. */
export const spokenAnswer = (message: Message, team: string): string =>
  `${message.agent?.name ?? team}: ${answerText(message)}`;
