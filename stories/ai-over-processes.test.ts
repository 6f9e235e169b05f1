/**
 * Turns of the AI that several processes run on the same data (reference rows B13 and B27): three on PostgreSQL, two on
 * SQLite.
 */
import { setTimeout as delay } from "node:timers/promises";
import { inDepth } from "@frontdesk/testing/depth";
import { enginesOf } from "@frontdesk/testing/installation";
import { type ScriptedModel, startScriptedModel } from "@frontdesk/testing/scripted-model";
import { query } from "@frontdesk/testing/second-app";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { Storage } from "../packages/server/src/storage/database.ts";
import { disorderIn } from "../packages/server/test/attack/disorder.ts";
import { seeded } from "../packages/server/test/attack/kill-while-writing.ts";
import type { ServerProcess } from "../packages/server/test/attack/server-process.ts";
import {
  ANSWERED,
  ask,
  endedTurns,
  startServers,
  switchAiOn,
  turnsEnd,
} from "../packages/server/test/attack/turns-of-ai.ts";

const CONVERSATIONS = inDepth(20, 200);
/** Longer than the pause after a message: some messages come before a turn, some while the model is asked, some after it. */
const LONGEST_GAP_MS = 2_500;
const MODEL_MS = 300;
/** Of the team at its limit: a call is set aside with about 1,400. */
const TOKENS_A_DAY = 6_000;

describe.each(enginesOf("postgres"))("several processes on one %s", (engine) => {
  let model: ScriptedModel;
  let servers: ServerProcess[];
  let storage: Storage;
  let remove = async () => {};
  beforeAll(async () => {
    model = await startScriptedModel({ persona: "slow", delayMs: MODEL_MS });
    const isPostgres = engine === "postgres";
    const settings = { AI_BASE_URL: model.url, AI_MODEL: "scripted" };
    ({ servers, remove } = await startServers(
      isPostgres ? 3 : 2,
      isPostgres ? inject("postgresUrl") : undefined,
      settings,
    ));
    storage = one(0).open();
  });
  afterAll(async () => {
    await storage.close();
    await remove();
    await model.stop();
  });
  const one = (turn: number) => servers[turn % servers.length] as ServerProcess;

  test("a conversation has one turn at a time, and each visitor's messages are answered once, whichever process takes them", async () => {
    const random = seeded(Date.now());
    const acme = await one(0).team("Acme");
    await switchAiOn(one(0), acme);
    const chats = Array.from({ length: CONVERSATIONS }, async (_, chat) => {
      await delay(random() * LONGEST_GAP_MS);
      let contactId: string | undefined;
      for (const [at, question] of ANSWERED.entries()) {
        const asked = await ask(one(chat + at), acme, question, contactId);
        ({ contactId } = asked);
        await delay(random() * LONGEST_GAP_MS);
        // Some wait for each answer, however slow the machine is.
        if (chat % 4 === 0) await turnsEnd(storage, acme, asked.conversationId);
      }
    });
    await Promise.all(chats);
    await turnsEnd(storage, acme);
    const { problems, conversations, answered, handedOver } = await endedTurns(storage, acme);
    expect(problems).toEqual([]);
    expect([conversations.size, handedOver]).toEqual([CONVERSATIONS, 0]);
    expect(await disorderIn(storage)).toEqual([]);
    // The premise: some messages were folded into one question, and some had a turn of their own.
    expect(answered).toBeGreaterThan(CONVERSATIONS);
    expect(answered).toBeLessThan(CONVERSATIONS * ANSWERED.length);
  });

  test("a team's tokens of a day are not overrun, whichever processes ask at the same time, and all others get a person", async () => {
    const beta = await one(0).team("Beta");
    await switchAiOn(one(0), beta, { tokens_a_day: TOKENS_A_DAY });
    const before = model.requests.length;
    await Promise.all(
      Array.from({ length: CONVERSATIONS }, (_, chat) =>
        ask(one(chat), beta, ANSWERED[chat % ANSWERED.length] as string),
      ),
    );
    await turnsEnd(storage, beta);
    const { problems, answered, handedOver } = await endedTurns(storage, beta);
    expect(problems).toEqual([]);
    const of = (table: string) => query(storage, `SELECT * FROM ${table} WHERE team_id = '${beta.teamId}'`);
    const [usage] = await of("ai_usage");
    expect(usage).toMatchObject({ reservations: "[]" });
    expect(Number(usage?.tokens)).toBeLessThanOrEqual(TOKENS_A_DAY);
    const runs = await of("ai_runs");
    const spent = runs.reduce((sum, { tokens_in, tokens_out }) => sum + Number(tokens_in) + Number(tokens_out), 0);
    expect(spent).toBe(Number(usage?.tokens));
    expect(new Set(runs.map(({ outcome, reason }) => `${outcome}: ${reason}`))).toEqual(
      new Set(["answered: grounded", "handed-over: cap-team"]),
    );
    expect(model.requests.length - before).toBe(answered);
    // The premise: without a limit they would have spent far more.
    expect((spent / answered) * (answered + handedOver)).toBeGreaterThan(TOKENS_A_DAY * 1.3);
  });
});
