import { systemTimeouts } from "@frontdesk/server/timeouts";
import { heldTimeouts } from "@frontdesk/testing/held-timeouts";
import { type Persona, startScriptedModel, type VendorQuirks } from "@frontdesk/testing/scripted-model";
import { expect, onTestFinished, test } from "vitest";
import { createModelClients } from "./model-clients.ts";
import { connectionTo } from "./second-model.ts";
import { testModel } from "./test-connection.ts";

const CLOCK = { now: Date.now, steadyNow: Date.now, random: () => 0.5 };

/** @param persona `silent` and `drip`: the time passes as soon as such a server has the question */
async function tested(
  quirks: VendorQuirks = {},
  change: { model?: string; secondModel?: string; apiKey?: string; embeddingModel?: string } = {},
  persona: Persona = "honest",
) {
  const server = await startScriptedModel({ persona, quirks, apiKey: "sk-1", secondModel: "spare" });
  const held = persona === "honest" ? undefined : heldTimeouts();
  const timeouts = held ?? systemTimeouts;
  const clients = createModelClients({ ...CLOCK, allowedNetworks: ["127.0.0.0/8"], timeouts });
  onTestFinished(async () => {
    clients.close();
    await server.stop();
  });
  const connection = { ...{ baseUrl: server.url, model: "scripted", apiKey: "sk-1", embeddingModel: "" }, ...change };
  const second = connection.secondModel && clients.clientFor(connectionTo(connection, "second"));
  const asked = { connection, code: "violet-41-otter", ...(second && { second }) };
  const checks = testModel(clients.clientFor(connection), asked);
  if (held) {
    await expect.poll(() => server.requests.at(-1)?.path).toBe("/v1/chat/completions");
    held.advance(60_000);
  }
  return Object.fromEntries(
    (await checks).map(({ check, ok, message }) => [check, `${ok ? "ok" : "not"}: ${message}`]),
  );
}

test("a model that works is told so, check by check", async () => {
  const told = await tested({}, { embeddingModel: "use-lite-en" });
  expect(Object.keys(told)).toEqual(["reachable", "model", "streams", "context", "speed", "embeddings"]);
  expect(Object.values(told).filter((text) => !text.startsWith("ok: "))).toEqual([]);
  expect(told.embeddings).toContain("512 numbers");
  expect(Object.keys(await tested())).not.toContain("embeddings");
});

test("a wrong key, a wrong model and a server that is not there end it, each with what to do", async () => {
  expect(await tested({}, { apiKey: "sk-2" })).toEqual({
    reachable: expect.stringMatching(/^not: .*Check the API key\.$/),
  });
  const { model } = await tested({}, { model: "gpt-none" });
  expect(model).toMatch(/^not: .*Check the name of the model.*The server has: scripted, spare, use-lite-en\.$/);
  const { embeddings } = await tested({}, { embeddingModel: "none" });
  expect(embeddings).toMatch(/^not: The embedding model does not work/);
});

test("the second model is tried as well, also where the first one isn't there", async () => {
  const told = await tested({}, { secondModel: "spare" });
  expect(Object.keys(told)).toEqual(["reachable", "model", "streams", "context", "speed", "second-model"]);
  expect(told["second-model"]).toBe("ok: The model spare answers when the first one fails.");
  const neither = await tested({}, { model: "gpt-none", secondModel: "gpt-gone" });
  expect(neither.model).toMatch(/^not: /);
  expect(neither["second-model"]).toMatch(/^not: .*Check the name of the model/);
});

test("a server that cuts long requests is found out, by what it counts and by the beginning that is lost", async () => {
  const counted = await tested({ contextTokens: 4_096 });
  expect(counted.context).toBe(
    "not: The server reads only 4096 tokens of a long request. Give the model a context of at least 16000 tokens (Ollama: OLLAMA_CONTEXT_LENGTH), or choose another one.",
  );
  const silent = await tested({ contextTokens: 4_096, withoutUsage: true });
  expect(silent.context).toMatch(/^not: The model does not see the beginning/);
});

test("a server that does not stream works, and it is said", async () => {
  expect((await tested({ doesNotStream: true })).streams).toMatch(/^ok: .*in one piece/);
});

test.each(["silent", "drip"] as const)(
  "a server that takes the question and is too slow (%s) has been reached",
  async (persona) => {
    const told = await tested({}, {}, persona);
    expect(told.reachable).toBe("ok: The server answers.");
    expect(told.model).toMatch(/^not: The model server has not .* within \d+ seconds\. .*still being loaded/);
  },
);
