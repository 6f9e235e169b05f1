import { parseArgs } from "node:util";
import { OperatorError } from "@frontdesk/server/operator-error";
import { type QuestionSet, questionSets } from "./question.ts";

export interface Options {
  baseUrl: string;
  model: string;
  /** "" when the server asks for none. */
  apiKey: string;
  judge: string | undefined;
  articles: string | undefined;
  questions: string | undefined;
  sets: readonly QuestionSet[];
  repeat: number;
  atOnce: number;
  maxTokens: number;
  json: string | undefined;
  compare: string | undefined;
  /** Compare with the agents' replies in resolved conversations, instead of asking questions of files and sets. */
  replay: boolean;
  /** Of the operator's data; undefined: the only one there is. */
  team: string | undefined;
  /** How many conversations are replayed. */
  limit: number;
}

/** `--articles team`: those of the operator's own data. */
export const TEAMS_ARTICLES = "team";

export const USAGE = `npm run eval -- --base-url URL --model NAME [options]

Asks the built-in AI questions, with your model and your articles, and measures how it answers. Nothing is sent but to that server.

  --base-url URL     of an OpenAI-compatible server, such as http://127.0.0.1:11434/v1
  --model NAME       the model that answers
  --api-key KEY      or AI_API_KEY in the environment, which other users of the machine cannot see
  --judge NAME       a second model of the same server, which judges whether answers are supported by the articles
  --articles FILE    your knowledge base; without it that of the demo shop. "team": the published articles of your team
  --questions FILE   your questions; without it the model writes two an article
  --only SETS        own, unanswerable, human, injection; by default all of them, with commas between
  --repeat N         how often each question is asked (3)
  --at-once N        how many are asked at the same time (4); 1 for a model on this machine
  --max-tokens N     the most tokens that the run may use, in and out (2000000)
  --json FILE        writes measures and answers
  --compare FILE     shows the difference to what an earlier --json has written

  --replay           asks what visitors have asked in your team's resolved conversations, and compares with what agents said.
                     Without names, email addresses and long numbers, which are replaced before anything is sent or written
  --limit N          how many of them, the newest first (50)
  --team ID          the team, if there are several

--replay and --articles team read the data of DATA_DIR or DATABASE_URL, beside a running server or without one, and change nothing.

Exits with 1 when a threshold is missed, with 2 when nothing could be measured.`;

const HELP = "npm run eval -- --help tells which options there are.";

/** @throws OperatorError for an option that is missing or wrong */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): Options {
  const values = parse(args);
  const { "base-url": baseUrl = "", model = "", "api-key": apiKey = env.AI_API_KEY ?? "" } = values;
  const { judge, articles, questions, json, compare, replay, team } = values;
  if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? "")) {
    throw new OperatorError(
      `--base-url is missing or no address. It is that of your model server; many end in /v1.\n${HELP}`,
    );
  }
  if (model === "") throw new OperatorError("--model is missing: the name of a model on that server.");
  const other = (["judge", "questions", "only", "repeat"] as const).find((name) => values[name] !== undefined);
  if (replay && other !== undefined) throw new OperatorError(`--replay goes without --${other}.`);
  return {
    ...{ baseUrl: baseUrl.replace(/\/+$/, ""), model, apiKey, judge, articles, questions, json, compare, replay, team },
    sets: values.only === undefined ? questionSets : values.only.split(",").map(questionSet),
    repeat: count("repeat", values.repeat ?? "3", 20),
    atOnce: count("at-once", values["at-once"], 8),
    limit: count("limit", values.limit, 10_000),
    maxTokens: count("max-tokens", values["max-tokens"], 1_000_000_000),
  };
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        ...{ "base-url": text, model: text, "api-key": text, judge: text, articles: text, questions: text },
        ...{ only: text, json: text, compare: text, repeat: text, team: text },
        replay: { type: "boolean", default: false },
        limit: { ...text, default: "50" },
        "at-once": { ...text, default: "4" },
        "max-tokens": { ...text, default: "2000000" },
      },
    }).values;
  } catch (cause) {
    throw new OperatorError(`${(cause as Error).message}\n${HELP}`, { cause });
  }
}

function count(name: string, text: string, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= most) return value;
  throw new OperatorError(`--${name} must be a whole number from 1 to ${most}.`);
}

function questionSet(text: string): QuestionSet {
  const set = questionSets.find((name) => name === text.trim());
  if (!set) throw new OperatorError(`--only has no set ${text}. There are: ${questionSets.join(", ")}.`);
  return set;
}
