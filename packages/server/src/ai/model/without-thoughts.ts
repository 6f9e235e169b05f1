/** What models put around their thinking when their server does not take it out. */
const TAG = /<(\/?)(?:think|thinking|thought|reasoning)>/gi;
/** The longest tag has 12 characters: what could be the beginning of one waits for the rest. */
const PARTIAL = /<\/?[a-z]{0,9}$/i;

/** Takes a text piece by piece, and keeps what is not thinking. */
export interface ThoughtFilter {
  /** Gives what may be shown of it now. */
  take(piece: string): string;
  /** Gives what was waiting to become a tag. */
  end(): string;
  /** All that is not thinking. */
  readonly text: string;
  /** A block has ended that had not begun: what stood before it was thinking, too. */
  readonly beganThinking: boolean;
}

/**
 * ```
 *   said -- <think> --> thinking -- </think> --> said
 *    '-- </think>: what was said before was thinking (some servers swallow the opening tag)
 * ```
 *
 * @param beginsThinking this model is known to begin without the opening tag
 */
export function thoughtFilter(beginsThinking: boolean): ThoughtFilter {
  let thinking = beginsThinking;
  let beganThinking = beginsThinking;
  let waiting = "";
  let text = "";
  return {
    take(piece) {
      let rest = waiting + piece;
      let shown = "";
      let from = 0;
      for (const tag of rest.matchAll(TAG)) {
        const closes = tag[1] !== "";
        if (closes && !thinking) {
          beganThinking = true;
          text = "";
          shown = "";
        } else if (!thinking) shown += rest.slice(from, tag.index);
        thinking = !closes;
        from = tag.index + tag[0].length;
      }
      rest = rest.slice(from);
      waiting = PARTIAL.exec(rest)?.[0] ?? "";
      if (!thinking) shown += rest.slice(0, rest.length - waiting.length);
      text += shown;
      return shown;
    },
    end() {
      const shown = thinking ? "" : waiting;
      waiting = "";
      text += shown;
      return shown;
    },
    get text() {
      return text;
    },
    get beganThinking() {
      return beganThinking;
    },
  };
}
