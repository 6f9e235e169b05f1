/**
 * `npm run eval`: how well the built-in AI answers, with the operator's model and articles (docs/guide/ai-eval.md). The turns are
 * those of the product, on a store that is thrown away. Prints a table; `--help` lists the options.
 *
 * Exits with 1 when a threshold is missed or questions were left out, with 2 when nothing could be measured.
 */
import { writeFileSync } from "node:fs";
import { OperatorError } from "@frontdesk/server/operator-error";
import { isMissed } from "./measure.ts";
import { readOptions, USAGE } from "./options.ts";
import { readEarlier } from "./read-files.ts";
import { measureTable, problemList } from "./report.ts";
import { type EvalResult, type Progress, runEval } from "./run-eval.ts";

const args = process.argv.slice(2);
if (args.includes("--help")) console.log(USAGE);
else {
  try {
    process.exitCode = await evaluate();
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
}

async function evaluate(): Promise<number> {
  const options = readOptions(args, process.env);
  const earlier = options.compare === undefined ? undefined : readEarlier(options.compare);
  const startedAt = new Date().toISOString();
  const result = await runEval(options, progress());
  const { measures, asked, left, tokensSpent } = result;
  const problems = problemList(asked);
  if (problems !== "") console.log(`Ended otherwise than they should:\n${problems}\n`);
  console.log(measureTable(measures, earlier?.measures));
  console.log(`\n${asked.length} questions asked, ${tokensSpent} tokens used.`);
  const missed = measures.filter(isMissed).map(({ label }) => label);
  if (options.json !== undefined) {
    const { model, judge, repeat } = options;
    // Requests hold each article again and again.
    const shown = asked.map(({ requests: _requests, ...each }) => each);
    const document = {
      started_at: startedAt,
      model,
      judge: judge ?? null,
      repeat,
      measures,
      missed,
      left,
      asked: shown,
    };
    writeFileSync(options.json, `${JSON.stringify({ ...document, tokens: tokensSpent }, null, 2)}\n`);
  }
  if (left > 0) console.error(leftOut(result, options.maxTokens));
  if (missed.length > 0) console.error(`Missed: ${missed.join("; ")}.`);
  return missed.length > 0 || left > 0 ? 1 : 0;
}

function leftOut({ left, why }: EvalResult, maxTokens: number): string {
  const next =
    why === "tokens"
      ? `the run would have used more than --max-tokens ${maxTokens}.`
      : "the model server failed again and again.";
  return `${left} questions were left out: ${next}`;
}

/** On a terminal a line that counts; elsewhere nothing but what is said. */
function progress(): Progress {
  const isTerminal = process.stderr.isTTY;
  return {
    say: (text) => console.log(text),
    step(done, of) {
      if (isTerminal) process.stderr.write(`\r${done} of ${of}${done === of ? "\n" : ""}`);
    },
  };
}
