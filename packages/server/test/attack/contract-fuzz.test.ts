/** Reference row 47, in small; `npm run fuzz` is the whole of it. */
import { inDepth } from "@frontdesk/testing/depth";
import { startScriptedModel } from "@frontdesk/testing/scripted-model";
import { afterAll, expect, test } from "vitest";
import { fuzz } from "../../fuzz/fuzz.ts";
import { newServerProcess } from "./server-process.ts";

const REQUESTS = inDepth(1_000, 3_000);
/** The same requests in every ordinary run; `npm run fuzz` takes a new seed each time. */
const SEED = 20_261_128;

/** They do something with mails that came or could not be sent, which no request makes. */
const NEED_MAILS: ReadonlySet<string> = new Set(["sendMessageAgain", "getMessageOriginal", "deleteSuppression"]);

const model = await startScriptedModel();
afterAll(model.stop);
const server = await newServerProcess(
  process.env.TEST_ENGINE === "postgres" ? process.env.TEST_POSTGRES_URL : undefined,
  { AI_BASE_URL: model.url, AI_MODEL: "scripted" },
);
afterAll(() => server.remove());

test("whatever is asked, every answer is one that the document describes, and the data stays in order", async () => {
  const team = await server.team("Acme");
  await server.start();
  const report = await fuzz(server, team, { seed: SEED, requests: REQUESTS });
  expect(report.failures.join("\n\n")).toBe("");

  // The premise: requests reach deep, and operations are also refused something; with enough requests, every one.
  const statuses = Object.entries(report.answers).map(([operation, answers]) => ({
    operation,
    done: Object.keys(answers).some((status) => status.startsWith("2")),
    refused: Object.keys(answers).some((status) => status.startsWith("4")),
  }));
  const missed = statuses
    .filter(({ operation, done, refused }) => !(done || NEED_MAILS.has(operation)) || !refused)
    .map(({ operation }) => operation);
  expect(missed.length, missed.join()).toBeLessThanOrEqual(inDepth(statuses.length / 4, 0));
});
