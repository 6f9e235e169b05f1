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

/** What short requests are made of, besides. A word that several languages have is in each of them; greetings of everyone in none. */
const WORDS_OF_REQUESTS: Readonly<Record<string, string>> = {
  en: "thanks thank need want would could should like just but no yes not they he she them me us here there now who why which was were been talk speak help someone human am an so will hat die man did got get",
  de: "mit einem ihnen mich mir dir du dich uns er hallo danke guten möchte brauche will kein keine nein ja noch schon nur aber gibt warum wer welche sehr hier jetzt mehr über nach vom bin habe was an am so man es kommt sprechen reden hilfe mensch menschen mitarbeiter jemand jemandem",
  fr: "bonjour merci oui non mais besoin voudrais veux suis ai as a été être fait ça mes ses leur qui que quel quelle pourquoi très ici elle ils parler quelqu aide plaît aimerais me te an hier tu",
  es: "hola gracias sí pero no necesito quiero quisiera soy estoy hay tengo tiene que quién cuál muy aquí me te le ella mis hablar alguien ayuda favor buenos días persona humano con",
  pt: "olá oi obrigado obrigada sim mas preciso quero queria gostaria sou estou há tenho tem que quem qual muito aqui me te ela meus minha falar alguém ajuda favor bom dia vocês isso pessoa humano",
  it: "grazie ma no ho bisogno vorrei voglio hai ha che chi quale perché molto qui mi ti loro parlare qualcuno aiuto favore persona umano buongiorno",
  nl: "hallo bedankt ja nee maar heb nodig wil graag ben heeft geen wie welke waarom erg hier me mij je jij zij hun spreken praten iemand hulp er nog mens medewerker help was",
};
const wordsOfRequests = new Map(
  [...words].map(([language, common]) => [
    language,
    common.union(new Set(WORDS_OF_REQUESTS[language]?.split(" ") ?? [])),
  ]),
);

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
/** So many times as many as of the next language. */
const CLEAR_LEAD = 1.5;
/** So many words are a short text: it may have fewer of them, when they are most of it. */
const SHORT_WORDS_MAX = 12;
const SHORT_SHARE = 0.5;

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
  return script === "Latn" ? (latinLanguage(text) ?? languageOfRequest(text)) : USUAL_LANGUAGE[script];
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
  const [first, second] = byCount(wordsIn(text), words);
  if (!first || !second || first.count < COMMON_MIN) return undefined;
  return first.count >= CLEAR_LEAD * second.count ? first.language : undefined;
}

/** The language of a short text that hardly has other words than those of one language, at least one of which no other has. */
function languageOfRequest(text: string): string | undefined {
  const said = wordsIn(text);
  if (said.length > SHORT_WORDS_MAX) return undefined;
  const [first, second] = byCount(said, wordsOfRequests);
  if (!first || !second || first.count < SHORT_SHARE * said.length) return undefined;
  if (first.count < CLEAR_LEAD * second.count) return undefined;
  const others = [...wordsOfRequests].filter(([language]) => language !== first.language);
  const isOwn = (word: string) =>
    wordsOfRequests.get(first.language)?.has(word) && !others.some(([, known]) => known.has(word));
  return said.some(isOwn) ? first.language : undefined;
}

const wordsIn = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .normalize("NFC")
    .match(/[\p{L}\p{M}]+/gu) ?? [];

/** The languages by how many of the words each of them knows, most first. */
function byCount(said: readonly string[], known: ReadonlyMap<string, ReadonlySet<string>>) {
  return [...known]
    .map(([language, common]) => ({ language, count: said.filter((word) => common.has(word)).length }))
    .sort((one, other) => other.count - one.count);
}
