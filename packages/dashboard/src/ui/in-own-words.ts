/** What the service refuses, in the language of whoever reads it. The sentences are fetched beside the first screen, and not for it. */
let say = (text: string): string => text;
void import("./own-words.ts").then(({ saidInOwnWords }) => {
  say = saidInOwnWords;
});

export const inOwnWords = (text: string): string => say(text);
