import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { rest } from "@frontdesk/core/contract/rest";
import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, test } from "vitest";
import { type ClientOptions, createClient } from "./create-client.ts";
import { eachItem } from "./each-item.ts";
import { FrontdeskError } from "./frontdesk-error.ts";

interface Seen {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A real service on loopback with scripted answers, one per request. */
let seen: Seen[];
let script: ((response: ServerResponse) => void)[];
let waits: number[];
let origin: string;
const server = createServer(async (request, response) => {
  let body = "";
  for await (const piece of request.setEncoding("utf8")) body += piece;
  seen.push({ method: String(request.method), url: String(request.url), headers: request.headers, body });
  const next = script.shift();
  if (next === undefined) response.writeHead(599).end();
  else next(response);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  seen = [];
  script = [];
  waits = [];
});

const answers =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
  };
const hangsUp = (response: ServerResponse) => response.destroy();

function client(options: Partial<ClientOptions> = {}) {
  const wait = async (milliseconds: number) => void waits.push(milliseconds);
  return createClient({ baseUrl: `${origin}/api/v1/`, apiKey: "fd_test", wait, ...options });
}

const { example } = rest.createMessage;
const reply = { body: { conversation_id: example.body.conversation_id, content: "Hello" } };

describe("a call", () => {
  test("sends the key, the path, the query and the body, and gives the answer", async () => {
    script = [answers(200, rest.listMessages.example.response)];
    const answer = await client().listMessages({
      params: { conversation_id: "a/b ?" },
      query: { limit: 5, search: "ä&b" },
    });
    expect(answer).toEqual(rest.listMessages.example.response);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      method: "GET",
      url: "/api/v1/conversations/a%2Fb%20%3F/messages?limit=5&search=%C3%A4%26b",
      headers: { "x-api-key": "fd_test", accept: "application/json" },
    });
    expect(seen[0]?.headers["idempotency-key"]).toBeUndefined();
  });

  test("sends a body as JSON", async () => {
    script = [answers(201, example.response)];
    const body = { ...reply.body, attachments: [{ url: "https://files.acme.example/a.png", size: null }] };
    const { data } = await client().createMessage({ body });
    expect(data.attributes.agent?.name).toBe("Ada");
    expect(JSON.parse(seen[0]?.body ?? "")).toEqual(body);
    expect(seen[0]?.headers["content-type"]).toBe("application/json");
  });

  test("sends the content of a file as it is", async () => {
    script = [answers(201, rest.uploadFile.example.response)];
    const { data } = await client().uploadFile({ query: { name: "a b.txt" }, content: new Blob(["hello"]) });
    expect(data.attributes.name).toBe("shipping.pdf");
    expect(seen[0]).toMatchObject({ method: "POST", url: "/api/v1/files?name=a+b.txt", body: "hello" });
    expect(seen[0]?.headers["content-type"]).toBeUndefined();
  });

  test("gives the content of a file as it is", async () => {
    script = [answers(200, "\u00ff\u0000 mail"), answers(404, { message: "Message not found." })];
    const bytes = await client().getMessageOriginal({ params: { id: "m" } });
    expect(bytes).toEqual(new TextEncoder().encode(JSON.stringify("\u00ff\u0000 mail")));
    expect(seen[0]).toMatchObject({ url: "/api/v1/messages/m/original", headers: { accept: "*/*" } });
    expectTypeOf(bytes).toEqualTypeOf<Uint8Array<ArrayBuffer>>();
    await expect(client().getMessageOriginal({ params: { id: "m" } })).rejects.toThrow("Message not found.");
  });

  test.each(["", ".", ".."])("never addresses another operation: the id %j is refused", async (id) => {
    await expect(client().getContact({ params: { id } })).rejects.toThrow(TypeError);
    expect(seen).toEqual([]);
  });

  test("has a method for every operation of the contract", () => {
    expect(Object.keys(client())).toEqual(Object.keys(rest));
  });

  test("is typed by the contract", () => {
    const { getContact, listWidgets, listContacts, deleteWebhook } = client();
    expectTypeOf(getContact).toBeCallableWith({ params: { id: "x" } });
    expectTypeOf(listWidgets).toBeCallableWith();
    expectTypeOf(listContacts).toBeCallableWith({ query: { limit: 3 } });
    // @ts-expect-error a contact needs its id
    void (() => getContact());
    // @ts-expect-error a removal takes no body
    void (() => deleteWebhook({ params: { webhook: "x" }, body: {} }));
    expectTypeOf<Awaited<ReturnType<typeof getContact>>["data"]["attributes"]["email"]>().toEqualTypeOf<
      string | null
    >();
  });
});

describe("an error", () => {
  test("carries status, message, fields, the wait and the request id", async () => {
    const errors = { content: ["Must not be empty."] };
    script = [answers(422, { message: "Some fields are invalid.", errors }, { "X-Request-Id": "req-1" })];
    const error = await client()
      .createMessage(reply)
      .catch((reason) => reason);
    expect(error).toBeInstanceOf(FrontdeskError);
    expect(error).toMatchObject({ status: 422, message: "Some fields are invalid.", errors, requestId: "req-1" });
    expect(seen).toHaveLength(1);
  });

  test("of a proxy without JSON still has the status", async () => {
    script = [(response) => response.writeHead(404, { "Content-Type": "text/html" }).end("<h1>Not here</h1>")];
    await expect(client().listWidgets()).rejects.toMatchObject({ status: 404, message: "The service answered 404." });
  });

  test("says when the address is not the service's", async () => {
    script = [(response) => response.writeHead(200, { "Content-Type": "text/html" }).end("<h1>Hello</h1>")];
    await expect(client().listWidgets()).rejects.toThrow("The answer is not JSON.");
  });

  test("a redirect is not followed, so that the key stays with the service", async () => {
    script = [(response) => response.writeHead(307, { Location: `${origin}/elsewhere` }).end()];
    await expect(client({ retries: 0 }).listWidgets()).rejects.toMatchObject({ status: 0 });
    expect(seen).toHaveLength(1);
  });
});

describe("sending again", () => {
  test("a POST that creates is repeated with the same idempotency key and the same body", async () => {
    script = [hangsUp, answers(503, { message: "Later." }, { "Retry-After": "2" }), answers(201, example.response)];
    await client().createMessage(reply);
    expect(seen).toHaveLength(3);
    const keys = new Set(seen.map(({ headers }) => headers["idempotency-key"]));
    expect([...keys][0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys.size).toBe(1);
    expect(new Set(seen.map(({ body }) => body)).size).toBe(1);
    expect(waits[0]).toBeGreaterThanOrEqual(500);
    expect(waits[0]).toBeLessThanOrEqual(750);
    expect(waits[1]).toBe(2000);
  });

  test("two calls have two keys, and your own key is kept", async () => {
    script = [1, 2, 3].map(() => answers(201, example.response));
    await client().createMessage(reply);
    await client().createMessage(reply);
    await client().createMessage({ ...reply, idempotencyKey: "order-1042" });
    const keys = seen.map(({ headers }) => headers["idempotency-key"]);
    expect(keys[0]).not.toBe(keys[1]);
    expect(keys[2]).toBe("order-1042");
  });

  test("a POST without a key is not repeated when it may have been done", async () => {
    script = [hangsUp];
    const call = client().setConversationStatus({ params: { conversation_id: "c" }, body: { status: "resolved" } });
    await expect(call).rejects.toMatchObject({ status: 0, message: "The service could not be reached." });
    expect(seen).toHaveLength(1);
  });

  test("after 429 everything is repeated, for nothing was done", async () => {
    script = [
      answers(429, { message: "Slow down." }, { "Retry-After": "7" }),
      answers(200, { message: "ok", mock: false }),
    ];
    await client().deleteWebhook({ params: { webhook: "w" } });
    expect(waits).toEqual([7000]);
  });

  test("ends after the retries, with the last error", async () => {
    script = Array(3).fill(answers(503, { message: "Later." }));
    await expect(client({ retries: 2 }).listWidgets()).rejects.toMatchObject({ status: 503, message: "Later." });
    expect(seen).toHaveLength(3);
  });

  test("can be turned off", async () => {
    script = [answers(503, { message: "Later." }, { "Retry-After": "2" })];
    await expect(client({ retries: 0 }).listWidgets()).rejects.toMatchObject({ status: 503, retryAfter: 2 });
    expect(seen).toHaveLength(1);
  });

  test("does not wait longer than a minute", async () => {
    script = [answers(429, { message: "Slow down." }, { "Retry-After": "61" })];
    await expect(client().listWidgets()).rejects.toMatchObject({ status: 429, retryAfter: 61 });
    expect(waits).toEqual([]);
  });

  test("an attempt without an answer ends at its time limit", async () => {
    script = [() => {}];
    const call = client({ retries: 0, timeoutMs: 50 }).listWidgets();
    await expect(call).rejects.toMatchObject({ status: 0, message: "The service did not answer in time." });
  });

  test("a call that is ended by its caller is not repeated", async () => {
    const ending = new AbortController();
    script = [() => ending.abort(new Error("Vera left"))];
    await expect(client().listWidgets({ signal: ending.signal })).rejects.toThrow("Vera left");
    expect(seen).toHaveLength(1);
  });

  test("a caller can end the wait between two attempts", async () => {
    const ending = new AbortController();
    script = [answers(503, { message: "Later." }, { "Retry-After": "60" })];
    const usual = createClient({
      baseUrl: origin,
      apiKey: "fd_test",
      fetch: async (...request) => {
        const response = await fetch(...request);
        setImmediate(() => ending.abort(new Error("Vera left")));
        return response;
      },
    });
    await expect(usual.listWidgets({ signal: ending.signal })).rejects.toThrow("Vera left");
    expect(seen).toHaveLength(1);
  });
});

describe("eachItem", () => {
  const page = (ids: string[], next: string | null) =>
    answers(200, { data: ids.map((id) => ({ type: "chat-contacts", id, attributes: {} })), links: { next } });

  test("gives every item of every page once, also when something comes in meanwhile", async () => {
    script = [page(["a", "b"], "/2"), page(["b", "c"], "/3"), page(["d"], null)];
    const ids: string[] = [];
    for await (const contact of eachItem(client().listContacts, { query: { search: "v", limit: 2 } })) {
      ids.push(contact.id);
      expectTypeOf(contact.attributes.email).toEqualTypeOf<string | null | undefined>();
    }
    expect(ids).toEqual(["a", "b", "c", "d"]);
    expect(seen.map(({ url }) => url)).toEqual([1, 2, 3].map((n) => `/api/v1/contacts?search=v&limit=2&page=${n}`));
  });

  test("asks for no page that is not needed", async () => {
    script = [page(["a", "b"], "/2")];
    for await (const { id } of eachItem(client().listContacts)) if (id === "b") break;
    expect(seen).toHaveLength(1);
  });

  test("walks the messages of a conversation", async () => {
    script = [page(["m"], null)];
    const walk = eachItem(client().listMessages, { params: { conversation_id: "c" } });
    expect((await walk.next()).value?.id).toBe("m");
    // @ts-expect-error messages need their conversation
    void (() => eachItem(client().listMessages));
  });
});
