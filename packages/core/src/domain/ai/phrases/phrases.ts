/**
 * How people say what is decided without a model, in the languages of the widget, and what no answer may say. Each is a part of a
 * regular expression, in small letters. Latin ones are written without accents; letters of other scripts are folded (`foldLetters`)
 * when the patterns are made of them. `~` stands for a few words between.
 */
import { arabic } from "./arabic.ts";
import { chinese } from "./chinese.ts";
import { english } from "./english.ts";
import { french } from "./french.ts";
import { german } from "./german.ts";
import { hindi } from "./hindi.ts";
import { japanese } from "./japanese.ts";
import { portuguese } from "./portuguese.ts";
import { russian } from "./russian.ts";
import { spanish } from "./spanish.ts";

export interface Phrases {
  /** False of scripts without spaces, and of Arabic with its particles: words begin and end within others. */
  wordsStandApart: boolean;
  /** That they want a person (`asks-for-human.ts`). */
  request: readonly string[];
  /** What makes a message no such request, though it has its words: "Do I have to talk to an agent?", "I spoke to an agent". */
  noRequest: readonly string[];
  /** That they are upset (`upset.ts`). */
  upset: readonly string[];
  /** What makes a sentence none of anger at us, though it has its words. */
  calm: readonly string[];
  /** That an answer helped (`confirmation.ts`). */
  helped: readonly string[];
  notHelped: readonly string[];
  /** Who acts later, and what they do (`later-promises.ts`). */
  promise: readonly string[];
}

export const everyLanguage: readonly Phrases[] = [
  ...[english, german, french, spanish, portuguese],
  ...[russian, arabic, hindi, japanese, chinese],
];
