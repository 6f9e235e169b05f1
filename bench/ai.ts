/**
 * `npm run bench:ai`: what a turn of the built-in AI costs beside the model, on each engine, next to a bare proxy to the same model
 * server (`ai-floor.ts`) in the same run; whether articles that are being embedded delay turns; and what the AI costs who has none.
 *
 * Aims of a turn, with 8 at once and 1,000 articles, p95: the AI is seen to type 300 ms after the visitor's message was written; 60 ms
 * on SQLite and 120 on PostgreSQL from the end of the pause to the request on the wire; 50 ms from the model's last byte to the visitor's
 * stream. With 2,000 articles being embedded, a turn takes at most 1.1 times as long. Without AI: 1 MB of memory at most.
 *
 * --quick   a fifth of the turns
 * --json    one JSON document instead of lines
 * --engine  sqlite or postgres alone
 * --only    a part of a measurement's name: turn, embedding, without
 * --before  a folder with another checkout, with its dependencies: its requests and memory are measured in turns with ours; all are
 *           started 7 times, and memory is taken as it is and without garbage (`settled-memory.ts`)
 */
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { newVisitorToken } from "../packages/client/src/new-ids.ts";
import type { ModelCommands, Taken } from "./ai-model.ts";
import { questionAbout, setEmbeddingModel, setUpAi } from "./ai-team.ts";
import type { MarkedQuestion, Pace, Seen, VisitorsCommands } from "./ai-visitors.ts";
import { readOptions } from "./options.ts";
import {
  type Env,
  load,
  onEachEngine,
  type Place,
  pidOf,
  setUpTeam,
  startAiFloor,
  startBeside,
  startOurs,
  stopOn,
  type Team,
} from "./processes.ts";
import { quantile } from "./quantile.ts";
import { metricsOf, settledMemoryOf, settlingEnv } from "./server-metrics.ts";
import { visitorWrites } from "./visitor.ts";
import type { WorkerProcess } from "./worker-process.ts";

const options = readOptions(["quick", "json", "engine", "only"], { before: { type: "string" } });
const AT_ONCE = 8;
/** Of 8 turns each. Visitors are new after some: a conversation has a dozen answers at most. */
const ROUNDS = options.quick ? 5 : 25;
const ROUNDS_A_VISITOR = 9;
const ARTICLES = 1_000;
const EMBEDDED_ARTICLES = 2_000;
const EMBEDDINGS = options.quick ? 1 : 3;
/** The pause after a visitor's message, in which the AI waits for more of it. */
const PAUSE_MS = 1_200;
const DELAYS = { firstByteMs: 200, answerMs: 400, embedMs: 100 };
const STARTS = options.quick ? 2 : 7;
/** So many of them take requests as well. */
const LOADED_STARTS = options.quick ? 1 : 3;
const SETTLE_MS = 3_000;
const LOAD_SECONDS = options.quick ? 2 : 6;
const CONNECTIONS = 16;

const results: object[] = [];

async function measure(place: Place): Promise<void> {
  if ("turn".includes(options.only)) await measureTurns(place);
  if ("embedding".includes(options.only)) await measureEmbedding(place);
  if ("without".includes(options.only)) await measureWithout(place);
}

interface Scene {
  env: Env;
  team: Team;
  port: number;
  modelPort: number;
  model: WorkerProcess<ModelCommands>;
  visitors: WorkerProcess<VisitorsCommands>;
}

async function setTheScene({ newEnv }: Place, articles: number, more: Env = {}): Promise<Scene> {
  const model = startBeside<ModelCommands>("ai-model.ts");
  const modelPort = await model.ask("listen", DELAYS);
  const env: Env = {
    ...{ ...(await newEnv()), TRUST_PROXY: "127.0.0.1", VISITOR_BOUNDS_FACTOR: "100" },
    ...{ AI_BASE_URL: `http://127.0.0.1:${modelPort}/v1`, AI_MODEL: "bench", ...more },
  };
  const team = await setUpTeam(env);
  await setUpAi(env, team, articles);
  const port = await startOurs(env);
  return { env, team, port, modelPort, model, visitors: startBeside<VisitorsCommands>("ai-visitors.ts") };
}

async function measureTurns(place: Place): Promise<void> {
  const scene = await setTheScene(place, ARTICLES);
  await askInRounds(scene, { rounds: 1, pace: "apart" });
  const turns: Turn[] = [];
  const before = (await metricsOf(scene.port)).cpu;
  for (let rounds = ROUNDS; rounds > 0; rounds -= ROUNDS_A_VISITOR) {
    turns.push(...(await askInRounds(scene, { rounds: Math.min(rounds, ROUNDS_A_VISITOR), pace: "apart" })));
  }
  // The first question of each visitor is a turn as well.
  const all = turns.length + AT_ONCE * Math.ceil(ROUNDS / ROUNDS_A_VISITOR);
  const cpu = ((await metricsOf(scene.port)).cpu - before) / all;
  const together: Turn[] = [];
  for (let round = 0; round < ROUNDS / 5; round += 1) {
    together.push(...(await askInRounds(scene, { rounds: 1, pace: "together" })));
  }
  const sizes = turns.map(({ size }) => size);
  const size = Math.round(quantile(sizes, 0.5));
  const port = await startAiFloor(scene.env, scene.modelPort);
  const askFloor = async (rounds: number) => {
    const asked = { port, questions: newQuestions(rounds), pace: "apart", size } as const;
    const seen = await scene.visitors.ask("askFloor", asked);
    const taken = await scene.model.ask("taken");
    return seen.map((each) => turnOf(each, taken, 0));
  };
  // The first ones open the connections.
  await askFloor(1);
  const floor = await askFloor(ROUNDS);
  const of = (all: readonly Turn[], name: "typing" | "toTheWire" | "toTheScreen") =>
    spread(all.map((turn) => turn[name]));
  tell(place.engine, "turn", { turns: turns.length, requestKB: size / 1_000, cpu, typing: of(turns, "typing") });
  for (const name of ["toTheWire", "toTheScreen"] as const) {
    tell(place.engine, name, { ours: of(turns, name), together: of(together, name), floor: of(floor, name) });
  }
  await stopOn(scene.port);
}

async function measureEmbedding(place: Place): Promise<void> {
  const scene = await setTheScene(place, EMBEDDED_ARTICLES, { AI_EMBEDDING_MODEL: "one" });
  await embedded(scene);
  await askInRounds(scene, { rounds: 1, pace: "apart" });
  const [alone, during]: [number[], number[]] = [[], []];
  let texts = 0;
  for (let round = 0; round < EMBEDDINGS; round += 1) {
    const before = await scene.model.ask("embedded");
    await setEmbeddingModel(scene.env, scene.team, `another ${round}`);
    while ((await scene.model.ask("embedded")) < before + AT_ONCE) await wait(50);
    const all = embedded(scene);
    let isOver = false;
    void all.then(() => {
      isOver = true;
    });
    let rounds = 0;
    for (; !isOver; rounds += 2) {
      const some = await askInRounds(scene, { rounds: 2, pace: "apart" });
      // What ran beyond the end of the embedding is no part of it.
      if (!isOver) during.push(...some.map(({ whole }) => whole));
    }
    await all;
    texts += (await scene.model.ask("embedded")) - before;
    const quiet = await askInRounds(scene, { rounds: Math.max(rounds, 4), pace: "apart" });
    alone.push(...quiet.map(({ whole }) => whole));
  }
  const [a, b] = [spread(during), spread(alone)];
  tell(place.engine, "embedding", {
    texts,
    during: { turns: during.length, ...a },
    alone: { turns: alone.length, ...b },
    ratio: a.p95 / b.p95,
  });
  await stopOn(scene.port);
}

/** Resolves when no further text has been embedded for a while. */
async function embedded({ model }: Pick<Scene, "model">): Promise<void> {
  for (let before = -1; ; ) {
    const now = await model.ask("embedded");
    // Questions of visitors are embedded, too: a few, and the articles are many.
    if (now - before <= 2 * AT_ONCE && before >= EMBEDDED_ARTICLES) return;
    before = now;
    await wait(1_000);
  }
}

/** Milliseconds. */
interface Turn {
  typing: number;
  /** From the end of the pause, or on the floor from its being asked. */
  toTheWire: number;
  toTheScreen: number;
  /** From the end of the pause to the visitor's screen. */
  whole: number;
  size: number;
}

/** New visitors ask so many questions each. */
async function askInRounds(
  { port, team, model, visitors }: Scene,
  { rounds, pace }: { rounds: number; pace: Pace },
): Promise<Turn[]> {
  const tokens = Array.from({ length: AT_ONCE }, newVisitorToken);
  // A stream is opened by who has written before.
  await Promise.all(
    tokens.map((token, n) =>
      visitorWrites(port, team.widgetId, { token, n, content: `${nextQuestion()} ${newMark()}` }),
    ),
  );
  await visitors.ask("connect", { port, widgetId: team.widgetId, tokens });
  await wait(PAUSE_MS + DELAYS.firstByteMs + DELAYS.answerMs + 1_000);
  const seen = await visitors.ask("ask", { questions: newQuestions(rounds), pace });
  const taken = await model.ask("taken");
  await visitors.ask("leave");
  return seen.map((each) => turnOf(each, taken, PAUSE_MS));
}

function turnOf({ mark, writtenAt, typingAt, answeredAt }: Seen, all: Record<string, Taken>, pause: number): Turn {
  const taken = all[mark];
  if (!taken) throw new Error(`The model was not asked about ${mark}.`);
  return {
    typing: typingAt - writtenAt,
    toTheWire: taken.askedAt - writtenAt - pause,
    toTheScreen: answeredAt - taken.lastByteAt,
    whole: answeredAt - writtenAt - pause,
    size: taken.size,
  };
}

let marks = 0;
let next = 0;

/** Digits would be figures, which the AI may not say of itself. */
function newMark(): string {
  marks += 1;
  return `qa${[...String(marks).padStart(5, "0")].map((digit) => "bcdfghklmn"[Number(digit)]).join("")}`;
}

/** About another article each time. */
function nextQuestion(): string {
  next += 1;
  return questionAbout((next * 37) % ARTICLES);
}

const newQuestions = (rounds: number): MarkedQuestion[][] =>
  Array.from({ length: AT_ONCE }, () =>
    Array.from({ length: rounds }, () => ({ text: nextQuestion(), mark: newMark() })),
  );

/** Memory when idle, and requests of visitors, of a service without a model, of one with it, and of another checkout. */
async function measureWithout({ engine, newEnv }: Place): Promise<void> {
  const ai: Env = { AI_BASE_URL: "http://127.0.0.1:9/v1", AI_MODEL: "bench" };
  const kinds = ["without", "with", ...(options.before ? ["before"] : [])];
  const servers = await Promise.all(
    kinds.map(async (kind) => {
      const env: Env = { ...(await newEnv()), ...(kind === "with" && ai) };
      const folder = kind === "before" ? options.before : undefined;
      const team = await setUpTeam(env, undefined, folder);
      if (kind === "with") await setUpAi(env, team, 0);
      const file = join(String(env.DATA_DIR), "memory.json");
      const figures = { resident: [] as number[], settled: [] as number[], perSecond: [] as number[] };
      return { kind, env: { ...env, ...settlingEnv(file) }, team, folder, file, ...figures };
    }),
  );
  // The first start compiles the sources, and says nothing.
  for (let round = 0; round <= STARTS; round += 1) {
    for (const { kind, env, team, folder, file, resident, settled, perSecond } of servers) {
      const port = await startOurs(env, folder);
      await wait(SETTLE_MS);
      const { memory } = await metricsOf(port);
      const left = await settledMemoryOf(pidOf(port), file);
      if (round > 0) {
        resident.push(memory);
        settled.push(left);
      }
      // With the AI on, each message would begin a turn: that is another work.
      if (kind !== "with" && round > 0 && round <= LOADED_STARTS) {
        perSecond.push((await writeAsVisitors(port, team)).requestsPerSecond);
      }
      await stopOn(port);
    }
  }
  const figures = servers.map(({ kind, resident, settled, perSecond }) => [
    kind,
    {
      residentMB: range(resident),
      settledMB: range(settled),
      ...(perSecond.length > 0 && { perSecond: range(perSecond) }),
    },
  ]);
  tell(engine, "without", { starts: STARTS, ...Object.fromEntries(figures) });
}

const writeAsVisitors = (port: number, { apiKey, widgetId }: Team) =>
  load({
    ...{ port, connections: CONNECTIONS, seconds: LOAD_SECONDS, method: "POST", path: "/api/v1/conversations" },
    headers: { "X-API-KEY": apiKey, "Content-Type": "application/json" },
    body: JSON.stringify({ widget_id: widgetId, content: "Hi {n}", name: "Vera", email: "vera{n}@example.com" }),
  });

const spread = (values: readonly number[]) => ({ p50: quantile(values, 0.5), p95: quantile(values, 0.95) });

const range = (values: readonly number[]) => ({
  ...{ median: quantile(values, 0.5), from: Math.min(...values), to: Math.max(...values) },
});

function tell(engine: string, measurement: string, figures: object): void {
  results.push({ engine, measurement, ...figures });
  if (options.json) return;
  const shown = JSON.stringify(figures, (_, value) => (typeof value === "number" ? Number(value.toFixed(2)) : value));
  console.log(`${engine.padEnd(9)}${measurement.padEnd(10)}${shown.replaceAll(/["{}]/g, " ")}`);
}

await onEachEngine(options.engine, measure);
if (options.json) console.log(JSON.stringify(results));
