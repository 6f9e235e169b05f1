/** Words of numbers, units and months in the languages that we check figures in. All folded: `foldLetters`. */

import { foldLetters } from "../folded-letters.ts";

/** What a number counts; `ratio` is a percentage. */
export type Unit = "minute" | "hour" | "day" | "week" | "month" | "year" | "ratio" | `money:${string}`;

const table = <Value>(rows: readonly (readonly [words: string, value: Value])[]): ReadonlyMap<string, Value> =>
  new Map(rows.flatMap(([words, value]) => words.split(" ").map((word) => [foldLetters(word), value] as const)));

/** "One" is left out: in most languages it is an article as well. */
export const numberWords = table<number>([
  ["two zwei deux dos dois duas два две двух اثنان اثنين दो", 2],
  ["three drei trois tres três три трёх ثلاثة ثلاث तीन", 3],
  ["four vier quatre cuatro quatro четыре четырёх أربعة أربع चार", 4],
  ["five fünf cinq cinco пять пяти خمسة خمس पांच पाँच", 5],
  ["six sechs seis шесть шести ستة ست छह छः", 6],
  ["seven sieben sept siete sete семь семи سبعة سبع सात", 7],
  ["eight acht huit ocho oito восемь восьми ثمانية ثماني आठ", 8],
  ["nine neun neuf nueve nove девять девяти تسعة تسع नौ", 9],
  ["ten zehn dix diez dez десять десяти عشرة عشر दस", 10],
  ["eleven elf onze одиннадцать ग्यारह", 11],
  ["twelve zwölf douze doce doze двенадцать बारह", 12],
  ["thirteen dreizehn treize trece treze тринадцать", 13],
  ["fourteen vierzehn quatorze catorce catorze quatorze четырнадцать चौदह", 14],
  ["fifteen fünfzehn quinze quince пятнадцать पंद्रह", 15],
  ["twenty zwanzig vingt veinte vinte двадцать عشرون عشرين बीस", 20],
  ["thirty dreißig trente treinta trinta тридцать ثلاثون ثلاثين तीस", 30],
  ["forty vierzig quarante cuarenta quarenta сорок أربعون أربعين चालीस", 40],
  ["fifty fünfzig cinquante cincuenta cinquenta пятьдесят خمسون خمسين पचास", 50],
  ["sixty sechzig soixante sesenta sessenta шестьдесят ستون ستين साठ", 60],
  ["ninety neunzig noventa девяносто تسعون تسعين नब्बे", 90],
  ["hundred hundert cent cien cem сто مئة مائة सौ", 100],
]);

const CHINESE_DIGITS = "〇一二三四五六七八九";

/** A number of up to 99 in Chinese characters, as Chinese and Japanese write it; undefined when it is none. */
export function readCharacters(text: string): number | undefined {
  const read = /^([一二三四五六七八九]?)(十?)([一二三四五六七八九]?)$/u.exec(text.replaceAll("两", "二"));
  if (!read || text === "") return undefined;
  const [, tens = "", ten = "", ones = ""] = read;
  const value = (digit: string) => Math.max(0, CHINESE_DIGITS.indexOf(digit || "〇"));
  if (ten === "") return ones === "" ? value(tens) : undefined;
  return (tens === "" ? 10 : 10 * value(tens)) + value(ones);
}

/** By how the word begins, since units are declined. */
const unitStems: readonly (readonly [stems: string, unit: Unit])[] = [
  ["minute minuto minutos минут دقيقة دقائق मिनट min 分", "minute"],
  ["hour hours hr hrs stunde heure hora horas час часа часов часах ساعة ساعات घंट 小时 小時 時間 个小时", "hour"],
  [
    "day days tag tage tagen werktag arbeitstag jour jours día días dia dias день дня дней днях يوم أيام يوما दिन दिनों 天 日間 日以内 日内 个工作日 工作日 営業日 日",
    "day",
  ],
  ["week weeks woche semaine semana недел أسبوع أسابيع हफ्त सप्ताह 周 週間 个星期 星期", "week"],
  ["month months monat mois mes meses mês месяц شهر أشهر شهور महीन माह 个月 か月 ヶ月 カ月", "month"],
  ["year years jahr ans année año años ano anos год года лет سنة سنوات عام साल वर्ष 年", "year"],
  ["% percent per-cent prozent pourcent porciento porcento процент प्रतिशत بالمئة بالمائة パーセント", "ratio"],
  ["€ euro euros eur евро يورو यूरो ユーロ 欧元", "money:EUR"],
  ["$ dollar dollars usd dólar dólares доллар دولار डॉलर ドル 美元", "money:USD"],
  ["£ pound pounds gbp pfund libras фунт", "money:GBP"],
  // One sign for two currencies that no answer confuses.
  ["¥ 円 元 yen jpy иен 人民币 yuan cny rmb", "money:CNY"],
  ["₹ rupee rupees inr रुपय रुपए रुपये", "money:INR"],
  ["₽ руб рубл rub rubel ruble", "money:RUB"],
  ["r$ brl reais", "money:BRL"],
  ["chf franken", "money:CHF"],
  ["ريال sar riyal", "money:SAR"],
  ["درهم aed dirham", "money:AED"],
];
/** Words that are a unit only when they are the whole word: as beginnings they would take others along. */
const WHOLE = 4;
const stems = unitStems.flatMap(([words, unit]) => words.split(" ").map((word) => ({ stem: foldLetters(word), unit })));

/** The unit that a word names, or, of a script without spaces, that a text begins with. */
export function unitOf(word: string): Unit | undefined {
  const folded = foldLetters(word);
  const unspaced = /^[\p{scx=Han}\p{scx=Katakana}\p{scx=Hiragana}]/u.test(folded);
  return stems.find(({ stem }) =>
    unspaced || stem.length >= WHOLE ? folded.startsWith(stem) : folded === stem || folded === `${stem}.`,
  )?.unit;
}

const MONTH_LANGUAGES = ["en", "de", "fr", "es", "pt", "ru", "ar", "hi"];

/** The number of a month, from 1, by its names in text and in calendars, whole or shortened. */
export const monthNames: ReadonlyMap<string, number> = new Map(
  MONTH_LANGUAGES.flatMap((language) =>
    (["long", "short"] as const).flatMap((month) =>
      [{ month }, { month, day: "numeric" } as const].flatMap((style) => {
        const format = new Intl.DateTimeFormat(language, { ...style, timeZone: "UTC" });
        return Array.from({ length: 12 }, (_, index) => {
          const name = format.formatToParts(Date.UTC(2026, index, 5)).find(({ type }) => type === "month")?.value ?? "";
          return [foldLetters(name).replaceAll(".", ""), index + 1] as const;
        });
      }),
    ),
  ).filter(([name]) => name.length >= 3 || /[^\p{scx=Latin}]/u.test(name)),
);
