/** In which language a text is, by its script, and by its commonest words where the script is Latin. */

const COMMON_WORDS: Readonly<Record<string, string>> = {
  en: "the and is are you your we our it this that to of for with can not will have has from be on at or if please within which there i my do how what when where does any",
  de: "der die das und ist sind sie ihr ihre wir unser es dieser zu von für mit können kann nicht werden haben hat aus auf bei oder wenn bitte innerhalb den dem ein eine einen einer ich mein wie was wann wo auch im zum zur",
  fr: "le la les et est sont vous votre vos nous notre il ce cette de du des pour avec peut pouvez ne pas sera avoir dans sur ou si veuillez un une je mon ma comment quand où au aux en par",
  es: "el la los las y es son usted su sus tu nosotros nuestro este esta de del para con puede puedes no será tener en sobre o si un una yo mi cómo qué cuándo dónde al por se lo más",
  pt: "o a os as e é são você seu sua seus nós nosso este esta de do da dos das para com pode não será ter em no na sobre ou se um uma eu meu como quando onde ao por mais",
  it: "il lo la gli le e è sono lei suo vostro noi questo di del della dei per con può non sarà avere in su o se un una io mio come quando dove al che più nel",
  nl: "de het een en is zijn u uw je wij ons dit dat van voor met kan niet zal hebben op bij of als binnen ik mijn hoe wat wanneer waar ook naar te",
};
const words = new Map(Object.entries(COMMON_WORDS).map(([language, list]) => [language, new Set(list.split(" "))]));

const SCRIPTS = {
  Latn: /\p{sc=Latin}/gu,
  Cyrl: /\p{sc=Cyrillic}/gu,
  Arab: /\p{sc=Arabic}/gu,
  Deva: /\p{sc=Devanagari}/gu,
  Kana: /[\p{sc=Hiragana}\p{sc=Katakana}]/gu,
  Hani: /\p{sc=Han}/gu,
  Hang: /\p{sc=Hangul}/gu,
  Grek: /\p{sc=Greek}/gu,
  Hebr: /\p{sc=Hebrew}/gu,
  Thai: /\p{sc=Thai}/gu,
} as const;
type Script = keyof typeof SCRIPTS;

/** The language that a script means when nothing else is known. */
const USUAL_LANGUAGE: Readonly<Record<Exclude<Script, "Latn">, string>> = {
  Cyrl: "ru",
  Arab: "ar",
  Deva: "hi",
  Kana: "ja",
  Hani: "zh-CN",
  Hang: "ko",
  Grek: "el",
  Hebr: "he",
  Thai: "th",
};
/** The scripts of a language, by the name that `Intl` gives. */
const SCRIPTS_OF: Readonly<Record<string, readonly Script[]>> = {
  Jpan: ["Kana", "Hani"],
  Kore: ["Hang", "Hani"],
  Hans: ["Hani"],
  Hant: ["Hani"],
};

/** Fewer letters tell nothing: "OK", "iPhone 15". */
const LETTERS_MIN = 3;
/** Names of products and of people are in other scripts. */
const OWN_SHARE = 0.3;
/** A text with fewer of the commonest words is of no certain language. */
const COMMON_MIN = 3;

/** The language of a text as BCP 47, when that is sure; else undefined. */
export function languageOf(text: string): string | undefined {
  const counts = countScripts(text);
  const [script, count] = Object.entries(counts).reduce((most, each) => (each[1] > most[1] ? each : most)) as [
    Script,
    number,
  ];
  if (count < 1 || (script === "Latn" && count < LETTERS_MIN)) return undefined;
  // Kanji are most of some Japanese sentences, and hardly any Chinese one has kana.
  if (counts.Kana > 0 && counts.Kana >= counts.Hani / 10 && script !== "Latn") return "ja";
  if (script === "Cyrl" && /[іїєґ]/iu.test(text)) return "uk";
  if (script === "Arab" && /[پچژگ]/u.test(text)) return "fa";
  return script === "Latn" ? latinLanguage(text) : USUAL_LANGUAGE[script];
}

/** False only when a text is surely in another language than `language` (BCP 47). */
export function isInLanguage(text: string, language: string): boolean {
  const counts = countScripts(text);
  const letters = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const expected = scriptsOf(language);
  if (letters < LETTERS_MIN || expected.length === 0) return true;
  const own = expected.reduce((sum, script) => sum + counts[script], 0);
  if (own / letters < OWN_SHARE) return false;
  if (expected[0] === "Kana" && counts.Kana === 0 && counts.Hani >= 8) return false;
  if (expected[0] === "Hani" && counts.Kana > counts.Hani / 5) return false;
  if (expected[0] !== "Latn") return true;
  const guessed = latinLanguage(text);
  const tongue = language.toLowerCase().split("-")[0] as string;
  // Of a language whose words we do not know, none of the known ones is surely another.
  return guessed === undefined || guessed === tongue || !words.has(tongue);
}

function countScripts(text: string): Record<Script, number> {
  const counted = Object.entries(SCRIPTS).map(([script, pattern]) => [script, text.match(pattern)?.length ?? 0]);
  return Object.fromEntries(counted) as Record<Script, number>;
}

function scriptsOf(language: string): readonly Script[] {
  const script = scriptOf(language);
  if (script === undefined) return [];
  return SCRIPTS_OF[script] ?? (script in SCRIPTS ? [script as Script] : []);
}

function scriptOf(language: string): string | undefined {
  try {
    return new Intl.Locale(language).maximize().script;
  } catch {
    return undefined;
  }
}

/** The language with by far the most common words. */
function latinLanguage(text: string): string | undefined {
  const said =
    text
      .toLowerCase()
      .normalize("NFC")
      .match(/[\p{L}\p{M}]+/gu) ?? [];
  const ranked = [...words]
    .map(([language, common]) => ({ language, count: said.filter((word) => common.has(word)).length }))
    .sort((one, other) => other.count - one.count);
  const [first, second] = ranked;
  if (!first || !second || first.count < COMMON_MIN) return undefined;
  return first.count >= 1.5 * second.count ? first.language : undefined;
}
