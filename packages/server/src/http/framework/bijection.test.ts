/** Invariant 8: the catalogues are the APIs, no less and no more. */
import { type RestOperation, rest, successStatus } from "@frontdesk/core/contract";
import { apis, type HttpApi } from "@frontdesk/core/contract/apis";
import { delivery, ids } from "@frontdesk/core/contract/examples";
import { SESSION_PREFIX } from "@frontdesk/core/contract/session";
import { problemsOf } from "@frontdesk/testing/ajv";
import { robinAtWork } from "@frontdesk/testing/assistant-at-work";
import { failsToSend, isAMail, mailboxOf, runOf } from "@frontdesk/testing/furnished-team";
import { startScriptedModel } from "@frontdesk/testing/scripted-model";
import { servedRoutes } from "@frontdesk/testing/served-routes";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { afterAll, describe, expect, test } from "vitest";

const model = await startScriptedModel();
afterAll(model.stop);
const { app, storage, dataDir, team, request } = await startTestApp({ AI_BASE_URL: model.url, AI_MODEL: "scripted" });
const operations: readonly RestOperation[] = Object.values(rest);
type Schema = Parameters<typeof problemsOf>[0];

/** Without HEAD, which every GET route has as well. */
const served = servedRoutes(app.http)
  .map(({ method, url }) => `${method} ${url}`)
  .filter((route) => !route.startsWith("HEAD "));

/** The routes that serve the catalogue of an API. */
const routesOf = ({ prefix, operations }: HttpApi) =>
  Object.values(operations).map(({ method, path }) => `${method} ${prefix}${path}`.replaceAll(/\{(\w+)\}/g, ":$1"));

test.each(Object.entries<HttpApi>(apis))("every operation of the API %s has its route", (_name, api) => {
  const catalogue = routesOf(api);
  expect(catalogue.length).toBeGreaterThan(5);
  expect(catalogue.filter((route) => !served.includes(route))).toEqual([]);
});

test("every route below the prefix of an API is in a catalogue, and in one alone", () => {
  const roots = new Set(Object.values(apis).map(({ prefix }) => /^\/\w+/.exec(prefix)?.[0]));
  // Of `/app` only the API: the rest is the dashboard's pages.
  const isOfAnApi = (route: string) =>
    [...roots].some((root) => route.includes(root === "/app" ? ` ${SESSION_PREFIX}/` : ` ${root}/`));
  const expected = Object.values<HttpApi>(apis).flatMap(routesOf);
  const document = `GET ${apis.rest.prefix}/openapi.json`;
  expect(served.filter(isOfAnApi).toSorted()).toEqual([...expected, document].toSorted());
  expect(served).toContain("GET /health/live");
});

test("the document that describes the API lists exactly the same", async () => {
  const { status, body } = await request("GET", "/openapi.json");
  expect(status).toBe(200);
  const listed = Object.entries(body.paths as Record<string, object>).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((key) => /^(get|post|put|patch|delete)$/.test(key))
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(listed.toSorted()).toEqual(operations.map(({ method, path }) => `${method} ${path}`).toSorted());
});

describe("the example of each operation, driven", () => {
  test.each(operations.map((operation) => [operation.id, operation] as const))(
    "%s answers what the catalogue says, and no other key",
    async (_id, operation) => {
      // What changes something gets a team of its own. It takes no erasure and no export, which go on in the background.
      const acme = operation.method === "GET" ? await readTeam() : await furnished();
      const { params, query, body } = withRealIds(acme.real, operation.example);
      const path = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name) => params?.[name] ?? "");
      const search = new URLSearchParams(query).toString();
      const answer = await request(operation.method, search ? `${path}?${search}` : path, {
        headers: { "x-api-key": acme.apiKey },
        ...(body !== undefined && { body }),
        ...(operation.content && { body: "content" }),
      });

      expect({ status: answer.status, body: answer.body }).toMatchObject({ status: successStatus(operation) });
      const schema = operation.responses[successStatus(operation)]?.body as Schema;
      expect(problemsOf(closed(schema), answer.body)).toEqual([]);
      if (operation.id.startsWith("list")) expect(answer.body.data).not.toEqual([]);
    },
  );

  test("and a key too many is noticed", () => {
    const { example, responses } = rest.getContact;
    expect(problemsOf(closed(responses[200].body), { ...example.response, secret: 1 })).not.toEqual([]);
    const inside = { data: { ...example.response.data, attributes: { ...example.response.data.attributes, x: 1 } } };
    expect(problemsOf(closed(responses[200].body), inside)).not.toEqual([]);
  });
});

interface Driven {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: object;
}

interface Furnished extends TestTeam {
  /** The ids of the examples, and those that exist. */
  real: Record<string, string>;
}

/** A team with Vera, her conversation, its message, a subscription, an assistant and an article. */
async function furnished(): Promise<Furnished> {
  const acme = await team();
  const { body: contact } = await acme.post("/contacts/initialize", {
    ...rest.initializeContact.example.body,
    widgetId: acme.widgetId,
  });
  const conversations = await acme.get("/conversations/all");
  const { body: webhook } = await acme.post("/webhooks", rest.createWebhook.example.body);
  const { body: tested } = await acme.post(`/webhooks/${webhook.data.id}/test`);
  await acme.post(`/webhooks/${webhook.data.id}/rotate`);
  const robin = await robinAtWork({ app }, acme);
  const conversation = `/conversations/${conversations.body.data[0].id}`;
  await acme.post(`${conversation}/tags`, rest.addTag.example.body);
  await acme.post(`${conversation}/assignments`, { agent_id: acme.ada.id });
  await acme.put(`/contacts/${contact.data.id}/custom-data/plan`, rest.setCustomData.example.body);
  const { body: article } = await acme.post("/articles", rest.createArticle.example.body);
  const { body: messages } = await acme.get(`${conversation}/messages`);
  const { body: sent } = await acme.post("/messages", {
    ...rest.createMessage.example.body,
    conversation_id: conversations.body.data[0].id,
    agent_id: acme.ada.id,
  });
  const channel = await mailboxOf({ storage }, acme);
  await failsToSend({ storage }, acme, { messageId: sent.data.id, channelId: channel });
  const original = { messageId: sent.data.id, conversationId: conversations.body.data[0].id, channelId: channel };
  await isAMail({ storage, dataDir }, acme, original, rest.getMessageOriginal.example.response);
  const about = { conversationId: conversations.body.data[0].id, contactId: contact.data.id };
  const real = {
    [ids.aiRun]: await runOf({ storage }, acme, about),
    [ids.widget]: acme.widgetId,
    [ids.channel]: channel,
    [ids.reply]: sent.data.id,
    [ids.vera]: contact.data.id,
    [ids.conversation]: conversations.body.data[0].id,
    [ids.ada]: acme.ada.id,
    [ids.webhook]: webhook.data.id,
    [delivery.id]: tested.data.id,
    [ids.assistant]: robin.id,
    [ids.article]: article.data.id,
    [ids.message]: messages.data[0].id,
    "ada@acme.example": acme.ada.email,
  };
  return { ...acme, real };
}

let forReads: Promise<Furnished> | undefined;

/** The team of all operations that only read, with an erasure and an export besides. */
function readTeam(): Promise<Furnished> {
  forReads ??= furnished().then(async (acme) => {
    const { body: exported } = await acme.post(`/contacts/${acme.real[ids.vera]}/export`);
    const { body: otto } = await acme.post("/contacts/initialize", { widgetId: acme.widgetId, name: "Otto" });
    const { body: erasure } = await acme.delete(`/contacts/${otto.data.id}`);
    return { ...acme, real: { ...acme.real, [ids.export]: exported.data.id, [ids.erasure]: erasure.data.id } };
  });
  return forReads;
}

/** The example with ids that exist. */
function withRealIds(real: Furnished["real"], { params, query, body }: RestOperation["example"]): Driven {
  const text = JSON.stringify({ params, query, body });
  return JSON.parse(Object.entries(real).reduce((sofar, [from, to]) => sofar.replaceAll(from, to), text));
}

/** The schema with no key allowed that it does not list. */
function closed(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (_key, inner) =>
    inner !== null && typeof inner === "object" && "properties" in inner && "type" in inner
      ? { ...inner, additionalProperties: false }
      : inner,
  );
}
