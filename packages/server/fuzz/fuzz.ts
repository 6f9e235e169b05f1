/**
 * The contract attacked with generated requests (reference row 47): they are made from our own OpenAPI document, sent to
 * a real server over real sockets, and every answer is held against that document. At the end the data must be in order.
 */
import { Agent } from "node:http";
import fc from "fast-check";
import { disorderIn } from "../test/attack/disorder.ts";
import type { ServerProcess, SetUpTeam } from "../test/attack/server-process.ts";
import { documentedOperations } from "./documented-operations.ts";
import { JSON_TYPE, problemsOf } from "./judge-answer.ts";
import { knownIds } from "./known-ids.ts";
import { type Draft, requestArbitrary } from "./request-arbitrary.ts";
import { asCurl, finished, send, type WireAnswer, type WireRequest } from "./send-request.ts";
import { simplest } from "./simplest-request.ts";

/** Sent at the same time: enough for units of work to share commits, few enough to follow. */
const AT_ONCE = 8;
/** Drafts are made so many at a time. */
const BATCH = 400;
/** Far apart, so that neighbouring seeds share no batch. */
const SEED_STEP = 0x9e3779b1;
/** No answer may take longer, on a machine however busy: what hangs takes longer still. */
const PATIENCE_MS = 10_000;
/** A request that has no answer by then has none. */
const GIVE_UP_MS = 10_000;
/** More failures than this are one failure seen often. */
const MOST_FAILURES = 5;
/** What a server may gain while it is fuzzed, over what it needed when it had warmed up. */
const MOST_GROWTH_BYTES = 250 * 1_048_576;

export interface FuzzReport {
  seed: number;
  requests: number;
  failures: string[];
  /** How many answers of each status, by operation. */
  answers: Record<string, Record<string, number>>;
  slowestMs: number;
  memory: { before: number; after: number } | undefined;
}

/**
 * Sends `requests` requests. The same seed makes the same requests; ids in them are those of this run.
 *
 * @param server running
 * @param progress called now and then with how many have been answered
 */
export async function fuzz(
  server: ServerProcess,
  team: SetUpTeam,
  { seed, requests, progress }: { seed: number; requests: number; progress?: (done: number) => void },
): Promise<FuzzReport> {
  const operations = documentedOperations();
  const drafts = fc.oneof(...operations.map((operation) => requestArbitrary(operation)));
  const ids = knownIds({ widget: team.widgetId, agent: team.agentId });
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const report: FuzzReport = {
    seed,
    requests: 0,
    failures: [],
    answers: Object.fromEntries(operations.map(({ id }) => [id, {}])),
    slowestMs: 0,
    memory: undefined,
  };
  let warm: number | undefined;

  for (let batch = 0; report.requests < requests && report.failures.length < MOST_FAILURES; batch += 1) {
    const numRuns = Math.min(BATCH, requests - report.requests);
    const made = fc.sample(drafts, { seed: (Math.imul(seed, SEED_STEP) + batch) | 0, numRuns });
    for (let start = 0; start < made.length; start += AT_ONCE) {
      const group = made
        .slice(start, start + AT_ONCE)
        .map((draft) => ({ draft, request: finished(draft, ids, team.apiKey) }));
      const outcomes = await Promise.all(
        group.map(async ({ draft, request }) => ({ draft, request, ...(await attempt(draft, request)) })),
      );
      for (const { draft, request, answer, problems } of outcomes) {
        if (problems.length > 0) report.failures.push(await told(draft, request, problems));
        else if (answer && answer.status < 300) {
          if (request.method === "DELETE") ids.forget(request.target);
          // 202: what goes on with it has an id.
          const isJson = draft.operation.answers[answer.status]?.mediaType === JSON_TYPE;
          if (isJson && (request.method !== "DELETE" || answer.status === 202))
            ids.learn(JSON.parse(answer.text), request.target);
        }
      }
      if (!server.running()) {
        report.failures.push(`The server has ended. Its log ends so:\n${server.log().slice(-4_000)}`);
        return report;
      }
    }
    report.requests += made.length;
    // The first batch loads what is loaded once.
    warm ??= server.memory();
    progress?.(report.requests);
  }

  agent.destroy();
  const memory = server.memory();
  if (warm !== undefined && memory !== undefined) {
    report.memory = { before: warm, after: memory };
    if (memory - warm > MOST_GROWTH_BYTES) report.failures.push(`The server grew from ${warm} to ${memory} bytes.`);
  }
  const log = server.log();
  if (/"level":[56]0/.test(log)) report.failures.push(`The log tells of a fault:\n${log.slice(-4_000)}`);
  if (log.includes(team.apiKey) || /whsec_|fd_invite_|fd_assistant_/.test(log))
    report.failures.push("The log holds a secret.");
  const storage = server.open();
  for (const problem of await disorderIn(storage)) report.failures.push(`Not in order: ${problem}`);
  await storage.close();
  return report;

  async function attempt(draft: Draft, request: WireRequest): Promise<{ answer?: WireAnswer; problems: string[] }> {
    try {
      const answer = await send(server.origin, agent, request, GIVE_UP_MS);
      const statuses = report.answers[draft.operation.id] ?? {};
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      report.slowestMs = Math.max(report.slowestMs, answer.milliseconds);
      return { answer, problems: [...problemsOf(draft, request, answer), ...(await tooLong(request, answer))] };
    } catch (error) {
      return { problems: [`There is no answer: ${error}`] };
    }
  }

  /** A machine that is busy with something else is slow once; a request that takes long takes long again. */
  async function tooLong(request: WireRequest, { milliseconds }: WireAnswer): Promise<string[]> {
    if (milliseconds <= PATIENCE_MS) return [];
    const again = await send(server.origin, agent, request, GIVE_UP_MS);
    return again.milliseconds <= PATIENCE_MS ? [] : [`It took ${Math.round(milliseconds)} ms, twice.`];
  }

  /** A failure as a person can repeat it: the smallest request found that is answered wrongly in the same way. */
  async function told(draft: Draft, request: WireRequest, problems: string[]): Promise<string> {
    const kind = kindOf(problems);
    const small = await simplest(request, async (candidate) => {
      const outcome = await attempt({ ...draft, wrongs: ["simplified"] }, candidate);
      return kindOf(outcome.problems) === kind;
    });
    return [
      `${draft.operation.id}, request ${report.requests} to ${report.requests + BATCH} of seed ${seed} (${draft.wrongs.join(", ") || "a right request"}):`,
      ...problems.map((problem) => `  ${problem}`),
      `  ${asCurl(server.origin, team.apiKey, small)}`,
    ].join("\n");
  }
}

/** Problems of one kind differ in their numbers and ids only. */
function kindOf(problems: string[]): string {
  return problems
    .join()
    .replaceAll(/[0-9a-f-]{36}|\d+/g, "N")
    .slice(0, 60);
}
