/** Proves the live stream: the old state and its events equal a fresh fetch (issue 6, "The live stream"). */

import { Refusal } from "@frontdesk/core/domain/refusal";
import { inDepth } from "@frontdesk/testing/depth";
import { eraseOldFiles } from "@frontdesk/testing/erase-old-files";
import { aiOf } from "@frontdesk/testing/held-by-ai";
import { type DeedOfAi, openAiDrafts, randomAi } from "@frontdesk/testing/random-ai";
import { startRedis } from "@frontdesk/testing/redis-server";
import { startTestApp } from "@frontdesk/testing/test-kit";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { type RandomStep as Step, steps, type VisitCounts, visit } from "./visit-for-tests.ts";

const VISITS = inDepth(14, 40);
const MOST_STEPS = 40;

/** A visit in which everything that is counted happens, whatever the random ones do. */
const EVERYTHING: Step[] = [
  { step: "vera writes", tab: 0 },
  { step: "all is quiet" },
  { step: "ada replies" },
  { step: "all is quiet" },
  { step: "files are old" },
  { step: "an answer is lost" },
  { step: "vera writes", tab: 0 },
  { step: "all is quiet" },
  { step: "ada redacts", back: 0 },
  { step: "a socket breaks" },
  { step: "all is quiet" },
  { step: "the ai does", deed: "holds" },
  { step: "vera writes", tab: 0 },
  { step: "all is quiet" },
  { step: "the ai does", deed: "drafts" },
  { step: "a moment passes", ms: 60 },
  { step: "the ai does", deed: "answers" },
  { step: "a moment passes", ms: 60 },
  { step: "a draft comes late" },
  { step: "all is quiet" },
  { step: "ada erases", whole: false, offline: false },
];

/** What half of the visits begin with: an answer that is being written. */
const DRAFTED: Step[] = [
  { step: "vera writes", tab: 0 },
  { step: "all is quiet" },
  { step: "the ai does", deed: "drafts" },
];
const randomSteps = fc.array(steps, { minLength: 3, maxLength: MOST_STEPS, size: "max" });
const everyVisit = fc.oneof(
  randomSteps,
  randomSteps.map((taken) => [...DRAFTED, ...taken]),
);

const unlessErased = (error: unknown) => {
  if (!(error instanceof Refusal)) throw error;
};

let visits = 0;
const redis = await startRedis();
const { app, storage, team, clock, request } = await startTestApp({ TRUST_PROXY: "true", REDIS_URL: redis.url });
const origin = await app.start();
const drafts = openAiDrafts(redis.url);
afterAll(drafts.close);

test("whatever happens in a visit, every tab ends with what the service has: nothing lost, nothing doubled, the same order", async () => {
  const all: VisitCounts = {
    messages: 0,
    erased: 0,
    redacted: 0,
    filesErased: 0,
    byAi: 0,
    drafts: 0,
    draftsLate: 0,
    socketsOpened: 0,
    socketsBroken: 0,
    answersLost: 0,
  };
  await fc.assert(
    fc.asyncProperty(everyVisit, async (taken) => {
      const acme = await team();
      const ai = randomAi(await aiOf(app, acme), (of, text) => drafts.publish(acme.teamId, of, text));
      visits += 1;
      const service = {
        // Each Vera has her own address: the limit of new visitors per address is tested elsewhere.
        headers: { "x-forwarded-for": `10.0.${visits >> 8}.${visits & 255}` },
        origin: () => origin,
        widgetId: acme.widgetId,
        async rest(method: "POST" | "PUT" | "DELETE", path: string, body: object) {
          const { status } = await request(method, path, { headers: { "x-api-key": acme.apiKey }, body });
          expect(status).toBeLessThan(300);
        },
        // Ada may just have erased the conversation.
        ai: (deed: DeedOfAi, id: string, line: string) => ai(deed, id, line).catch(unlessErased),
        erasesFiles: () => eraseOldFiles({ app, storage }, acme.teamId),
        passes: () => clock.advance(1_000),
      };
      const happened = await visit(service, taken);
      for (const name of Object.keys(all) as (keyof VisitCounts)[]) all[name] += happened[name];
    }),
    { numRuns: VISITS, endOnFailure: true, examples: [[EVERYTHING]] },
  );
  // The premise: everything was tried; how often is random.
  for (const [name, count] of Object.entries(all)) expect(count, name).toBeGreaterThan(0);
});
