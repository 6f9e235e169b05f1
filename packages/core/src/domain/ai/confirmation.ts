/**
 * What a visitor's message says of the answer before it: that it helped, that it did not, or thanks alone. Only a sure word that it
 * helped resolves; a question or a "but" makes it none (docs/decisions/0077-checked-answers.md).
 */

import { foldLetters } from "../folded-letters.ts";
import { everyLanguage } from "./phrases/phrases.ts";

export type Confirmation = "helped" | "not-helped" | "thanks";

/** Longer messages say more than that. */
const LENGTH_MAX = 160;

const THANKS =
  /(?<![\p{L}\p{M}])(?:thanks|thank you|thx|ty|cheers|danke|vielen dank|dankeschon|merci|gracias|obrigad[oa]|valeu|спасибо|благодарю|شكرا|धन्यवाद|शुक्रिया)(?![\p{L}\p{M}])|ありがとう|どうも|谢谢|多谢|感谢/u;
/** It goes on: another question, or a reservation. */
const GOES_ON =
  /[?？؟]|(?<![\p{L}\p{M}])(?:but|however|although|except|aber|jedoch|allerdings|mais|cependant|pero|sin embargo|mas|porem|но|однако|لكن|लेकिन|मगर|if|wenn|si|se|если)(?![\p{L}\p{M}])|けど|しかし|ですが|但是?|可是|不过|如果/u;

const compiled = (kind: "helped" | "notHelped") =>
  everyLanguage.flatMap((language) =>
    language[kind].map((pattern) => new RegExp(pattern.replaceAll(/[^\p{ASCII}]+/gu, foldLetters), "u")),
  );
const helped = compiled("helped");
const notHelped = compiled("notHelped");

/** Undefined when the message says something else. */
export function readConfirmation(text: string): Confirmation | undefined {
  const folded = foldLetters(text)
    .replaceAll(/[’‘ʼ`]/g, "'")
    .replaceAll(/\s+/g, " ")
    .trim();
  if (folded.length > LENGTH_MAX) return undefined;
  if (notHelped.some((pattern) => pattern.test(folded))) return "not-helped";
  if (GOES_ON.test(folded)) return undefined;
  if (helped.some((pattern) => pattern.test(folded))) return "helped";
  return THANKS.test(folded) && folded.split(" ").length <= THANKS_WORDS_MAX ? "thanks" : undefined;
}

const THANKS_WORDS_MAX = 6;
