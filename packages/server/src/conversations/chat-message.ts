import type { SentVia } from "@frontdesk/core/domain/conversation";
import type { Context } from "../context.ts";
import { listParam } from "../storage/dialect.ts";
import type { AiMessageRow, AttachmentRow } from "../storage/tables.ts";
import { aiMessages } from "./ai-message-store.ts";
import { type AgentFaceRow, agentFaces } from "./conversation-store.ts";
import { attachmentsOfMessages, type WholeMessageRow } from "./message-store.ts";

/** A message with everything that a visitor sees of it. */
export interface ChatMessage<Row = WholeMessageRow> {
  message: Row;
  /** The agent who wrote it. */
  agent: AgentFaceRow | undefined;
  /** In their order. */
  attachments: AttachmentRow[];
  /** What is known of a message of the AI; undefined for any other. */
  ai?: AiMessageRow | undefined;
}

/** Adds to messages what a visitor sees with them. */
export async function withWhatIsShown<Row extends WholeMessageRow>(
  ctx: Pick<Context, "db" | "teamId">,
  messages: readonly Row[],
): Promise<ChatMessage<Row>[]> {
  if (messages.length === 0) return [];
  const agentIds = [...new Set(messages.flatMap(({ agent_id }) => agent_id ?? []))];
  const [agents, attached, ofAi] = await Promise.all([
    ctx.db.all(agentFaces, { team_id: ctx.teamId, agent_ids: listParam(agentIds) }),
    ctx.db.all(attachmentsOfMessages, { team_id: ctx.teamId, message_ids: listParam(messages.map(({ id }) => id)) }),
    knownOfAi(ctx, messages.filter(isByAi)),
  ]);
  const attachments = Map.groupBy(attached, ({ message_id }) => message_id);
  return messages.map((message) => ({
    message,
    agent: agents.find(({ id }) => id === message.agent_id),
    attachments: attachments.get(message.id) ?? [],
    ai: ofAi.get(message.id),
  }));
}

export const isByAi = ({ sent_via }: Pick<WholeMessageRow, "sent_via">): boolean =>
  sent_via === ("ai" satisfies SentVia);

/** By the id of the message. Without a message of the AI nothing is read. */
async function knownOfAi(
  ctx: Pick<Context, "db" | "teamId">,
  messages: readonly WholeMessageRow[],
): Promise<Map<string, AiMessageRow>> {
  if (messages.length === 0) return new Map();
  const message_ids = listParam(messages.map(({ id }) => id));
  const rows = await ctx.db.all(aiMessages, { team_id: ctx.teamId, message_ids });
  return new Map(rows.map((row) => [row.message_id, row]));
}
