/** Enough of what follows a sentence to know that it is whole, with its citations. */
const BEHIND = 16;

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
