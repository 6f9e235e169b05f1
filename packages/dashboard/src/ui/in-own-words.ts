import { whenIdle } from "./when-idle.ts";

/** What the service refuses, in the language of whoever reads it. The sentences are fetched beside the first screen, and not for it. */
let say = (text: string): string => text;
void whenIdle().then(async () => {
  say = (await import("./own-words.ts")).saidInOwnWords;
});

export const inOwnWords = (text: string): string => say(text);
