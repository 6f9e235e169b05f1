/**
 * `npm run bench:export`: how long the export of a contact with 1 GB of files takes, what it costs in memory, and how long
 * `POST /messages` of another team waits meanwhile, in one run on each engine.
 *
 * --quick   20 MB of files, for scripts
 * --json    one JSON document instead of lines
 * --engine  sqlite or postgres alone
 */
import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { type Api, callApi, startConversation } from "./call-api.ts";
import { readOptions } from "./options.ts";
import { type OthersWait, othersLine, setUpOthers } from "./others.ts";
import { onEachEngine, type Place, setUpTeam, startOurs, stopAll, type Team } from "./processes.ts";
import { metricsOf } from "./server-metrics.ts";

const options = readOptions(["quick", "json", "engine"]);
const MB = 1_000_000;
const FILE_BYTES = options.quick ? 2 * MB : 20 * MB;
/** 100 MB may wait for a message. */
const FILES_A_MESSAGE = 5;
const MESSAGES = options.quick ? 2 : 10;
const BEFORE_S = options.quick ? 2 : 20;
const LOOK_MS = 50;
const AIM_RATIO = 2;

interface Result extends OthersWait {
  engine: string;
  megabytes: number;
  seconds: number;
  /** Resident memory of the server, MB: before, and the most meanwhile. */
  memoryBefore: number;
  memoryMost: number;
}

const results: Result[] = [];

async function measure({ engine, newEnv }: Place): Promise<void> {
  const env = await newEnv();
  const theirs = await setUpTeam(env);
  const others = await setUpOthers(env);
  const port = await startOurs(env);
  const api = { port, apiKey: theirs.apiKey };
  const contactId = await sendFiles(api, theirs);
  let exported = { seconds: 0, memoryBefore: 0, memoryMost: 0 };
  const waits = await others.waitDuring(port, BEFORE_S, async () => {
    exported = await exportAll(api, contactId);
  });
  const megabytes = (MESSAGES * FILES_A_MESSAGE * FILE_BYTES) / MB;
  const result = { engine, megabytes, ...exported, ...waits };
  results.push(result);
  if (!options.json) print(result);
}

/** Vera is sent files that do not compress; resolves to her id. */
async function sendFiles(api: Api, { widgetId }: Team): Promise<string> {
  const conversation_id = await startConversation(api, widgetId, { name: "Vera", email: "vera@acme.test" });
  for (let message = 0; message < MESSAGES; message += 1) {
    const attachments: { url: string }[] = [];
    for (let file = 0; file < FILES_A_MESSAGE; file += 1) attachments.push({ url: await upload(api, `${file}.bin`) });
    await callApi(api, "POST", "/messages", { conversation_id, content: "Your files", attachments });
  }
  const { data } = await callApi<{ data: { id: string }[] }>(api, "GET", "/contacts?search=vera@acme.test");
  if (!data[0]) throw new Error("Vera is not there.");
  return data[0].id;
}

async function upload({ port, apiKey }: Api, name: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/files?name=${name}`, {
    method: "POST",
    headers: { "X-API-KEY": apiKey, "Content-Type": "application/octet-stream" },
    body: randomBytes(FILE_BYTES),
  });
  if (!answer.ok) throw new Error(`POST /files: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { data: { attributes: { url: string } } }).data.attributes.url;
}

async function exportAll(api: Api, contactId: string) {
  interface Body {
    data: { id: string; attributes: { state: string } };
  }
  const memoryBefore = await memoryOf(api);
  let memoryMost = memoryBefore;
  const began = performance.now();
  const { data } = await callApi<Body>(api, "POST", `/contacts/${contactId}/export`, {});
  for (;;) {
    const { state } = (await callApi<Body>(api, "GET", `/exports/${data.id}`)).data.attributes;
    memoryMost = Math.max(memoryMost, await memoryOf(api));
    if (state === "done") return { seconds: (performance.now() - began) / 1_000, memoryBefore, memoryMost };
    if (state === "failed") throw new Error("The export has failed.");
    await wait(LOOK_MS);
  }
}

/** The server's resident memory, MB. */
const memoryOf = async ({ port }: Api) => (await metricsOf(port)).memory;

function print(result: Result): void {
  const { engine, megabytes, seconds, memoryBefore, memoryMost } = result;
  console.log(
    `${engine.padEnd(9)}${megabytes} MB of files exported in ${seconds.toFixed(1)} s, ` +
      `memory ${memoryBefore.toFixed(0)} -> ${memoryMost.toFixed(0)} MB\n${othersLine(result, AIM_RATIO)}`,
  );
}

await onEachEngine(options.engine, measure);
await stopAll();
if (options.json) console.log(JSON.stringify(results, null, 2));
