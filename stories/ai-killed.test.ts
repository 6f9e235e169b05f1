/** A server that is killed in turns of its AI (reference row B17), in small; `npm run test:deep` has 200 kills on both engines. */

import { setTimeout as delay } from "node:timers/promises";
import { inDepth } from "@frontdesk/testing/depth";
import { enginesOf } from "@frontdesk/testing/installation";
import { startScriptedModel } from "@frontdesk/testing/scripted-model";
import { expect, inject, onTestFinished, test } from "vitest";
import { disorderIn } from "../packages/server/test/attack/disorder.ts";
import { killedServer, seeded } from "../packages/server/test/attack/kill-while-writing.ts";
import { newServerProcess } from "../packages/server/test/attack/server-process.ts";
import {
  ANSWERED,
  afterTheTurns,
  ask,
  endedTurns,
  switchAiOn,
  turnsEnd,
  UNANSWERED,
} from "../packages/server/test/attack/turns-of-ai.ts";

const SERVERS = inDepth(1, 67);
const KILLS = 3;
/** Visitors write one after the other, so that a kill finds each turn at another moment, from its message to its end. */
const VISITORS = 14;
const APART_MS = 120;
const MODEL_MS = 200;
/** Of the visitors before a kill, so many have been heard for certain, on a machine however busy. */
const HEARD = VISITORS - 3;
const QUESTIONS = [...ANSWERED, ...UNANSWERED];

const servers = enginesOf("sqlite").flatMap((engine) =>
  Array.from({ length: SERVERS }, (_, number) => [engine, number + 1] as const),
);

test.each(servers)(
  "a server killed outright in the middle of turns of its AI has answered each visitor once, or handed them over once (%s, %i)",
  async (engine) => {
    const model = await startScriptedModel({ persona: "slow", delayMs: MODEL_MS });
    onTestFinished(() => model.stop());
    const settings = { AI_BASE_URL: model.url, AI_MODEL: "scripted" };
    const server = await newServerProcess(engine === "postgres" ? inject("postgresUrl") : undefined, settings);
    onTestFinished(() => server.remove());
    const random = seeded(Date.now());
    const fault = afterTheTurns(server, killedServer(server, random));
    const team = await server.team("Acme");
    await server.start();
    await switchAiOn(server, team);
    const storage = server.open();
    onTestFinished(() => storage.close());

    const acknowledged = new Set<string>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = acknowledged.size;
      const writing = Array.from({ length: VISITORS }, async (_, visitor) => {
        await delay(visitor * APART_MS);
        const asked = await ask(server, team, QUESTIONS[visitor % QUESTIONS.length] as string).catch(() => undefined);
        if (asked) acknowledged.add(asked.conversationId);
      });
      await delay((VISITORS - 1 + random()) * APART_MS);
      await expect.poll(() => acknowledged.size - before).toBeGreaterThanOrEqual(HEARD);
      await fault.strike();
      await Promise.all(writing);
      await fault.mend();
      await turnsEnd(storage, team);
      const { problems, conversations } = await endedTurns(storage, team);
      expect(problems).toEqual([]);
      expect([...acknowledged].filter((id) => !conversations.has(id))).toEqual([]);
    }
    const { answered, handedOver } = await endedTurns(storage, team);
    expect(await disorderIn(storage)).toEqual([]);
    // The premises: there was something to lose of every kind, and the model was asked for turns that were killed.
    expect(handedOver).toBeGreaterThan(KILLS);
    expect(model.requests.length).toBeGreaterThan(answered + handedOver / 2);
  },
);
