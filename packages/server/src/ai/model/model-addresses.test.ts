/** No team reaches inside by its base URL, by a name or by a redirect (B37). */
import { systemTimeouts } from "@frontdesk/server/timeouts";
import { sharedAuthority } from "@frontdesk/testing/certificates";
import { namesOf, startReceiver, status } from "@frontdesk/testing/https-receiver";
import { startScriptedModel } from "@frontdesk/testing/scripted-model";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createModelClients } from "./model-clients.ts";

const CLOCK = { now: Date.now, steadyNow: Date.now, random: () => 0.5 };

const server = await startScriptedModel();
const { port } = new URL(server.url);
afterAll(() => server.stop());
const names = namesOf({
  "inside.example": ["127.0.0.1"],
  "mixed.example": ["8.8.8.8", "127.0.0.1"],
  "public.example": ["8.8.8.8"],
  "receiver.test": ["127.0.0.1"],
});
const request = { messages: [{ role: "user", content: "Hello" }], maxTokens: 100 } as const;

function clientAt(baseUrl: string, options: Partial<Parameters<typeof createModelClients>[0]> = {}) {
  const clients = createModelClients({
    ...CLOCK,
    ...{ allowedNetworks: [], timeouts: systemTimeouts, lookup: names.lookup },
    ...options,
  });
  onTestFinished(() => clients.close());
  return clients.clientFor({ baseUrl, model: "scripted", apiKey: "sk-secret-1", embeddingModel: "use-lite-en" });
}

const blocked = { kind: "blocked", status: null };

test.each([
  ...[
    `http://127.0.0.1:${port}/v1`,
    `https://127.0.0.1:${port}/v1`,
    `http://2130706433:${port}`,
    `http://0x7f.1:${port}`,
  ],
  ...[`http://[::1]:${port}`, `http://[::ffff:127.0.0.1]:${port}`, "http://169.254.169.254", "https://10.0.0.1"],
  ...[`http://localhost:${port}/v1`, `http://inside.example:${port}/v1`, `https://mixed.example:${port}/v1`],
  ...["http://ollama:11434/v1", "https://metadata.google.internal", "http://8.8.8.8/v1", "http://public.example/v1"],
])("%s is not connected to where nothing is listed", async (baseUrl) => {
  const client = clientAt(baseUrl);
  await expect(client.chat(request)).rejects.toMatchObject(blocked);
  await expect(client.embed(["text"])).rejects.toMatchObject(blocked);
  await expect(client.models()).rejects.toMatchObject(blocked);
  expect(server.requests).toEqual([]);
});

test("where this machine is listed it is reached, also by name; without TLS nothing public is", async () => {
  const allowedNetworks = ["127.0.0.0/8"];
  for (const host of ["127.0.0.1", "localhost", "inside.example"])
    await clientAt(`http://${host}:${port}/v1`, { allowedNetworks }).chat(request);
  expect(server.requests.splice(0)).toHaveLength(3);
  for (const host of ["8.8.8.8", "public.example", "mixed.example"])
    await expect(clientAt(`http://${host}:${port}/v1`, { allowedNetworks }).chat(request)).rejects.toMatchObject(
      blocked,
    );
});

test("the server that the operator has named is reached, and nothing else of its machine", async () => {
  const operatorBaseUrl = server.url;
  await clientAt(server.url, { operatorBaseUrl }).chat(request);
  expect(server.requests.splice(0)).toHaveLength(1);
  const other = await startScriptedModel();
  onTestFinished(() => other.stop());
  await expect(clientAt(other.url, { operatorBaseUrl }).chat(request)).rejects.toMatchObject(blocked);
  expect(other.requests).toEqual([]);
});

test("a redirect is not followed, and the key goes nowhere else", async () => {
  const authority = sharedAuthority();
  const receiver = await startReceiver({ authority });
  onTestFinished(() => receiver.close());
  const client = clientAt(receiver.url("/v1").href, { allowedNetworks: ["127.0.0.0/8"], extraCa: authority.ca });
  for (const code of [301, 302, 303, 307, 308]) {
    receiver.answers(status(code, { Location: `${server.url}/chat/completions` }));
    await expect(client.chat(request)).rejects.toMatchObject({ kind: "garbage", status: code });
  }
  expect(receiver.received.map(({ path }) => path)).toEqual(Array(5).fill("/v1/chat/completions"));
  expect(server.requests).toEqual([]);
});

test("a certificate that is not trusted ends it before anything is sent", async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const client = clientAt(receiver.url("/v1").href, { allowedNetworks: ["127.0.0.0/8"] });
  await expect(client.chat(request)).rejects.toMatchObject({ kind: "unreachable", status: null });
  expect(receiver.received).toEqual([]);
});
