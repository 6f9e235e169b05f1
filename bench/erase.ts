/**
 * `npm run bench:erase`: how long it takes to erase a contact with 50,000 messages, and how long `POST /messages` of another team waits
 * meanwhile, beside the same load before it, in one run on each engine.
 *
 * --quick   2,000 messages, for scripts
 * --json    one JSON document instead of lines
 * --engine  sqlite or postgres alone
 */
import { setTimeout as wait } from "node:timers/promises";
import { type Api, callApi, callMany, startConversation } from "./call-api.ts";
import { readOptions } from "./options.ts";
import { type OthersWait, othersLine, setUpOthers } from "./others.ts";
import { onEachEngine, type Place, setUpTeam, startOurs, stopAll, type Team } from "./processes.ts";

const options = readOptions(["quick", "json", "engine"]);
const MESSAGES = options.quick ? 2_000 : 50_000;
const CONVERSATIONS = 20;
const BEFORE_S = options.quick ? 2 : 20;
const LOOK_MS = 50;
/** What is aimed for: seconds, and times the p99 before. */
const AIM = { seconds: 60, ratio: 2 };

interface Result extends OthersWait {
  engine: string;
  messages: number;
  seconds: number;
}

const results: Result[] = [];

async function measure({ engine, newEnv }: Place): Promise<void> {
  const env = await newEnv();
  const theirs = await setUpTeam(env);
  const others = await setUpOthers(env);
  const port = await startOurs(env);
  const api = { port, apiKey: theirs.apiKey };
  const contactId = await writeALot(api, theirs);
  let seconds = 0;
  const waits = await others.waitDuring(port, BEFORE_S, async () => {
    const began = performance.now();
    await eraseAll(api, contactId);
    seconds = (performance.now() - began) / 1_000;
  });
  const result = { engine, messages: MESSAGES, seconds, ...waits };
  results.push(result);
  if (!options.json) print(result);
}

/** Vera's conversations; resolves to her id. */
async function writeALot(api: Api, { widgetId }: Team): Promise<string> {
  const visitor = { name: "Vera", email: "vera@acme.test" };
  for (let round = 0; round < CONVERSATIONS; round += 1) {
    const conversation_id = await startConversation(api, widgetId, visitor);
    await callMany(MESSAGES / CONVERSATIONS - 1, (n) =>
      callApi(api, "POST", "/messages", { conversation_id, content: `Reply ${n} of round ${round}` }),
    );
    await callApi(api, "POST", `/conversations/${conversation_id}/resolve`, { status: "resolved" });
  }
  const { data } = await callApi<{ data: { id: string }[] }>(api, "GET", "/contacts?search=vera@acme.test");
  if (!data[0]) throw new Error("Vera is not there.");
  return data[0].id;
}

async function eraseAll(api: Api, contactId: string): Promise<void> {
  interface Body {
    data: { id: string; attributes: { state: string; erased: { messages: number } } };
  }
  const { data } = await callApi<Body>(api, "DELETE", `/contacts/${contactId}`, {});
  for (;;) {
    const { attributes } = (await callApi<Body>(api, "GET", `/erasures/${data.id}`)).data;
    if (attributes.state === "done") {
      if (attributes.erased.messages < MESSAGES) throw new Error(`Only ${attributes.erased.messages} were erased.`);
      return;
    }
    await wait(LOOK_MS);
  }
}

function print(result: Result): void {
  console.log(
    `${result.engine.padEnd(9)}${result.messages} messages erased in ${result.seconds.toFixed(1)} s (aim: ${AIM.seconds})\n` +
      othersLine(result, AIM.ratio),
  );
}

await onEachEngine(options.engine, measure);
await stopAll();
if (options.json) console.log(JSON.stringify(results, null, 2));
