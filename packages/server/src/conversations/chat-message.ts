import { aiMessages } from "../ai/runs/run-store.ts";
import type { Context } from "../context.ts";
import { listParam } from "../storage/dialect.ts";
import type { AiMessageRow, AttachmentRow } from "../storage/tables.ts";
import { type AgentFaceRow, agentFaces } from "./conversation-store.ts";
import { attachmentsOfMessages, type ReadMessageRow } from "./message-store.ts";

/** A message with everything that a visitor sees of it. */
export interface ChatMessage<Row = ReadMessageRow> {
  message: Row;
  /** The agent who wrote it. */
  agent: AgentFaceRow | undefined;
  /** In their order. */
  attachments: AttachmentRow[];
  /** Of a message of the built-in AI: the articles that it rests on. */
  ai?: { runId: string | null; kind: string; sources: { title: string; url: string | null }[] } | undefined;
}

/** Adds to messages what a visitor sees with them. */
export async function withWhatIsShown<Row extends ReadMessageRow>(
  ctx: Pick<Context, "db" | "teamId">,
  messages: readonly Row[],
): Promise<ChatMessage<Row>[]> {
  if (messages.length === 0) return [];
  const agentIds = [...new Set(messages.flatMap(({ agent_id }) => agent_id ?? []))];
  const agentMessages = messages.flatMap(({ id, agent_id }) => (agent_id === null ? [] : id));
  const [agents, attached, byAi] = await Promise.all([
    ctx.db.all(agentFaces, { team_id: ctx.teamId, agent_ids: listParam(agentIds) }),
    ctx.db.all(attachmentsOfMessages, { team_id: ctx.teamId, message_ids: listParam(messages.map(({ id }) => id)) }),
    agentMessages.length === 0
      ? []
      : ctx.db.all(aiMessages, { team_id: ctx.teamId, message_ids: listParam(agentMessages) }),
  ]);
  const attachments = Map.groupBy(attached, ({ message_id }) => message_id);
  const ais = new Map(byAi.map((row) => [row.message_id, row]));
  return messages.map((message) => ({
    message,
    agent: agents.find(({ id }) => id === message.agent_id),
    attachments: attachments.get(message.id) ?? [],
    ai: shownAi(ais.get(message.id)),
  }));
}

function shownAi(row: AiMessageRow | undefined): ChatMessage["ai"] {
  return row && { runId: row.run_id, kind: row.kind, sources: JSON.parse(row.sources) };
}
