import type { FittingRule } from "@frontdesk/core/domain/ai/handoff-rules";
import type { SealedPlace } from "../../access/vault.ts";
import type { Context } from "../../context.ts";
import type { AiRunRow, AiSettingsRow, ConversationRow } from "../../storage/tables.ts";
import { addTokens } from "../outcomes/keep-ai-episode.ts";
import type { AiSource, EndedTurn, LoggedCall, LoggedSearch, TurnLog } from "../turn/turn.ts";
import { insertAiRun } from "./run-store.ts";

/** The log of a turn without a call. */
export const withoutCalls = (startedAt: number): TurnLog => ({
  ...{ calls: [], searches: [], tokensIn: 0, tokensOut: 0, startedAt },
});

/** What the sealed text of a run holds. */
export interface RunDetails {
  calls: LoggedCall[];
  searches: LoggedSearch[];
  /** The owner's rule that the conversation fits; left out: none. */
  rule?: FittingRule | undefined;
}

export const runDetailsPlace = ({ team_id, id }: Pick<AiRunRow, "team_id" | "id">): SealedPlace => ({
  column: "ai_runs.details_sealed",
  teamId: team_id,
  id,
});

export type LoggedRun = EndedTurn & {
  id: string;
  row: Pick<AiSettingsRow, "keeps_runs"> | undefined;
  messageId: string | null;
  sources: readonly AiSource[];
  log: TurnLog;
  rule?: FittingRule | undefined;
};

/** Writes how a turn ended, and why; what was said between it and the model only where the owner keeps that. */
export function logRun(
  ctx: Context,
  conversation: Pick<ConversationRow, "id" | "contact_id" | "episode">,
  run: LoggedRun,
): void {
  const { id, outcome, reason, messageId, sources, log, rule } = run;
  const isKept = run.row?.keeps_runs === 1;
  const kept = isKept ? { calls: log.calls, searches: log.searches } : { calls: [], searches: [] };
  const details: RunDetails = { ...kept, rule };
  const place = runDetailsPlace({ team_id: ctx.teamId, id });
  ctx.write(insertAiRun, {
    ...{ team_id: ctx.teamId, id, conversation_id: conversation.id, contact_id: conversation.contact_id },
    ...{ episode: conversation.episode, message_id: messageId, outcome, reason },
    sources: JSON.stringify(sources.map(({ article_id, title }) => ({ article_id, title }))),
    details_sealed: isKept || rule ? ctx.vault.seal(JSON.stringify(details), place) : null,
    ...{ tokens_in: log.tokensIn, tokens_out: log.tokensOut },
    milliseconds: Math.max(0, ctx.now - log.startedAt),
    created_at: ctx.now,
  });
  addTokens(ctx, conversation, log);
}
