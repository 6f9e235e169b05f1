/**
 * Subscribers verify and parse the bytes of a payload, so they must change only on purpose: `snapshots/payloads.txt` holds one
 * line a payload.
 */

import { everyFact } from "@frontdesk/testing/event-facts";
import { expect, test } from "vitest";
import { presentEvent } from "./present-event.ts";

test("the payload of every event is the same to the byte as in its snapshot", async () => {
  const lines = everyFact.map((facts) => `${facts.name} ${JSON.stringify(presentEvent(facts))}\n`);
  await expect(lines.join("")).toMatchFileSnapshot("snapshots/payloads.txt");
});
