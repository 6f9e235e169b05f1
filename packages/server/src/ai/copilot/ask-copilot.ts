import { estimateTokens } from "@frontdesk/core/domain/ai/estimate-tokens";
import { citationFilter, readDraft } from "@frontdesk/core/domain/ai/read-draft";
import type { PlainReasonName } from "@frontdesk/core/domain/reasons";
import { unavailable } from "@frontdesk/core/domain/refusal";
import type { Actor } from "../../access/actor.ts";
import type { FoundPassage } from "../../knowledge/find-passages.ts";
import type { Perform } from "../../perform.ts";
import type { ModelClients } from "../model/model-client.ts";
import { ModelFailure, type ModelFailureKind } from "../model/model-errors.ts";
import { reserveTokens, settleCall } from "../turn/spend-tokens.ts";
import type { CopilotRequest } from "./copilot-request.ts";

/** What an agent gets; the sources are those that the text names. */
export interface CopilotAnswer {
  text: string;
  sources: { article_id: string; title: string }[];
  /** The sentences of a draft that rest on no article. */
  unsourced: string[];
}

export interface CopilotCall {
  /** Ends the call of the model. */
  signal: AbortSignal;
  /** Called with each further piece of the text, marks of articles left out. */
  onText?: (piece: string) => void;
}

export type AskCopilot = (actor: Actor, request: CopilotRequest, call: CopilotCall) => Promise<CopilotAnswer>;

const REFUSALS = { "cap-team": "ai-tokens-spent", "model-away": "model-away" } as const;
/** The client may try again after so long. */
const RETRY_SECONDS = 30;

/**
 * Asks the model for an agent, within the team's tokens, and says which articles the answer rests on. It writes nothing into a
 * conversation.
 *
 * @throws Refusal `unavailable` when the model gives no answer, or the team's tokens are spent
 */
export function createAskCopilot({ perform, models }: { perform: Perform; models: ModelClients }): AskCopilot {
  return async (actor, { connection, messages, passages, maxTokens }, { signal, onText }) => {
    const estimate = messages.reduce((sum, { content }) => sum + estimateTokens(content), maxTokens);
    const system = { kind: "system", teamId: actor.teamId } as const;
    const reserved = await perform(system, reserveTokens, { tokens: estimate });
    if ("refused" in reserved) throw unavailable(RETRY_SECONDS, REFUSALS[reserved.refused]);
    const filter = citationFilter();
    const pass = (piece: string) => {
      if (piece !== "") onText?.(piece);
    };
    let spent = 0;
    let failed: ModelFailureKind | undefined;
    try {
      const options = { signal, ...(onText && { onText: (piece: string) => pass(filter.push(piece)) }) };
      const end = await models.clientFor(connection).chat({ messages, maxTokens }, options);
      spent = end.tokensIn + end.tokensOut;
      pass(filter.end());
      const { text, cited, unsourced } = readDraft(end.text, passages.length);
      return { text, sources: sourcesOf(cited, passages), unsourced: passages.length === 0 ? [] : unsourced };
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error;
      failed = error.kind;
      throw unavailable(RETRY_SECONDS, reasonOf(error));
    } finally {
      await perform(system, settleCall, { day: reserved.day, reserved: reserved.tokens, tokens: spent, failed });
    }
  };
}

/** The articles of the cited passages, each once. */
function sourcesOf(cited: readonly number[], passages: readonly FoundPassage[]): CopilotAnswer["sources"] {
  const articles = new Map<string, string>();
  for (const number of cited) {
    const passage = passages[number - 1];
    if (passage) articles.set(passage.articleId, passage.title);
  }
  return [...articles].map(([article_id, title]) => ({ article_id, title }));
}

function reasonOf({ kind }: ModelFailure): PlainReasonName {
  switch (kind) {
    case "blocked":
    case "refused":
    case "rejected":
      return "model-refuses";
    case "busy":
      return "model-busy";
    case "length":
      return "model-too-long";
    case "unreachable":
    case "failing":
    case "timeout":
    case "cut":
    case "filtered":
    case "empty":
    case "garbage":
    case "aborted":
      return "model-fails";
    default:
      return kind satisfies never;
  }
}
