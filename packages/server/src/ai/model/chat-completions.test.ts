/** What servers answer, in the forms of twelve vendors (B36), and what they refuse of a request. */
import { readdirSync, readFileSync } from "node:fs";
import { systemTimeouts } from "@frontdesk/server/timeouts";
import { startScriptedModel, type VendorQuirks } from "@frontdesk/testing/scripted-model";
import { describe, expect, onTestFinished, test } from "vitest";
import { answerReader, LINE_MAX } from "./answer-reader.ts";
import { createModelClients } from "./model-clients.ts";

const CLOCK = { now: Date.now, steadyNow: Date.now, random: () => 0.5 };

const FOLDER = new URL("vendor-transcripts/", import.meta.url);
const ANSWER = "Rückgaben sind 30 Tage möglich — ohne Gebühr 👍 [1].";
const UNTOLD = new Set(["llama-cpp.txt", "lm-studio.txt"]);
const VENDORS = readdirSync(FOLDER);

function readIn(pieces: readonly Uint8Array[]) {
  let shown = "";
  const reader = answerReader({
    onText: (piece) => {
      shown += piece;
    },
  });
  for (const piece of pieces) if (reader.take(piece) === "enough") break;
  return { ...reader.end(), shown };
}

const readText = (text: string) => readIn([Buffer.from(text)]);
const chunk = (delta: object, more: object = {}) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null, ...more }] })}\n\n`;

test("the transcripts of twelve vendors are here", () => {
  expect(VENDORS).toHaveLength(12);
});

describe.each(VENDORS)("%s", (file) => {
  const bytes = readFileSync(new URL(file, FOLDER));
  const whole = {
    ...{ text: ANSWER, hasEnd: true, error: null, garbage: null, refused: false, streamed: true },
    usage: UNTOLD.has(file) ? null : { tokensIn: 812, tokensOut: 41 },
  };

  test("is read whole", () => expect(readIn([bytes])).toMatchObject(whole));

  test("is read the same with other ends of lines", () => {
    expect(readText(bytes.toString().replaceAll("\n", "\r\n"))).toMatchObject(whole);
  });

  test("is read the same, split at each byte", () => {
    for (let at = 0; at <= bytes.length; at += 1)
      expect(readIn([bytes.subarray(0, at), bytes.subarray(at)]), `at ${at}`).toMatchObject(whole);
    expect(readIn([...bytes].map((byte) => Buffer.of(byte)))).toMatchObject(whole);
  });

  test("is no whole answer where its end is missing", () => {
    const text = bytes.toString();
    const end = Math.min(
      ...['"finish_reason":"stop"', "[DONE]"].map((mark) => text.indexOf(mark)).filter((at) => at > 0),
    );
    for (let at = 1; at < end; at += 7) expect(readText(text.slice(0, at)).hasEnd, `at ${at}`).toBe(false);
  });
});

describe("an answer", () => {
  test("shows no thinking, whole or in pieces", () => {
    const [open, closed] = ["<think>secret</think>Yes.", "secret</think>Yes."];
    for (const text of [open, closed, `<THINKING>secret</THINKING>\nYes.`]) {
      const split = [...text].map((character) => chunk({ content: character })).join("");
      expect(readText(`${split}data: [DONE]\n\n`).text).toBe("Yes.");
    }
    expect(readText(`${chunk({ content: "<think>secret" })}data: [DONE]\n\n`)).toMatchObject({ text: "", shown: "" });
    const known = answerReader({ beginsThinking: true, onText: (piece) => expect(piece).not.toContain("secret") });
    known.take(Buffer.from(`${chunk({ content: "secret " })}${chunk({ content: "</think>Yes." })}data: [DONE]\n\n`));
    expect(known.end().text).toBe("Yes.");
  });

  test("with any number of tags is gone through once", () => {
    const tags = "</think>".repeat(200_000);
    expect(readText(JSON.stringify({ choices: [{ message: { content: `${tags}Yes.` } }] })).text).toBe("Yes.");
  });

  test("that is longer than it may be is read no further, and no more of it is shown", () => {
    let shown = "";
    const reader = answerReader({
      textMax: 10,
      onText: (piece) => {
        shown += piece;
      },
    });
    const takes = ["12345", "67890", "1", "2"].map((content) => reader.take(Buffer.from(chunk({ content }))));
    expect(takes).toEqual(["more", "more", "enough", "enough"]);
    expect(shown).toBe("1234567890");
    expect(reader.end().isTooLong).toBe(true);
  });

  test("may hold signs that only seem to begin a tag", () => {
    const text = "1 < 2 <b> </thin";
    expect(readText(`${chunk({ content: text })}data: [DONE]\n\n`)).toMatchObject({ text, shown: text });
  });

  test.each([
    [`data: {"error":{"message":"overloaded","code":529}}\n\n`, { message: "overloaded", code: "529" }],
    [`event: error\ndata: {"error":"no memory"}\n\n`, { message: "no memory", code: "" }],
    [`error: {"code":500,"message":"context full"}\n\n`, { message: "context full", code: "500" }],
    [`data: {"object":"error","message":"too long","code":400}\n\n`, { message: "too long", code: "400" }],
    [`{"error":{"message":"quota","type":"rate_limit"}}`, { message: "quota", code: "rate_limit" }],
  ])("tells of an error: %s", (text, error) => {
    expect(readText(`${text.startsWith("{") ? "" : chunk({ content: "Yes" })}${text}`)).toMatchObject({ error });
  });

  test("is garbage without an event, with one that is no JSON, and with a line without an end", () => {
    for (const text of [
      "<html>Welcome</html>\n\n",
      "data: {nothing\n\n",
      `data: ${"x".repeat(LINE_MAX + 1)}`,
      "{}",
      "{",
    ])
      expect(readText(text).garbage, text.slice(0, 30)).not.toBeNull();
  });
});

describe("a server", () => {
  const connection = { model: "scripted", apiKey: "", embeddingModel: "use-lite-en" };
  const request = { messages: [{ role: "user", content: "Hello" }], maxTokens: 100, temperature: 0.2 } as const;

  async function scene(quirks: VendorQuirks = {}) {
    const server = await startScriptedModel({ quirks });
    const clients = createModelClients({ ...CLOCK, allowedNetworks: ["127.0.0.0/8"], timeouts: systemTimeouts });
    onTestFinished(async () => {
      clients.close();
      await server.stop();
    });
    return { server, client: clients.clientFor({ ...connection, baseUrl: server.url }) };
  }

  test("that refuses a field is asked without it, and so from then on", async () => {
    const { server, client } = await scene({ refusesMaxTokens: true, refusesTemperature: true });
    for (let time = 0; time < 2; time += 1) await client.chat(request);
    expect(server.requests.map(({ body }) => Object.keys(body).filter((key) => /max|temp/.test(key)))).toEqual([
      ["max_tokens", "temperature"],
      ["max_completion_tokens", "temperature"],
      ["max_completion_tokens"],
      ["max_completion_tokens"],
    ]);
  });

  test.each<VendorQuirks>([
    {},
    { doesNotStream: true },
    { crlf: true, comments: true, byteByByte: true },
    { withoutDone: true, withoutUsage: true },
    { finish: "" },
    { finish: null },
    { thinks: "block" },
    { thinks: "unopened" },
    { thinks: "field" },
  ])("with the quirks %j is understood", async (quirks) => {
    const { server, client } = await scene(quirks);
    server.answerNext("ANSWER\nÄpfel kosten 2 € [1].");
    const end = await client.chat(request);
    expect(end).toMatchObject({
      ...{ text: "ANSWER\nÄpfel kosten 2 € [1].", finish: "stop", streamed: !quirks.doesNotStream },
      ...{ tokensFrom: quirks.withoutUsage ? "estimate" : "server", request: server.requests[0]?.raw },
    });
    expect(end.tokensIn).toBeGreaterThan(0);
  });

  test("gives vectors in the order of the texts, and near ones for what means the same", async () => {
    const { client } = await scene();
    const texts = ["How do I get my money back?", "What is the refund policy?", "It rains."];
    const vectors = await client.embed([...texts, ...Array.from({ length: 20 }, (_, at) => `text ${at}`)]);
    expect(vectors.map(({ length }) => length)).toEqual(Array(23).fill(512));
    const [money, refund, rain] = vectors as [Float32Array, Float32Array, Float32Array];
    const likeness = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
    expect(likeness(money, refund)).toBeGreaterThan(likeness(money, rain) + 0.3);
    expect(await client.models()).toEqual(["scripted", "use-lite-en"]);
  });
});
