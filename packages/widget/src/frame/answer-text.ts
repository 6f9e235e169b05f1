import type { ChatState } from "@frontdesk/client/visitor";

/** What a message says in one line: its text; for files alone, their names. */
export const answerText = ({ content, attachments }: ChatState["messages"][number]): string =>
  content || attachments.map(({ name, url }) => name ?? url).join(", ");
