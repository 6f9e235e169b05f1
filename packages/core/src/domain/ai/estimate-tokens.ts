/** Scripts whose characters are about a token each in the tokenisers of today's models. */
const CHARACTERS = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/gu;
/** Letters of other scripts than Latin: about two to a token. */
const OTHER_LETTERS = /[^\P{L}\p{scx=Latin}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]|\p{M}/gu;
const LATIN_CHARACTERS_A_TOKEN = 4;
const OTHER_LETTERS_A_TOKEN = 2;

/** About how many tokens a text has, by its scripts; meant to be rather too many than too few. */
export function estimateTokens(text: string): number {
  const characters = text.match(CHARACTERS)?.length ?? 0;
  const letters = text.match(OTHER_LETTERS)?.length ?? 0;
  const others = Math.max(0, text.length - characters - letters);
  return Math.ceil(characters + letters / OTHER_LETTERS_A_TOKEN + others / LATIN_CHARACTERS_A_TOKEN);
}
