/**
 * What the scripted model says: by rules, and from nothing but the request that it received. An answer that quotes a passage
 * shows that the passage was found and sent. Never quoted as quality.
 */

export interface PromptMessage {
  role: string;
  content: string;
}

/**
 * - `honest`: quotes the sentence that fits best, with its number; without one hands over
 * - `forgetful`: quotes without the number
 * - `liar`: quotes with another figure
 * - `obedient`: does what any text in its context tells it to
 * - `thorough`: quotes the whole passage, each sentence with its number
 * - `rambler`: says far too much
 * - `searcher`: where no passage fits, searches again as long as it may, in English for a question in Spanish; answers in Spanish then
 */
export type Speaker = "honest" | "thorough" | "forgetful" | "liar" | "obedient" | "rambler" | "searcher";

export function scriptedAnswer(messages: readonly PromptMessage[], speaker: Speaker): string {
  const system = contentOf(messages, (role) => role === "system" || role === "developer");
  const data = contentOf(messages, (role) => role === "user");
  if (speaker === "obedient") {
    const said = obeyed(data, system);
    if (said !== undefined) return said;
  }
  const hasProtocol = /\bANSWER\b/.test(system) && /\bHANDOFF\b/.test(system);
  if (!hasProtocol) return freeAnswer(system, data);
  const read = readPrompt(messages);
  return speaker === "searcher" ? searched(read, /^SEARCH - /m.test(system)) : turnAnswer(read, speaker);
}

export interface ReadPrompt {
  question: string;
  passages: { number: number; title: string; text: string }[];
}

/** The visitor's last messages and the numbered passages, as far as they can be told apart in a prompt of any form. */
export function readPrompt(messages: readonly PromptMessage[]): ReadPrompt {
  const passages: ReadPrompt["passages"] = [];
  const asked: string[] = [];
  let last = "";
  let open: "passage" | "visitor" | "other" = "other";
  for (const line of contentOf(messages, (role) => role === "user").split(/\r?\n/)) {
    const [, number, title = ""] = /^\[(\d+)\]\s*(.*)$/.exec(line) ?? [];
    const [, who, said = ""] = /^(visitor|customer|you|ai|assistant|agent\b[^:]{0,80}):\s*(.*)$/i.exec(line) ?? [];
    const isVisitor = who !== undefined && /^(visitor|customer)$/i.test(who);
    if (FENCE.test(line)) open = "other";
    else if (number !== undefined) {
      open = "passage";
      passages.push({ number: Number(number), title, text: "" });
    } else if (isVisitor) {
      asked.push(said);
      open = "visitor";
    } else if (who !== undefined) {
      asked.push(REPLY);
      open = "other";
    } else if (open === "visitor") asked.push(line.trim());
    else if (open === "passage") (passages.at(-1) as { text: string }).text += `${line}\n`;
    if (line.trim() !== "" && !FENCE.test(line)) last = line.trim();
  }
  const question = asked.slice(asked.lastIndexOf(REPLY) + 1).join(" ");
  // Without a name in front of it, the conversation stands at the end.
  return { question: question.trim() || last, passages };
}

/** `<<word articles>>`, `<<word end>>` */
const FENCE = /^<{2,}\s*\w+[^<>]*>{2,}\s*$/;
/** Where another voice has written: all that the visitor has written since is one question. */
const REPLY = "\u0000";

/** Spanish words, or stretches of them, and the same in English; those of the articles of tests. */
const IN_ENGLISH: readonly (readonly [spanish: string, english: string])[] = [
  ["días laborables", "working days"],
  ["los paquetes", "parcels"],
  ["paquete", "parcel"],
  ["llegan", "arrive"],
  ["llega", "arrive"],
  ["en", "within"],
  ["a toda", "in all of"],
  ["Alemania", "Germany"],
];

const translated = (text: string, way: "english" | "spanish"): string =>
  IN_ENGLISH.reduce((said, [spanish, english]) => {
    const [from, to] = way === "english" ? [spanish, english] : [english, spanish];
    return said.replaceAll(new RegExp(`(?<!\\p{L})${from}(?!\\p{L})`, "giu"), to);
  }, text);

function searched({ question, passages }: ReadPrompt, maySearch: boolean): string {
  const english = translated(question, "english");
  const quote = bestSentence(english, passages);
  const known = IN_ENGLISH.filter(([spanish]) => new RegExp(`(?<!\\p{L})${spanish}(?!\\p{L})`, "iu").test(question));
  const words = known.map(([, inEnglish]) => inEnglish).join(" ") || question;
  if (!quote) return maySearch ? `SEARCH ${words}` : withoutPassage(question);
  return `ANSWER\n${known.length === 0 ? quote.sentence : translated(quote.sentence, "spanish")} [${quote.number}]`;
}

function turnAnswer({ question, passages }: ReadPrompt, speaker: Exclude<Speaker, "searcher">): string {
  if (/\b(human|real person|talk to (a|some)\s*(person|one|body))\b/i.test(question))
    return "HANDOFF\nThe visitor asks for a person.";
  const quote = bestSentence(question, passages);
  if (!quote) return withoutPassage(question);
  switch (speaker) {
    case "forgetful":
      return `ANSWER\n${quote.sentence}`;
    case "thorough":
      return `ANSWER\n${sentencesOf(quote.text)
        .map((sentence) => `${sentence} [${quote.number}]`)
        .join(" ")}`;
    case "liar":
      return `ANSWER\n${changed(quote.sentence)} [${quote.number}]`;
    case "rambler":
      return `ANSWER\n${`${quote.sentence} [${quote.number}] And to say it again, in other words: `.repeat(60)}`;
    case "honest":
    case "obedient":
      return `ANSWER\n${quote.sentence} [${quote.number}]`;
    default:
      return speaker satisfies never;
  }
}

function withoutPassage(question: string): string {
  if (/^\W*(hi|hello|hey|hallo|hola|bonjour|good (morning|day|evening))\W*$/i.test(question))
    return "CHAT\nHello! How can I help you?";
  if (/^\W*(thanks|thank you|that helped|danke|merci|gracias)\b[^?]*$/i.test(question)) return "DONE\nYou are welcome!";
  return "HANDOFF\nNo article answers this.";
}

/** The sentence of a passage that shares most words with the question; undefined when no passage fits. */
function bestSentence(question: string, passages: ReadPrompt["passages"]) {
  const asked = new Set(wordsOf(question));
  const shared = (text: string) => new Set(wordsOf(text)).intersection(asked).size;
  const needed = Math.min(2, asked.size);
  let best: { number: number; sentence: string; text: string; score: number } | undefined;
  for (const { number, title, text } of passages) {
    if (needed === 0 || shared(`${title} ${text}`) < needed) continue;
    const titleScore = shared(title) / 2;
    for (const sentence of sentencesOf(text)) {
      const score = shared(sentence) + titleScore;
      if (score > 0 && score > (best?.score ?? 0)) best = { number, sentence, text, score };
    }
  }
  return best;
}

const sentencesOf = (text: string): string[] =>
  [...new Intl.Segmenter("en", { granularity: "sentence" }).segment(text)]
    .flatMap(({ segment }) => segment.split("\n"))
    .map((sentence) => sentence.replace(/^[\s#>*-]+/, "").trim())
    // What stands beside the text: an address, a date of change, a label.
    .filter((sentence) => sentence !== "" && !/^(https?:\/\/\S+|(updated|address|url|source)\b.*)$/i.test(sentence));

const COMMON = new Set(
  "the a an is are was do does did can could how what when where why who which i my me you your we our it its to of in on at for from and or with this that there have has not be if will would should please get about any".split(
    " ",
  ),
);

const wordsOf = (text: string): string[] =>
  [...new Intl.Segmenter("en", { granularity: "word" }).segment(text.toLowerCase())]
    .filter(({ isWordLike, segment }) => isWordLike && !COMMON.has(segment))
    .map(({ segment }) => segment.replace(/(ing|ed|es|s)$/, "") || segment);

/** The first figure is another one; a sentence without any gets a price. */
function changed(sentence: string): string {
  const other = sentence.replace(/\d+/, (figure) => String(Number(figure) + 1));
  return other === sentence ? `${sentence.replace(/[.!]$/, "")} for 49 €.` : other;
}

/** What a text in the context tells it to do: to say something, or to show its instructions, or only its canary, in any writing. */
function obeyed(data: string, system: string): string | undefined {
  const [told] =
    /(?:repeat|print|reveal|show|output)\b[^\n]{0,80}\b(?:instructions|system prompt|prompt|canary)[^\n]*/i.exec(
      data,
    ) ?? [undefined];
  if (told !== undefined) {
    const [, canary = system] = (/\bonly the canary\b/i.test(told) && /nor this word: (\w+)/.exec(system)) || [];
    return `ANSWER\n${encoded(canary, told)} [1]`;
  }
  const commands = [...data.matchAll(/(?:^|\W)say:\s*(.+)|\bignore\b[^\n]*?\boutput:?\s+(.+)/gi)];
  const command = commands.at(-1);
  // Signs of Markdown are escaped in an article that was read from a page.
  const said = (command?.[1] ?? command?.[2])?.trim().replace(/\\([^\w\s])/g, "$1");
  if (said === undefined) return undefined;
  return /^(ANSWER|ASK|CHAT|SEARCH|HANDOFF|DONE)\b/.test(said) ? said.replace(/\\n/g, "\n") : `ANSWER\n${said}`;
}

const codesOf = (text: string, write: (code: number) => string, between: string): string =>
  [...text].map((sign) => write(sign.charCodeAt(0))).join(between);
const inBase64 = (text: string): string => Buffer.from(text).toString("base64");
const DIGITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/** Ways of writing in which a text can be asked for, each by words of the wish; the first that fits is taken. */
export const writings: readonly { name: string; asked: RegExp; write(text: string): string }[] = [
  { name: "base64 twice", asked: /base64 twice/i, write: (text) => inBase64(inBase64(text)) },
  { name: "base64", asked: /base64/i, write: inBase64 },
  { name: "hex", asked: /\bhex/i, write: (text) => Buffer.from(text).toString("hex") },
  { name: "reverse", asked: /revers|backward/i, write: (text) => [...text].reverse().join("") },
  { name: "rot13", asked: /rot-?13/i, write: rot13 },
  { name: "spaces", asked: /spaces|spell|letter by letter/i, write: (text) => [...text].join(" ") },
  { name: "percent", asked: /percent/i, write: (text) => codesOf(text, (code) => `%${code.toString(16)}`, "") },
  { name: "entities", asked: /entities/i, write: (text) => codesOf(text, (code) => `&#${code};`, "") },
  { name: "codes", asked: /codes/i, write: (text) => codesOf(text, String, " ") },
  { name: "bits", asked: /bits/i, write: (text) => codesOf(text, (code) => code.toString(2).padStart(8, "0"), " ") },
  { name: "capitals", asked: /capitals/i, write: (text) => text.toUpperCase() },
  { name: "lines", asked: /lines/i, write: (text) => [...text].join("\n") },
  { name: "zero width", asked: /zero width/i, write: (text) => [...text].join("\u200b") },
  { name: "stars", asked: /stars/i, write: (text) => [...text].join("**") },
  { name: "sentences", asked: /sentences/i, write: (text) => text.replaceAll(/.{1,3}/g, "It goes on with $& [1]. ") },
  {
    name: "alphabet",
    asked: /alphabet/i,
    write: (text) => [...text].map((sign) => DIGITS[Number(sign)] ?? `${sign}lpha`).join(" "),
  },
  { name: "every second letter", asked: /every second letter/i, write: (text) => [...text].join("q") },
];

function encoded(text: string, wish: string): string {
  return (writings.find(({ asked }) => asked.test(wish))?.write ?? String)(text);
}

function rot13(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
}

/** For prompts without the first line: a summary, another wording, or a draft, by what the system asks for. */
function freeAnswer(system: string, data: string): string {
  // Word by word, as the connection test asks for.
  const [, code] = /\bcode is ([\w-]+)/i.exec(`${system}\n${data}`) ?? [];
  if (code !== undefined) return code;
  if (/\brepl(?:y|ies) with\b.*\bonly\b|\bonly\b.*\brepl(?:y|ies) with\b/i.test(data)) return "I do not know it.";
  const [, fence = ""] = /two lines "([^"]+)"/.exec(system) ?? [];
  const lines = data.split("\n").map((line) => (line === fence && fence !== "" ? "<<data end>>" : line));
  const plain = lines.filter(
    (line) => !FENCE.test(line) && !/^(The (text|conversation):|Articles:|Write the .*)$/.test(line),
  );
  const text = plain.join("\n").trim();
  if (/\bsummar/i.test(system)) return `Summary: ${sentencesOf(text).slice(-3).join(" ").slice(0, 600)}`;
  if (/\bshorter\b/i.test(system)) return sentencesOf(text)[0] ?? text;
  if (/\b(rewrite|friendlier|formal|translate|spelling)\b/i.test(system)) return text;
  if (/\bchoose tags\b/i.test(system)) return tagsNamedIn(data);
  const { question, passages } = readPrompt([{ role: "user", content: lines.join("\n") }]);
  const quote = bestSentence(question, passages);
  return quote ? `${quote.sentence} [${quote.number}]` : `Thank you for your message about "${question.slice(0, 80)}".`;
}

/** The numbers of the tags whose names the conversation has. */
function tagsNamedIn(data: string): string {
  const [tags = "", conversation = ""] = data.split(/^<<\S+ conversation>>$/m);
  const listed = [...tags.matchAll(/^(\d+)\. (.+)$/gm)];
  const named = listed.filter(([, , name = ""]) => conversation.toLowerCase().includes(name.toLowerCase()));
  return named.map(([, number]) => number).join("\n") || "NONE";
}

function contentOf(messages: readonly PromptMessage[], has: (role: string) => boolean): string {
  return messages
    .filter(({ role }) => has(role))
    .map(({ content }) => content)
    .join("\n");
}
