import { writeFileSync } from "node:fs";
import { OperatorError } from "@frontdesk/server/operator-error";
import { StorageUnavailable } from "@frontdesk/server/storage/database";
import type { Asked } from "./ask-questions.ts";
import { isMissed, type Measure } from "./measure.ts";
import { type Options, readOptions, USAGE } from "./options.ts";
import { readEarlier } from "./read-files.ts";
import { measureTable, problemList, sideBySide } from "./report.ts";
import { type EvalResult, runEval } from "./run-eval.ts";
import { runReplay } from "./run-replay.ts";

/** Where a command writes, a line or several at a time. */
export interface CommandOutput {
  say(text: string): void;
  complain(text: string): void;
  /** Another question has its end. */
  step(done: number, of: number): void;
}

/**
 * One run of `npm run eval`.
 *
 * @returns the exit code: 1 when a threshold is missed or questions were left out, 2 when nothing could be measured
 */
export async function evalCommand(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  output: CommandOutput,
): Promise<number> {
  if (args.includes("--help")) {
    output.say(USAGE);
    return 0;
  }
  try {
    return await evaluate(args, env, output);
  } catch (error) {
    if (error instanceof StorageUnavailable) output.complain(`${error.message}\nCheck DATABASE_URL or DATA_DIR.`);
    else if (error instanceof OperatorError) output.complain(error.message);
    else throw error;
    return 2;
  }
}

async function evaluate(args: readonly string[], env: NodeJS.ProcessEnv, output: CommandOutput): Promise<number> {
  const options = readOptions(args, env);
  const earlier = options.compare === undefined ? undefined : readEarlier(options.compare);
  const startedAt = new Date().toISOString();
  const result = options.replay ? await replayed(options, env, output) : await evaluated(options, env, output);
  const { measures, asked, left, tokensSpent } = result;
  output.say(measureTable(measures, earlier?.measures));
  output.say(`\n${asked.length} questions asked, ${tokensSpent} tokens used.`);
  const missed = measures.filter(isMissed).map(({ label }) => label);
  if (options.json !== undefined) {
    const { model, judge = null, repeat } = options;
    const document = { started_at: startedAt, model, judge, repeat, tokens: tokensSpent, measures, missed, left };
    // Requests hold each article again and again.
    const shown = asked.map(({ requests: _requests, ...each }) => each);
    writeFileSync(options.json, `${JSON.stringify({ ...document, asked: shown }, null, 2)}\n`);
  }
  if (left > 0) output.complain(leftOut(result, options.maxTokens));
  if (missed.length > 0) output.complain(`Missed: ${missed.join("; ")}.`);
  return missed.length > 0 || left > 0 ? 1 : 0;
}

/** What both kinds of runs have measured, and each answer of it. */
type Ended = Pick<EvalResult, "left" | "why" | "tokensSpent"> & { measures: Measure[]; asked: Asked[] };

async function evaluated(options: Options, env: NodeJS.ProcessEnv, output: CommandOutput): Promise<Ended> {
  const result = await runEval(options, env, output);
  const problems = problemList(result.asked);
  if (problems !== "") output.say(`Ended otherwise than they should:\n${problems}\n`);
  return result;
}

async function replayed(options: Options, env: NodeJS.ProcessEnv, output: CommandOutput): Promise<Ended> {
  const result = await runReplay(options, env, output);
  output.say(`Side by side, the newest first:\n${sideBySide(result.asked)}\n`);
  return result;
}

function leftOut({ left, why }: Ended, maxTokens: number): string {
  const cause =
    why === "server"
      ? "the model server failed again and again."
      : `the run would have used more than --max-tokens ${maxTokens}.`;
  return `${left} questions were left out: ${cause}`;
}
