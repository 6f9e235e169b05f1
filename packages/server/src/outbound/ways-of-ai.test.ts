/** By a base URL, a website and a redirect of either no team reaches inside: every way to write where that is (B37). */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { sharedAuthority } from "@frontdesk/testing/certificates";
import { heldTimeouts } from "@frontdesk/testing/held-timeouts";
import { namesOf, startReceiver, status } from "@frontdesk/testing/https-receiver";
import { INNER_ADDRESSES, INNER_NAMES } from "@frontdesk/testing/inner-hosts";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { afterAll, beforeEach, expect, test } from "vitest";
import { checkBaseUrl, modelNetwork } from "../ai/model/base-url.ts";
import { createModelClients } from "../ai/model/model-clients.ts";
import { DocumentReader } from "../knowledge/documents/read-in-worker.ts";
import { addSite } from "../knowledge/site/add-site.ts";
import { fetchFromSite } from "../knowledge/site/fetch-from-site.ts";
import { listSites } from "../knowledge/site/list-sites.ts";
import { readSiteJob } from "../knowledge/site/read-site-job.ts";
import { createPerform } from "../perform.ts";
import { systemTimeouts } from "../timeouts.ts";
import { createOutbound } from "./outbound.ts";

/** Listens on every address of this machine; connections are counted. */
const machine = createServer((socket) => {
  connections += 1;
  socket.destroy();
});
let connections = 0;
machine.listen(0, "::");
await once(machine, "listening");
const { port } = machine.address() as AddressInfo;

const clock = { now: Date.now, steadyNow: Date.now, random: () => 0.5 };
const unasked = async (name: string) => {
  throw new Error(`${name} must not be looked up.`);
};
const clients = createModelClients({ ...clock, allowedNetworks: [], timeouts: systemTimeouts, lookup: unasked });
const outbound = createOutbound({ allowedNetworks: [], lookup: unasked });
/** The one server that is reached, and leads elsewhere. */
const authority = sharedAuthority();
const leading = await startReceiver({ authority });
const { lookup } = namesOf({ "receiver.test": ["127.0.0.1"] });
const open = { allowedNetworks: ["127.0.0.0/8"], extraCa: authority.ca, lookup };
const openClients = createModelClients({ ...clock, ...open, timeouts: systemTimeouts });
const openOutbound = createOutbound(open);
// The limits of its time are not reached, however busy the machine is.
const reader = new DocumentReader({ timeouts: heldTimeouts() });
const { storage, runtime, team } = await startTestApp();
afterAll(async () => {
  for (const each of [clients, outbound, openClients, openOutbound, machine]) each.close();
  await Promise.all([leading.close(), reader.close()]);
});
beforeEach(() => {
  connections = 0;
});

const HOSTS = [...INNER_ADDRESSES, ...INNER_NAMES];
const { signal } = new AbortController();
const connectionTo = (baseUrl: string) => ({ baseUrl, model: "m", apiKey: "sk-secret-1", embeddingModel: "e" });
const request = { messages: [{ role: "user", content: "Hello" }], maxTokens: 100 } as const;

test.each(HOSTS)("%s is neither saved as a base URL, nor connected to, by either scheme", async (host) => {
  const network = modelNetwork({ aiAllowedNetworks: [], ai: undefined });
  for (const scheme of ["https", "http"]) {
    const baseUrl = `${scheme}://${host}:${port}/v1`;
    expect(checkBaseUrl(baseUrl, network), baseUrl).toMatch(/^ai-base-url/);
    const client = clients.clientFor(connectionTo(baseUrl));
    const calls = [client.chat(request, { signal }), client.embed(["text"], signal), client.models(signal)];
    for (const call of await Promise.allSettled(calls))
      expect(call, baseUrl).toMatchObject({ reason: { kind: "blocked" } });
  }
  expect(connections).toBe(0);
});

// An address with http is read with https.
test.each(HOSTS)("%s is not read as a website", async (host) => {
  const address = new URL(`https://${host}:${port}/help/`).href;
  const given = await fetchFromSite(outbound.ask, { address, accept: "*/*", signal });
  expect(given).toEqual({ kind: "failed", problem: "blocked" });
  expect(connections).toBe(0);
});

test("nor is any of them reached by a redirect of a model server or a website, where even this machine is allowed", async () => {
  const client = openClients.clientFor(connectionTo(leading.url("/v1").href));
  for (const host of HOSTS) {
    leading.answers(status(307, { Location: encodeURI(`https://${host}:${port}/v1/chat/completions`) }));
    await expect(client.chat(request, { signal }), host).rejects.toMatchObject({ status: 307 });
  }
  const acme = await team();
  const perform = createPerform(storage, runtime, { news: () => {}, jobs: () => {} });
  const { id: siteId } = await perform(acme.actor, addSite, { address: leading.url("/help/").href });
  const links = HOSTS.map((host, at) => `<a href="https://${host}:${port}/help/x">x</a><a href="to${at}">to</a>`).join(
    " ",
  );
  leading.answers(({ request: { path }, ...exchange }) => {
    const [, at] = /^\/help\/to(\d+)$/.exec(path) ?? [];
    const answer =
      at !== undefined
        ? status(302, { Location: encodeURI(`https://${HOSTS[Number(at)]}:${port}/help/x`) })
        : path === "/help/"
          ? status(200, { "content-type": "text/html" }, `<title>Help</title><h1>Help</h1><p>In a box. ${links}`)
          : status(404);
    answer({ request: { path } as never, ...exchange });
  });
  leading.received.length = 0;
  const pace = { turn: async () => {} };
  const read = readSiteJob({ perform: () => perform, ask: openOutbound.ask, reader, pace });
  await read({ siteId }, { teamId: acme.teamId, id: siteId, cause: null, signal });
  expect(await perform(acme.actor, listSites, {})).toMatchObject([{ site: { state: "read" }, pages: 1 }]);
  expect(leading.received.filter(({ path }) => path.startsWith("/help/to"))).toHaveLength(HOSTS.length);
  expect(connections).toBe(0);
});
