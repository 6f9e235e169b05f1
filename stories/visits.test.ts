/** The visitor's client against the whole service, on both engines, while the service is killed at times. */

import { inDepth } from "@frontdesk/testing/depth";
import { enginesOf } from "@frontdesk/testing/installation";
import fc from "fast-check";
import { expect, inject, onTestFinished, test } from "vitest";
import { type Step, steps, visit } from "../packages/client/src/visit-for-tests.ts";
import { newServerProcess } from "../packages/server/test/attack/server-process.ts";

/** Below the limit of new visitors per address and minute. */
const VISITS = inDepth(1, 5);
const MOST_STEPS = 30;

const crash: fc.Arbitrary<Step> = fc.record({ step: fc.constant("the service crashes" as const) });
/** In `npm test` only the one that is in each visit. */
const stepsAndCrashes = fc.oneof({ weight: 16, arbitrary: steps }, { weight: inDepth(0, 1), arbitrary: crash });
/** In each visit, in any case: a disconnect, and a kill of the server, while both tabs listen. */
const withCrash = (taken: Step[]): Step[] => {
  const middle = Math.floor(taken.length / 2);
  const killed: Step[] = [
    { step: "vera writes", tab: 0 },
    { step: "all is quiet" },
    { step: "a socket breaks" },
    { step: "all is quiet" },
    { step: "the service crashes" },
  ];
  return [...taken.slice(0, middle), ...killed, ...taken.slice(middle)];
};

test.each(enginesOf("sqlite"))(
  "whatever happens in a visit, and when the server is killed, nothing is lost or doubled, and the order is the same (%s)",
  async (engine) => {
    const server = await newServerProcess(engine === "postgres" ? inject("postgresUrl") : undefined);
    onTestFinished(() => server.remove());
    const acme = await server.team("Acme");
    await server.start();
    const happened = { crashes: 0, messages: 0, socketsBroken: 0 };
    const place = {
      origin: () => server.origin,
      widgetId: acme.widgetId,
      headers: {},
      async rest(method: "POST" | "PUT" | "DELETE", path: string, body: object) {
        const headers = { "x-api-key": acme.apiKey, "content-type": "application/json" };
        const { status } = await fetch(`${server.origin}/api/v1${path}`, {
          method,
          headers,
          body: JSON.stringify(body),
        });
        expect(status).toBeLessThan(300);
      },
      async dies() {
        happened.crashes += 1;
        await server.kill();
      },
      async comesBack() {
        await server.start();
      },
    };
    const visits = fc.array(stepsAndCrashes, { minLength: MOST_STEPS / 2, maxLength: MOST_STEPS, size: "max" });
    await fc.assert(
      fc.asyncProperty(visits, async (taken) => {
        const { messages, socketsBroken } = await visit(place, withCrash(taken));
        happened.messages += messages;
        happened.socketsBroken += socketsBroken;
      }),
      { numRuns: VISITS, endOnFailure: true },
    );
    for (const count of Object.values(happened)) expect(count).toBeGreaterThan(0);
  },
);
