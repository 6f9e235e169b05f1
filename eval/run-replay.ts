import { OperatorError } from "@frontdesk/server/operator-error";
import { type Asked, askQuestions } from "./ask-questions.ts";
import { type Budget, checkServer, clientsOf } from "./ask-server.ts";
import { compareReply, usualWords } from "./compare-reply.ts";
import type { CommandOutput } from "./eval-command.ts";
import type { Measure } from "./measure.ts";
import { measureReplay, type Replayed } from "./measure-replay.ts";
import { type Options, TEAMS_ARTICLES } from "./options.ts";
import type { Question } from "./question.ts";
import { readArticles } from "./read-files.ts";
import { type Replay, readTeam } from "./read-team.ts";
import { type EvalResult, whyNoMore } from "./run-eval.ts";
import { startTemporaryApp } from "./temporary-app.ts";

export interface ReplayResult extends Pick<EvalResult, "left" | "why" | "tokensSpent"> {
  measures: Measure[];
  asked: Replayed[];
}

/**
 * Asks what visitors have asked in resolved conversations, on a store that is thrown away, and compares with what agents said.
 *
 * @param env the settings of the installation whose conversations they are
 * @throws OperatorError when the data cannot be read or has no such conversation, or the server does not answer
 */
export async function runReplay(
  options: Options,
  env: NodeJS.ProcessEnv,
  output: Pick<CommandOutput, "step">,
): Promise<ReplayResult> {
  const { baseUrl, model, atOnce, limit, maxTokens } = options;
  const { replays, own, ...team } = await readTeam(env, { team: options.team, limit });
  if (replays.length === 0) {
    throw new OperatorError("No resolved conversation has a question that an agent has answered.");
  }
  const isTeams = options.articles === undefined || options.articles === TEAMS_ARTICLES;
  const articles = isTeams ? team.articles : readArticles(String(options.articles));
  const budget: Budget = { left: maxTokens };
  const { clients, connection } = clientsOf(options);
  try {
    await checkServer(clients.clientFor(connection), model, baseUrl, budget);
  } finally {
    clients.close();
  }
  const asked: Asked[] = [];
  let why: EvalResult["why"];
  const at = await startTemporaryApp(connection);
  try {
    const tried = await at.addTeam(articles, Math.max(1, budget.left), own);
    const onAsked = (each: Asked) => {
      budget.left -= each.tokensSpent;
      why = whyNoMore(each) ?? why;
      asked.push(each);
      output.step(asked.length, replays.length);
    };
    await askQuestions(at, tried, replays.map(asQuestion), { atOnce, onAsked, isOver: () => why !== undefined });
  } finally {
    await at.close();
  }
  const usual = usualWords(replays.map(({ reply }) => reply));
  const known = articles.map(({ question, answer }) => `${question}\n${answer}`).join("\n");
  // Asked in the order of the conversations; of those that tokens did not suffice for nothing is known.
  const replayed = asked.flatMap((each, index): Replayed[] => {
    const { conversationId, question, reply } = replays[index] as Replay;
    if (whyNoMore(each) === "tokens") return [];
    return [{ ...each, conversationId, reply, compared: compareReply({ question, reply }, each, { usual, known }) }];
  });
  return {
    ...{ measures: measureReplay(replayed), asked: replayed, left: replays.length - replayed.length, why },
    tokensSpent: maxTokens - budget.left,
  };
}

const asQuestion = ({ question }: Replay): Question => ({ set: "own", question, expect: null });
