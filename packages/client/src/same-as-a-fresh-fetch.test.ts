/** The proof of the live stream: what was there and the events make what a fresh fetch shows (issue 6, "The live stream"). */

import { startTestApp } from "@frontdesk/testing/test-kit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Happened, steps, visit } from "./visit-for-tests.ts";

const VISITS = 40;
const MOST_STEPS = 40;

let visits = 0;
const { app, team, clock, request } = await startTestApp({ TRUST_PROXY: "true" });
const origin = await app.start();

test("whatever happens in a visit, every tab ends with what the service has: nothing lost, nothing doubled, the same order", async () => {
  const all: Happened = { messages: 0, socketsOpened: 0, socketsBroken: 0, answersLost: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 3, maxLength: MOST_STEPS, size: "max" }), async (taken) => {
      const acme = await team();
      visits += 1;
      const place = {
        // Each Vera is somewhere else: how many may write for the first time from one address is another question.
        headers: { "x-forwarded-for": `10.0.${visits >> 8}.${visits & 255}` },
        origin: () => origin,
        widgetId: acme.widgetId,
        async rest(method: "POST" | "PUT", path: string, body: object) {
          const { status } = await request(method, path, { headers: { "x-api-key": acme.apiKey }, body });
          expect(status).toBeLessThan(300);
        },
        passes: () => clock.advance(1_000),
      };
      const happened = await visit(place, taken);
      for (const name of Object.keys(all) as (keyof Happened)[]) all[name] += happened[name];
    }),
    { numRuns: VISITS },
  );
  // It has tried what it speaks of; how often is chance.
  for (const count of Object.values(all)) expect(count).toBeGreaterThan(VISITS / 10);
});
