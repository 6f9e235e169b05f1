import { inWords } from "../../conversation/reason-in-words.ts";
import { t } from "../../texts/texts.ts";
import type { Results } from "./ai-results-query.ts";

/** Reasons in plain words, the most frequent first; those that read alike are counted together. */
export function handoffsInWords(handoffs: Results["handoffs"]): { words: string; conversations: number }[] {
  const counts = new Map<string, number>();
  for (const { reason, conversations } of handoffs) {
    const words = wordsOf(reason);
    counts.set(words, (counts.get(words) ?? 0) + conversations);
  }
  return [...counts]
    .map(([words, conversations]) => ({ words, conversations }))
    .sort((a, b) => b.conversations - a.conversations);
}

/** What others do, and where the sentence about a run says more than a count can. */
const OWN = {
  replied: "ai.results.because.replied",
  "program-replied": "ai.results.because.program",
  assigned: "ai.results.because.assigned",
  "taken-over": "ai.results.because.taken",
  "handoff-requested": "ai.results.because.requested",
  closed: "ai.results.because.closed",
  "switched-off": "ai.results.because.off",
  blocked: "ai.results.because.blocked",
  "too-late": "ai.results.because.model",
  "model-unreachable": "ai.results.because.model",
  "model-refused": "ai.results.because.model",
  "model-busy": "ai.results.because.model",
  "model-failing": "ai.results.because.model",
  "model-timeout": "ai.results.because.model",
  "model-cut": "ai.results.because.model",
  "model-filtered": "ai.results.because.model",
  "model-length": "ai.results.because.model",
  "model-garbage": "ai.results.because.model",
  "model-away": "ai.results.because.model",
} as const;

/** One that a newer service gives is shown by its name. */
function wordsOf(reason: string): string {
  if (reason in OWN) return t(OWN[reason as keyof typeof OWN]);
  return inWords(reason) ?? reason;
}
