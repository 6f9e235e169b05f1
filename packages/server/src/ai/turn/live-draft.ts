import { ANSWER_MAX } from "@frontdesk/core/domain/ai/check-answer";

/** Enough of what follows a sentence to know that it is whole, with its citations. */
const BEHIND = 16;

/** Of a longer text nothing more is shown: as much as is said of one is seen by then, and each look is at all of it. */
const LOOKED_AT = 3 * ANSWER_MAX;

/** What a model writes in a turn, shown while it writes it (docs/decisions/0085-drafts-of-answers.md). */
export interface LiveDraft {
  /**
   * More has arrived of a call.
   *
   * @param begun what may be shown of it; null while there is nothing
   */
  wrote(soFar: string, begun: (soFar: string) => string | null): void;
  /** What is shown is not said. */
  withdraw(): void;
}

/** @param show shows a text in the place of the last one; "" withdraws it */
export function liveDraft(show: (text: string) => void): LiveDraft {
  let written = "";
  let shown = "";
  let sentences = 0;

  return {
    wrote(soFar, begun) {
      // After a retry of the call.
      if (!soFar.startsWith(written)) withdraw();
      written = soFar;
      if (soFar.length > LOOKED_AT) return;
      const ends = soFar.slice(0, -BEHIND).match(/[.!?…。！？।؟\n]/gu)?.length ?? 0;
      if (ends === sentences) return;
      sentences = ends;
      const text = begun(soFar);
      if (text === null || text === shown) return;
      shown = text;
      show(text);
    },
    withdraw,
  };

  function withdraw(): void {
    if (shown !== "") show("");
    written = shown = "";
    sentences = 0;
  }
}
