let fewEmoji: RegExp | undefined;

/** Whether a message is one to three emoji alone: those are shown large. */
export function isEmojiOnly(text: string): boolean {
  // biome-ignore lint/complexity/useRegexLiterals: created on first use, since the rest also runs where the flag is unknown
  fewEmoji ??= new RegExp("^\\p{RGI_Emoji}{1,3}$", "v");
  return fewEmoji.test(text);
}
