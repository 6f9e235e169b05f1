import { estimateTokens } from "@frontdesk/core/domain/ai/estimate-tokens";
import { citationFilter, readDraft } from "@frontdesk/core/domain/ai/read-draft";
import { restoreFilter } from "@frontdesk/core/domain/ai/redact-details";
import type { PlainReasonName } from "@frontdesk/core/domain/reasons";
import { unavailable } from "@frontdesk/core/domain/refusal";
import type { Actor } from "../../access/actor.ts";
import type { FoundPassage } from "../../knowledge/find-passages.ts";
import type { Perform } from "../../perform.ts";
import type { ModelClients, ModelConnection } from "../model/model-client.ts";
import { costOf, ModelFailure } from "../model/model-errors.ts";
import { connectionTo, faultOf, type ModelChoice } from "../model/second-model.ts";
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
  return async ({ teamId }, request, call) => {
    const { connection, passages } = request;
    const asking = { perform, models, teamId, request, call };
    let asked = await askOnce(asking, "first");
    if ("failed" in asked && secondMayHelp(asked, connection)) asked = await askOnce(asking, "second");
    if ("failed" in asked) throw unavailable(RETRY_SECONDS, reasonOf(asked.failed));
    const { text, cited, unsourced } = readDraft(request.restore(asked.text), passages.length);
    return { text, sources: sourcesOf(cited, passages), unsourced: passages.length === 0 ? [] : unsourced };
  };
}

interface Failed {
  failed: ModelFailure;
  model: ModelChoice;
}

/** What an agent sees already is not begun anew. */
const secondMayHelp = ({ failed, model }: Failed, { secondModel }: ModelConnection): boolean =>
  secondModel !== undefined && model === "first" && !failed.hasBegun && faultOf(failed) === "model";

/** @throws Refusal `unavailable` when no model can be asked, or the team's tokens are spent */
async function askOnce(
  asking: { perform: Perform; models: ModelClients; teamId: string; request: CopilotRequest; call: CopilotCall },
  wanted: ModelChoice,
): Promise<{ text: string } | Failed> {
  const { perform, models, teamId, request, call } = asking;
  const { connection, savedAt, messages, maxTokens, restore } = request;
  const { signal, onText } = call;
  const read = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  const system = { kind: "system", teamId } as const;
  const reserved = await perform(system, reserveTokens, { tokens: read + maxTokens, model: wanted });
  if ("refused" in reserved) throw unavailable(RETRY_SECONDS, REFUSALS[reserved.refused]);
  const { day, tokens, model } = reserved;
  const [citations, details] = [citationFilter(), restoreFilter(restore)];
  const pass = (piece: string) => {
    if (piece !== "") onText?.(piece);
  };
  // Of a call that ends in no way that is known here the same is unknown.
  let spent = read;
  let failed: ModelFailure | "unknown" | undefined = "unknown";
  try {
    const options = { signal, ...(onText && { onText: (piece: string) => pass(details.push(citations.push(piece))) }) };
    const end = await models.clientFor(connectionTo(connection, model)).chat({ messages, maxTokens }, options);
    spent = end.tokensIn + end.tokensOut;
    failed = undefined;
    pass(details.push(citations.end()) + details.end());
    return { text: end.text };
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    const { tokensIn, tokensOut } = costOf(error, read);
    spent = tokensIn + tokensOut;
    failed = error;
    return { failed: error, model };
  } finally {
    await perform(system, settleCall, { day, reserved: tokens, tokens: spent, model, failed, savedAt });
  }
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
