import { redactionIf } from "@frontdesk/core/domain/ai/redact-details";
import { findPassagesFor } from "../../knowledge/find-passages.ts";
import type { FindNearest } from "../../knowledge/vectors/nearest-passages.ts";
import type { Perform } from "../../perform.ts";
import type { AiAtWork } from "../speaker/ai-at-work.ts";
import type { FoundForTurn } from "./turn.ts";

/** Searches the published articles of a turn's team, and of no other. @param limit of passages */
export type FindForTurn = (questions: readonly string[], limit: number) => Promise<FoundForTurn>;

/** The team is bound here: what a model searches for are words, and words alone. */
export function findForTurn(
  { perform, nearestPassages }: { perform: Perform; nearestPassages: FindNearest },
  { teamId, signal, ai }: { teamId: string; signal: AbortSignal; ai: AiAtWork },
): FindForTurn {
  const { connection, settings } = ai;
  return async (questions, limit) => {
    // An embedding model is a model, too.
    const sent = questions.map(redactionIf(settings.redacts).redact);
    const nearest = await nearestPassages({ teamId, connection, questions: sent, signal });
    return perform({ kind: "system", teamId }, findPassagesFor, { questions, limit, nearest });
  };
}
