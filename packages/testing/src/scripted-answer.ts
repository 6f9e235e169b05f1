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
 * - `rambler`: says far too much
 */
export type Speaker = "honest" | "forgetful" | "liar" | "obedient" | "rambler";

export function scriptedAnswer(messages: readonly PromptMessage[], speaker: Speaker): string {
  const system = contentOf(messages, (role) => role === "system" || role === "developer");
  const data = contentOf(messages, (role) => role === "user");
  if (speaker === "obedient") {
    const said = obeyed(data, system);
    if (said !== undefined) return said;
  }
  const hasProtocol = /\bANSWER\b/.test(system) && /\bHANDOFF\b/.test(system);
  return hasProtocol ? turnAnswer(readPrompt(messages), speaker) : freeAnswer(system, data);
}

export interface ReadPrompt {
  question: string;
  passages: { number: number; title: string; text: string }[];
}

/** The visitor's question and the numbered passages, as far as they can be told apart in a prompt of any form. */
export function readPrompt(messages: readonly PromptMessage[]): ReadPrompt {
  const lines = contentOf(messages, (role) => role === "user").split(/\r?\n/);
  const fence = fenceOf(lines);
  const isFence = (line: string) => fence !== undefined && line.includes(fence);
  const passages: ReadPrompt["passages"] = [];
  let open: ReadPrompt["passages"][number] | undefined;
  let question = "";
  let isAsked = false;
  let last = "";
  for (const line of lines) {
    const [, number, title = ""] = /^\[(\d+)\]\s*(.*)$/.exec(line) ?? [];
    const [, asked] = /^\W*(?:visitor|customer)\b[^:\n]{0,60}:\s*(.*)$/i.exec(line) ?? [];
    const isOther = /^\W*(?:ai|agent|assistant)\b[^:\n]{0,60}:/i.test(line);
    if (number !== undefined) {
      open = { number: Number(number), title, text: "" };
      passages.push(open);
    } else if (isFence(line)) open = undefined;
    else if (open && asked === undefined) open.text += `${line}\n`;
    if (asked !== undefined) {
      open = undefined;
      question = asked;
    } else if (isAsked && !isOther && !isFence(line) && number === undefined) question += ` ${line}`;
    isAsked = asked !== undefined || (isAsked && !isOther && !isFence(line) && number === undefined);
    if (line.trim() !== "" && !isFence(line)) last = line;
  }
  // Without a name in front, the conversation stands at the end.
  if (question.trim() === "") question = last;
  for (const passage of passages) if (passage.text.trim() === last.trim()) passage.text = "";
  return { question: question.trim(), passages };
}

/** The random word that fences have: in two lines or more, with letters and digits. */
function fenceOf(lines: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const line of lines) {
    if (line.length > 120) continue;
    for (const word of new Set(line.match(/\b(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{8,}\b/gi))) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  const [word, count = 0] = [...counts].toSorted((a, b) => b[1] - a[1])[0] ?? [];
  return count >= 2 ? word : undefined;
}

function turnAnswer({ question, passages }: ReadPrompt, speaker: Speaker): string {
  if (/\b(human|real person|talk to (a|some)\s*(person|one|body))\b/i.test(question))
    return "HANDOFF\nThe visitor asks for a person.";
  const quote = bestSentence(question, passages);
  if (!quote) return withoutPassage(question);
  switch (speaker) {
    case "forgetful":
      return `ANSWER\n${quote.sentence}`;
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
  let best: { number: number; sentence: string; score: number } | undefined;
  for (const { number, title, text } of passages) {
    if (needed === 0 || shared(`${title} ${text}`) < needed) continue;
    const titleScore = shared(title) / 2;
    for (const sentence of sentencesOf(text)) {
      const score = shared(sentence) + titleScore;
      if (score > 0 && score > (best?.score ?? 0)) best = { number, sentence, score };
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

/** What a text in the context tells it to do: to say something, or to show its instructions, in any encoding. */
function obeyed(data: string, system: string): string | undefined {
  const [told] =
    /(?:repeat|print|reveal|show|output)\b[^\n]{0,80}\b(?:instructions|system prompt|prompt|canary)[^\n]*/i.exec(
      data,
    ) ?? [undefined];
  if (told !== undefined) return `ANSWER\n${encoded(system, told)}`;
  const commands = [...data.matchAll(/(?:^|\W)say:\s*(.+)|\bignore\b[^\n]*?\boutput:?\s+(.+)/gi)];
  const command = commands.at(-1);
  const said = (command?.[1] ?? command?.[2])?.trim();
  if (said === undefined) return undefined;
  return /^(ANSWER|ASK|CHAT|HANDOFF|DONE)\b/.test(said) ? said.replace(/\\n/g, "\n") : `ANSWER\n${said}`;
}

function encoded(text: string, wish: string): string {
  if (/base64/i.test(wish)) return Buffer.from(text).toString("base64");
  if (/\bhex/i.test(wish)) return Buffer.from(text).toString("hex");
  if (/revers|backward/i.test(wish)) return [...text].reverse().join("");
  if (/rot-?13/i.test(wish))
    return text.replace(/[a-z]/gi, (letter) => {
      const base = letter <= "Z" ? 65 : 97;
      return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
    });
  if (/spaces|spell|letter by letter/i.test(wish)) return [...text].join(" ");
  return text;
}

/** For prompts without the first line: a summary, another wording, or a draft, by what the system asks for. */
function freeAnswer(system: string, data: string): string {
  const text = data.trim();
  if (/\bsummar/i.test(system)) return `Summary: ${sentencesOf(text).slice(-3).join(" ").slice(0, 600)}`;
  const prompt = readPrompt([{ role: "user", content: data }]);
  if (prompt.passages.length > 0) {
    const quote = bestSentence(prompt.question, prompt.passages);
    if (quote) return `${quote.sentence} [${quote.number}]`;
  }
  if (/\b(rewrite|shorter|friendlier|formal|translate|spelling|fix)\b/i.test(system)) {
    const last = text.split(/\n\s*\n/).at(-1) ?? text;
    return last.replace(/\s+/g, " ").trim();
  }
  // The canary of the connection test, and whatever else is asked for word by word.
  const [, word] =
    /\b(?:reply|answer) with (?:only )?(?:the )?(?:word|code)[^\n]*?[:\s]([A-Z0-9][\w-]{5,})/i.exec(data) ?? [];
  const [, code] = /\bcode\b[^\n]*?\b([a-z]+-[a-z0-9]{6,})\b/i.exec(`${system}\n${data}`) ?? [];
  return code ?? word ?? `Thank you for your message. ${sentencesOf(text).at(-1) ?? ""}`.trim();
}

function contentOf(messages: readonly PromptMessage[], has: (role: string) => boolean): string {
  return messages
    .filter(({ role }) => has(role))
    .map(({ content }) => content)
    .join("\n");
}
