/**
 * `npm run bench:knowledge`: how well the articles are found that a question is about, by words and by words with vectors; and how long a
 * look at 10,000 vectors of 512 numbers takes. Vectors are those of Universal Sentence Encoder Lite, by the product's own job and search,
 * from the scripted model server.
 *
 * --questions  a file of BANKING77 (text,category; CSV with a line of names). Its categories become articles: the first wording is the
 *              question, the next five are the answer, and 400 others are asked. Left out: only the time is measured
 * --foreign    a file with a question a line that no article is about
 * --json       one JSON document instead of lines
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openVault } from "../packages/server/src/access/vault.ts";
import { createModelClients } from "../packages/server/src/ai/model/model-clients.ts";
import { updateAi } from "../packages/server/src/ai/settings/update-ai.ts";
import type { Operation } from "../packages/server/src/context.ts";
import { addArticle } from "../packages/server/src/knowledge/add-article.ts";
import { type PassageSearch, searchPassages } from "../packages/server/src/knowledge/find-passages.ts";
import { embedArticlesJob } from "../packages/server/src/knowledge/vectors/embed-articles.ts";
import { createNearestPassages, nearestOf } from "../packages/server/src/knowledge/vectors/nearest-passages.ts";
import { unitVector } from "../packages/server/src/knowledge/vectors/vector.ts";
import { createPerform } from "../packages/server/src/perform.ts";
import { createRuntime } from "../packages/server/src/runtime.ts";
import { openStorage } from "../packages/server/src/storage/open-storage.ts";
import { createTeam } from "../packages/server/src/teams/create-team.ts";
import { systemTimeouts } from "../packages/server/src/timeouts.ts";
import { startScriptedModel } from "../packages/testing/src/scripted-model.ts";
import { readOptions } from "./options.ts";

const options = readOptions(["json"], { questions: { type: "string" }, foreign: { type: "string" } });

const EMBEDDING_MODEL = "use-lite-en";
const ASKED = 400;
const WORDINGS = 5;
const FIRST_FIVE = 5;
const VECTORS = 10_000;
const SIZE = 512;
const ROUNDS = 50;

interface Quality {
  search: "words" | "words and vectors";
  /** In percent. */
  first: number;
  firstFive: number;
  /** Of foreign questions: nothing found. Null without a file of them. */
  foreignNothing: number | null;
  /** The team's, as its job has stored it. Null for words. */
  floor: number | null;
}

const quality = options.questions ? await measureQuality(options.questions, options.foreign) : [];
const milliseconds = measureTime();
if (options.json) console.log(JSON.stringify({ quality, milliseconds }));
else {
  for (const { search, first, firstFive, foreignNothing, floor } of quality) {
    const found = `first ${first} %, first five ${firstFive} %, elsewhere nothing ${foreignNothing ?? "-"} %`;
    console.log(`${search}${floor === null ? "" : `, floor ${floor}`}: ${found}`);
  }
  console.log(`${VECTORS} vectors of ${SIZE}: ${milliseconds.median} ms median, ${milliseconds.p99} ms p99`);
}

async function measureQuality(questions: string, foreign: string | undefined): Promise<Quality[]> {
  const byCategory = Map.groupBy(readRows(readFileSync(questions, "utf8")), ([, category]) => category ?? "");
  const articles = [...byCategory.values()].map((rows) => rows.map(([text]) => text ?? ""));
  const dataDir = mkdtempSync(join(tmpdir(), "frontdesk-bench-"));
  const storage = openStorage({ dataDir, databaseUrl: undefined });
  const model = await startScriptedModel();
  const connection = { baseUrl: model.url, model: "scripted", apiKey: "", embeddingModel: EMBEDDING_MODEL };
  const { now, random } = { now: Date.now, random: Math.random };
  const clients = createModelClients({
    ...{ allowedNetworks: [], operatorBaseUrl: model.url, timeouts: systemTimeouts, now, steadyNow: now, random },
  });
  try {
    await storage.migrate();
    const runtime = { ...createRuntime(openVault(randomBytes(32))), operatorModel: connection };
    const perform = createPerform(storage, runtime);
    const teamId = runtime.newId();
    const system = { kind: "system" as const, teamId };
    await perform(system, createTeam, { name: "Bench" });
    await perform(system, updateAi, { embedding_model: EMBEDDING_MODEL });
    const ids: string[] = [];
    for (const [question = "", ...wordings] of articles) {
      const article = { question, answer: wordings.slice(0, WORDINGS).join("\n"), isPublished: true };
      ids.push((await perform(system, addArticle, article)).id);
    }
    const { signal } = new AbortController();
    await embedArticlesJob({ perform: () => perform, clients })({}, { teamId, id: "", cause: null, signal });
    const nearestPassages = createNearestPassages({
      ...{ perform: () => perform, clients, timeouts: systemTimeouts, steadyNow: now },
    });
    const others = articles.flatMap((wordings, article) =>
      wordings.slice(1 + WORDINGS).map((text) => ({ text, id: ids[article] })),
    );
    const asked = Array.from({ length: ASKED }, (_, n) => others[Math.floor((n * others.length) / ASKED)]);
    const foreigners = foreign
      ? readFileSync(foreign, "utf8")
          .split("\n")
          .filter((line) => line.trim() !== "")
      : [];
    const searching: Operation<PassageSearch, string[]> = {
      name: "find-passages",
      mode: "read",
      run: async (ctx, search) => [
        ...new Set((await searchPassages(ctx, search, articles.length)).map(({ articleId }) => articleId)),
      ],
    };
    let floor: number | null = null;
    const find = async (text: string, withVectors: boolean) => {
      const asking = { teamId, connection, questions: [text], signal };
      const nearest = withVectors ? await nearestPassages(asking) : undefined;
      if (withVectors && !nearest?.passages.length) throw new Error("There are no vectors.");
      floor = nearest?.floor ?? null;
      return perform(system, searching, { questions: [text], limit: 8, nearest });
    };
    const results: Quality[] = [];
    for (const search of ["words", "words and vectors"] as const) {
      const withVectors = search === "words and vectors";
      const [places, found] = [[] as number[], [] as number[]];
      for (const each of asked) if (each) places.push((await find(each.text, withVectors)).indexOf(each.id ?? ""));
      for (const text of foreigners) found.push((await find(text, withVectors)).length);
      results.push({
        search,
        first: percent(places, (place) => place === 0),
        firstFive: percent(places, (place) => place >= 0 && place < FIRST_FIVE),
        foreignNothing: found.length === 0 ? null : percent(found, (count) => count === 0),
        floor,
      });
    }
    return results;
  } finally {
    clients.close();
    await model.stop();
    await storage.close();
    rmSync(dataDir, { recursive: true });
  }
}

function percent(of: readonly number[], isSo: (value: number) => boolean): number {
  return Math.round((1_000 * of.filter(isSo).length) / of.length) / 10;
}

/** The two columns of each line, without the line of names; a text in quotes may hold commas and lines. */
function readRows(csv: string): string[][] {
  const rows = [...csv.matchAll(/^(?:"((?:[^"]|"")*)"|([^,\n]*)),([^,\n]+)$/gm)];
  return rows
    .slice(1)
    .map(([, quoted, plain, category]) => [
      (quoted?.replaceAll('""', '"') ?? plain ?? "").trim(),
      (category ?? "").trim(),
    ]);
}

/** How long it takes to compare one question with all vectors of a team. */
function measureTime(): { median: number; p99: number } {
  const random = () => unitVector(Float32Array.from({ length: SIZE }, () => Math.random() - 0.5));
  const vectors = Array.from({ length: VECTORS }, (_, n) => ({
    ...{ articleId: String(n), passage: 0, fingerprint: "", vector: random() },
  }));
  const times = Array.from({ length: ROUNDS }, () => {
    const began = performance.now();
    nearestOf(vectors, [random()]);
    return performance.now() - began;
  }).sort((one, other) => one - other);
  const at = (share: number) => Math.round(10 * (times[Math.floor(share * (ROUNDS - 1))] ?? 0)) / 10;
  return { median: at(0.5), p99: at(0.99) };
}
