/** What models put around their thinking when their server does not take it out. */
const OPENING = /<(think|thinking|thought|reasoning)>/i;
const CLOSING = /<\/(think|thinking|thought|reasoning)>/i;
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
      for (let tag = nextTag(rest, thinking); tag; tag = nextTag(rest, thinking)) {
        if (tag.closes && !thinking) {
          beganThinking = true;
          text = "";
          shown = "";
        } else if (!thinking) shown += rest.slice(0, tag.at);
        thinking = !tag.closes;
        rest = rest.slice(tag.end);
      }
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

function nextTag(text: string, thinking: boolean): { at: number; end: number; closes: boolean } | undefined {
  const closing = CLOSING.exec(text);
  const opening = thinking ? null : OPENING.exec(text);
  const tag = opening && (!closing || opening.index < closing.index) ? opening : closing;
  return tag ? { at: tag.index, end: tag.index + tag[0].length, closes: tag === closing } : undefined;
}
