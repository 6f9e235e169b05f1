/** The files of the operator: articles, questions, and the results of an earlier run. */
import { readFileSync } from "node:fs";
import { OperatorError } from "@frontdesk/server/operator-error";
import { type Article, expectedEnds, type Question } from "./question.ts";

/**
 * Articles as a JSON array, as JSON lines, or as the REST API lists them; drafts are left out.
 *
 * @throws OperatorError when the file cannot be read, or an article lacks its question or answer
 */
export function readArticles(file: string): Article[] {
  const articles = recordsOf(file).flatMap(({ record, place }) => {
    const isResource = typeof record.attributes === "object" && record.attributes !== null;
    const { question, answer, is_published } = isResource ? (record.attributes as Fields) : record;
    if (is_published === false) return [];
    if (!isText(question) || !isText(answer))
      throw new OperatorError(`${place}: an article needs question and answer.`);
    return { id: isText(record.id) ? record.id : null, question, answer };
  });
  if (articles.length === 0) throw new OperatorError(`${file} has no published article.`);
  return articles;
}

/**
 * Questions as JSON lines: `{question, history?, expect, articles?, facts?, language?}`.
 *
 * @throws OperatorError that names the line, also for a field that there is not and for an article that there is not
 */
export function readQuestions(file: string, articles: readonly Article[]): Question[] {
  const known = new Set(articles.flatMap(({ id, question }) => [question, ...(id === null ? [] : [id])]));
  const questions = recordsOf(file).map(({ record, place }): Question => {
    const refuse = (problem: string) => new OperatorError(`${place}: ${problem}`);
    const unknown = Object.keys(record).find((name) => !FIELDS.includes(name));
    if (unknown !== undefined) throw refuse(`there is no field ${unknown}. There are: ${FIELDS.join(", ")}.`);
    const { question, expect, language, history = [], articles: cited = [], facts = [] } = record;
    if (!isText(question)) throw refuse("question is missing.");
    const end = expectedEnds.find((name) => name === expect);
    if (!end) throw refuse(`expect must be one of ${expectedEnds.join(", ")}.`);
    if (language !== undefined && !isLanguage(language)) throw refuse("language must be a tag such as en or pt-BR.");
    for (const [name, value] of Object.entries({ history, articles: cited, facts })) {
      if (!isTexts(value)) throw refuse(`${name} must be a list of texts.`);
    }
    const lost = (cited as string[]).find((name) => !known.has(name));
    if (lost !== undefined) throw refuse(`there is no article “${lost}”.`);
    return {
      ...{ set: "own", question, expect: end },
      ...{ history: history as string[], articles: cited as string[], facts: facts as string[] },
      ...(isLanguage(language) && { language }),
    };
  });
  if (questions.length === 0) throw new OperatorError(`${file} has no question.`);
  return questions;
}

/**
 * A document that `--json` has written.
 *
 * @throws OperatorError when it is none
 */
export function readEarlier(file: string): { measures: { name: string; value: number | null }[] } {
  try {
    const { measures } = JSON.parse(read(file));
    if (Array.isArray(measures)) return { measures };
  } catch (error) {
    if (error instanceof OperatorError) throw error;
  }
  throw new OperatorError(`${file} is no result of npm run eval -- --json.`);
}

type Fields = Record<string, unknown>;
const FIELDS = ["question", "history", "expect", "articles", "facts", "language"];

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

function isLanguage(value: unknown): value is string {
  try {
    return isText(value) && new Intl.Locale(value).language !== "";
  } catch {
    return false;
  }
}

function recordsOf(file: string): { record: Fields; place: string }[] {
  const text = read(file).trim();
  const whole = parsed(text);
  const list = Array.isArray(whole) ? whole : Array.isArray(whole?.data) ? (whole.data as unknown[]) : undefined;
  if (list)
    return list.map((record, index) => ({ record: asFields(record, file), place: `${file}, entry ${index + 1}` }));
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    const place = `${file}, line ${index + 1}`;
    return { record: asFields(parsed(line), place), place };
  });
}

function asFields(value: unknown, place: string): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw new OperatorError(`${place}: this is no JSON object.`);
}

// biome-ignore lint/suspicious/noExplicitAny: looked into by those who call it
function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new OperatorError(`${file} cannot be read: ${(cause as Error).message}`, { cause });
  }
}
