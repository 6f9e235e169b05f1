/**
 * The live stream while servers are killed (docs/decisions/0020-live-stream.md): nothing lost, nothing duplicated, one order.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { newVisitorToken } from "@frontdesk/testing/browser-visitor";
import { inDepth } from "@frontdesk/testing/depth";
import { freePort } from "@frontdesk/testing/free-port";
import { enginesOf } from "@frontdesk/testing/installation";
import { startRedis } from "@frontdesk/testing/redis-server";
import { startScriptedModel } from "@frontdesk/testing/scripted-model";
import { query } from "@frontdesk/testing/second-app";
import { expect, inject, onTestFinished, test } from "vitest";
import { keepListening, sendUntilAnswered } from "../packages/server/test/attack/keep-listening.ts";
import { seeded } from "../packages/server/test/attack/kill-while-writing.ts";
import {
  killAndStart,
  newServerProcess,
  type ServerProcess,
  type SetUpTeam,
} from "../packages/server/test/attack/server-process.ts";
import { afterTheTurns, startServers, switchAiOn, turnsEnd } from "../packages/server/test/attack/turns-of-ai.ts";
import { LONG_ARTICLES, openChats, saidByAi } from "./chats-with-ai.ts";

const KILLS = inDepth(1, 6);
/** How often each fails: one server, the other, and Redis. */
const FAULTS_OF_TWO = inDepth(3, 6);
/** Of a team with the built-in AI: how often new visitors come, how many, and how often a server is killed while they chat. */
const WAVES = inDepth(1, 2);
const VISITORS = inDepth(4, 8);
const KILLS_A_WAVE = inDepth(2, 4);
/** Each has at least so many chats: together, one of each kind. */
const CHATS = 2;
/** The model stops for so long in the middle of an answer. */
const HALT_MS = 200;

/** Vera and Ada, who write to each other over either server. */
function twoWhoWrite(origins: readonly string[], team: SetUpTeam) {
  const token = newVisitorToken();
  const written: string[] = [];
  let conversationId = "";
  let turn = 0;
  const origin = () => {
    turn += 1;
    return origins[turn % origins.length];
  };
  const post = (path: string, headers: Record<string, string>, body: object) =>
    fetch(`${origin()}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  return {
    token,
    written,
    async vera(content: string) {
      const body = { client_id: randomUUID(), content };
      await sendUntilAnswered(async () => {
        const answer = await post(`/visitor/${team.widgetId}/messages`, { authorization: `Bearer ${token}` }, body);
        if (answer.status === 201) conversationId = ((await answer.clone().json()) as Answer).message.conversation_id;
        return answer;
      });
      written.push(content);
    },
    async ada(content: string) {
      const key = randomUUID();
      await sendUntilAnswered(() =>
        post(
          "/api/v1/messages",
          { "x-api-key": team.apiKey, "idempotency-key": key },
          { conversation_id: conversationId, content },
        ),
      );
      written.push(content);
    },
  };
}

interface Answer {
  message: { conversation_id: string };
}

/** Both write while `fault` happens repeatedly; then both must have received everything once, in one order. */
async function writeThroughFaults(origins: string[], team: SetUpTeam, faults: number, fault: () => Promise<void>) {
  const people = twoWhoWrite(origins, team);
  await people.vera("The beginning.");
  const visitor = keepListening(origins, { token: people.token, widget_id: team.widgetId });
  const agent = keepListening(origins, { token: team.apiKey });
  onTestFinished(() => Promise.all([visitor.stop(), agent.stop()]).then(() => {}));
  await expect.poll(() => visitor.isReady() && agent.isReady()).toBe(true);

  let over = false;
  const lanes = (["vera", "ada"] as const).map(async (who) => {
    for (let n = 1; !over || people.written.length <= faults * 4 + 1; n += 1) {
      await people[who](`${who} ${n}`);
      // A visitor may write 120 times a minute.
      await delay(who === "vera" ? 300 : 10);
    }
  });
  for (let done = 0; done < faults; done += 1) {
    await delay(300 + Math.random() * 400);
    await fault();
  }
  over = true;
  await Promise.all(lanes);

  const said = people.written.slice(1);
  const heardBy = (client: typeof agent) => client.events.flatMap(({ message }) => message?.content ?? []);
  for (const client of [visitor, agent]) {
    await expect.poll(() => heardBy(client).length).toBe(said.length);
    expect(heardBy(client).toSorted()).toEqual(said.toSorted());
    const numbers = client.events.map(({ number }) => number);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
    expect(client.resets()).toBe(0);
  }
  expect(heardBy(visitor)).toEqual(heardBy(agent));
  return { visitor, agent, said };
}

test.each(enginesOf("sqlite"))(
  "a server killed in the middle of a conversation costs neither side a message, nor shows one twice (%s)",
  async (engine) => {
    const server = await newServerProcess(engine === "postgres" ? inject("postgresUrl") : undefined);
    onTestFinished(() => server.remove());
    const team = await server.team("Acme");
    await server.start();
    const { visitor, agent, said } = await writeThroughFaults([server.origin], team, KILLS, () => killAndStart(server));
    // The premise: they were disconnected, and there were messages to lose.
    expect(Math.min(visitor.cuts(), agent.cuts())).toBeGreaterThanOrEqual(KILLS);
    expect(said.length).toBeGreaterThan(KILLS * 4);
  },
);

test("two servers serve one conversation, while one of them is killed, and Redis is stopped and started", async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.kill());
  const one = await newServerProcess(inject("postgresUrl"), { REDIS_URL: redis.url });
  onTestFinished(() => one.remove());
  const team = await one.team("Acme");
  const two: ServerProcess = await newServerProcess(undefined, {
    REDIS_URL: redis.url,
    DATABASE_URL: String(one.databaseUrl),
    DATA_DIR: one.dataDir,
    PORT: String(await freePort()),
  });
  onTestFinished(async () => {
    await two.kill();
  });
  await one.start();
  await two.start();
  let turn = 0;
  await writeThroughFaults([one.origin, two.origin], team, FAULTS_OF_TWO, async () => {
    turn += 1;
    if (turn % 3 === 0) {
      await redis.kill();
      await delay(300);
      await redis.restart();
      return;
    }
    await killAndStart(turn % 2 ? one : two);
  });
});

test.each(enginesOf("postgres"))(
  "all that visitors and agents are shown of an AI that is seen to write is what a fresh fetch gives, while servers are killed in its turns (%s)",
  async (engine) => {
    const [redis, model] = await Promise.all([
      startRedis(),
      startScriptedModel({ persona: "halting", delayMs: HALT_MS }),
    ]);
    onTestFinished(() => Promise.all([redis.kill(), model.stop()]).then(() => {}));
    const settings = { AI_BASE_URL: model.url, AI_MODEL: "scripted", REDIS_URL: redis.url };
    const more = { ...settings, VISITOR_BOUNDS_FACTOR: "100" };
    const { servers, remove } = await startServers(2, engine === "postgres" ? inject("postgresUrl") : undefined, more);
    onTestFinished(remove);
    const [one] = servers as [ServerProcess];
    const team = await one.team("Acme");
    await switchAiOn(one, team, { streamed: true }, LONG_ARTICLES);
    const storage = one.open();
    onTestFinished(() => storage.close());
    const chats = openChats(
      servers.map(({ origin }) => origin),
      team,
    );
    onTestFinished(chats.close);
    const random = seeded(Date.now());
    const faults = servers.map((server) => afterTheTurns(server, { strike: server.kill, mend: server.start }));

    let kills = 0;
    let underWay = 0;
    for (let wave = 0; wave < WAVES; wave += 1) {
      let isOver = false;
      const chatting = chats.chat(VISITORS, CHATS, () => isOver);
      for (let kill = 0; kill < KILLS_A_WAVE; kill += 1, kills += 1) {
        // Amid an answer: some of it has just been seen.
        const { visitors: before } = chats.drafts();
        await expect.poll(() => chats.drafts().visitors, { interval: 5 }).toBeGreaterThan(before);
        await delay((random() * HALT_MS) / 4);
        const fault = faults[kills % faults.length];
        await fault?.strike();
        underWay += (await query(storage, "SELECT 1 AS one FROM ai_turns WHERE claim IS NOT NULL")).length;
        await fault?.mend();
      }
      isOver = true;
      await chatting;
    }
    await turnsEnd(storage, team);
    await chats.areAsFetched();
    const { problems, byVisitors, ...ends } = await saidByAi(storage, team);
    expect(problems).toEqual([]);
    expect(byVisitors.toSorted()).toEqual(chats.written().toSorted());
    // The premises: each kind of end, turns under way at the kills, drafts at all screens, and streams that were cut.
    const { visitors, agents } = chats.drafts();
    const counts = { ...ends, underWay, visitors, agents, reconnects: chats.reconnects() };
    for (const [name, count] of Object.entries(counts)) expect(count, name).toBeGreaterThan(0);
  },
);
