import type { Context } from "../context.ts";
import { listParam } from "../storage/dialect.ts";
import type { AttachmentRow } from "../storage/tables.ts";
import { type AgentFaceRow, agentFaces } from "./conversation-store.ts";
import { attachmentsOfMessages, type ReadMessageRow } from "./message-store.ts";

/** A message with everything that a visitor sees of it. */
export interface ChatMessage<Row = ReadMessageRow> {
  message: Row;
  /** The agent who wrote it. */
  agent: AgentFaceRow | undefined;
  /** In their order. */
  attachments: AttachmentRow[];
}

/** Adds to messages what a visitor sees with them. */
export async function withWhatIsShown<Row extends ReadMessageRow>(
  ctx: Pick<Context, "db" | "teamId">,
  messages: readonly Row[],
): Promise<ChatMessage<Row>[]> {
  if (messages.length === 0) return [];
  const agentIds = [...new Set(messages.flatMap(({ agent_id }) => agent_id ?? []))];
  const [agents, attached] = await Promise.all([
    ctx.db.all(agentFaces, { team_id: ctx.teamId, agent_ids: listParam(agentIds) }),
    ctx.db.all(attachmentsOfMessages, { team_id: ctx.teamId, message_ids: listParam(messages.map(({ id }) => id)) }),
  ]);
  const attachments = Map.groupBy(attached, ({ message_id }) => message_id);
  return messages.map((message) => ({
    message,
    agent: agents.find(({ id }) => id === message.agent_id),
    attachments: attachments.get(message.id) ?? [],
  }));
}
