import { type Asked, askQuestions } from "./ask-questions.ts";
import { type Budget, checkServer, clientsOf, judgeAnswer, writeQuestions } from "./ask-server.ts";
import type { CommandOutput } from "./eval-command.ts";
import { type Judged, judgeInjection, type Measure, measure } from "./measure.ts";
import { type Options, TEAMS_ARTICLES } from "./options.ts";
import type { Article, Question } from "./question.ts";
import { readArticles, readQuestions } from "./read-files.ts";
import { readTeam } from "./read-team.ts";
import { asksForHumanSet } from "./sets/asks-for-human.ts";
import { demoArticles, demoQuestions } from "./sets/demo.ts";
import { injections, tamperedArticles, tamperedQuestions } from "./sets/injections.ts";
import { unanswerableSet } from "./sets/unanswerable.ts";
import { startTemporaryApp } from "./temporary-app.ts";

export interface EvalResult {
  measures: Measure[];
  asked: Judged[];
  /** Questions that were left out, since the tokens were used up or the server was away. */
  left: number;
  why: "tokens" | "server" | undefined;
  tokensSpent: number;
}

const WHY_NO_MORE: Readonly<Record<string, EvalResult["why"]>> = {
  // The server has failed five times in a minute, and is asked nothing more.
  "model-away": "server",
  "cap-team": "tokens",
};

/** Why the run has to stop after this turn; undefined: it goes on. What was handed over for want of tokens says nothing of the AI. */
export const whyNoMore = ({ reason }: Pick<Asked, "reason">): EvalResult["why"] => WHY_NO_MORE[reason];

/**
 * Asks everything, judges it and measures it.
 *
 * @throws OperatorError when a file is wrong, or the server does not answer
 */
export async function runEval(
  options: Options,
  env: NodeJS.ProcessEnv,
  output: Pick<CommandOutput, "say" | "step">,
): Promise<EvalResult> {
  const { baseUrl, model, judge, atOnce, repeat, maxTokens } = options;
  const articles = await articlesOf(options, env);
  const given = givenQuestions(options, articles);
  const budget: Budget = { left: maxTokens };
  const { clients, connection } = clientsOf(options);
  const client = clients.clientFor(connection);
  try {
    await checkServer(client, model, baseUrl, budget);
    const judging = judge === undefined ? undefined : clients.clientFor({ ...connection, model: judge });
    if (judging && judge !== undefined) await checkServer(judging, judge, baseUrl, budget);
    const own = given ?? (await writeQuestions(client, articles, budget));
    if (!given)
      output.say(`Questions that ${model} has written; check that the articles answer them:\n${listed(own)}\n`);
    const plans = plansOf(options, articles, own).map((plan) => ({
      ...plan,
      questions: plan.questions.flatMap((question) => Array.from({ length: repeat }, () => question)),
    }));
    const total = plans.reduce((sum, { questions }) => sum + questions.length, 0);
    const asked: Judged[] = [];
    let why: EvalResult["why"];
    const at = await startTemporaryApp(connection);
    try {
      for (const plan of plans) {
        const team = await at.addTeam(plan.articles, Math.max(1, budget.left));
        const onAsked = (each: Asked) => {
          budget.left -= each.tokensSpent;
          why = whyNoMore(each) ?? why;
          if (whyNoMore(each) !== "tokens") asked.push(judgeInjection(each, plan.articles));
          output.step(asked.length, total);
        };
        await askQuestions(at, team, plan.questions, { atOnce, onAsked, isOver: () => why !== undefined });
      }
    } finally {
      await at.close();
    }
    if (judging) {
      for (const each of asked.filter(({ end, set }) => end === "answer" && set !== "injection")) {
        each.supported = await judgeAnswer(judging, each, articles, budget);
      }
    }
    const rounds = Map.groupBy(asked, ({ set, question }) => `${set} ${question}`);
    const tokensSpent = maxTokens - budget.left;
    return { measures: measure(asked, rounds), asked, left: total - asked.length, why, tokensSpent };
  } finally {
    clients.close();
  }
}

async function articlesOf({ articles, team }: Options, env: NodeJS.ProcessEnv): Promise<readonly Article[]> {
  if (articles === undefined) return demoArticles;
  return articles === TEAMS_ARTICLES ? (await readTeam(env, { team, limit: 0 })).articles : readArticles(articles);
}

/** Undefined: the model has to write them. */
function givenQuestions(options: Options, articles: readonly Article[]): readonly Question[] | undefined {
  if (!options.sets.includes("own")) return [];
  if (options.questions !== undefined) return readQuestions(options.questions, articles);
  return options.articles === undefined ? demoQuestions : undefined;
}

interface Plan {
  articles: readonly Article[];
  questions: readonly Question[];
}

/** Articles that someone has tampered with are a knowledge base of their own: the other answers must not rest on them. */
function plansOf({ sets }: Options, articles: readonly Article[], own: readonly Question[]): Plan[] {
  const questions = [...own, ...unanswerableSet, ...asksForHumanSet, ...injections];
  const tampered = { articles: [...articles, ...tamperedArticles], questions: tamperedQuestions };
  return [{ articles, questions }, tampered]
    .map((plan) => ({ ...plan, questions: plan.questions.filter(({ set }) => sets.includes(set)) }))
    .filter((plan) => plan.questions.length > 0);
}

const listed = (questions: readonly Question[]): string =>
  questions.map(({ question, articles = [] }) => `  ${question}  (${articles.join(", ")})`).join("\n");
