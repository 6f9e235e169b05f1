/** Decision 28, over a real socket: what cannot be read is refused, never replaced, coerced or dropped. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { appOn, overTheWire, rawBytes, type WireAnswer, type WireRequest } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";

const { team, storage, runtime } = await startTestApp();
const acme = await team();
const listening = await appOn({ storage, runtime });
const base = await listening.start();

const JSON_TYPE = "application/json";
const MIB = 1_048_576;

/** One request with Acme's key, as JSON unless it says otherwise. */
async function send(method: string, path: string, body?: string | Buffer, headers: WireRequest["headers"] = {}) {
  const request: WireRequest = {
    method,
    path: `/api/v1${path}`,
    headers: { "x-api-key": acme.apiKey, ...(body !== undefined && { "content-type": JSON_TYPE }), ...headers },
    ...(body !== undefined && { body }),
  };
  return overTheWire(base, request);
}

const post = (path: string, body: string | Buffer, headers: WireRequest["headers"] = {}) =>
  send("POST", path, body, headers);

/** A refusal in our form: `{message}`, and `errors` when fields are named; nothing of the machinery shows. */
function expectRefusal(answer: WireAnswer, status: number, fields?: string[]): void {
  expect({ status: answer.status, text: answer.text }).toEqual({ status, text: answer.text });
  expect(answer.headers["content-type"]).toMatch(/^application\/json/);
  expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  expect(Object.keys(answer.body)).toEqual(status === 422 ? ["message", "errors"] : ["message"]);
  expect(answer.body.message).toEqual(expect.stringMatching(/^[A-Z].*\.$/));
  expect(answer.text).not.toMatch(/FST_|HPE_|ERR_|Ajv|node_modules|\bat [\w.]+ \(|statusCode|sqlite|postgres/i);
  if (fields) expect(Object.keys(answer.body.errors)).toEqual(fields);
}

async function loopDelayDuring(act: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await act();
  delay.disable();
  return delay.max / 1e6;
}

const visitor = (extra: object) => JSON.stringify({ widgetId: acme.widgetId, name: "Vera", ...extra });

test("the premise: a well-formed request passes over the same socket", async () => {
  const answer = await post(
    "/contacts/initialize",
    visitor({ message: { content: "Hi", urls: ["https://a.test/b"] } }),
  );
  expect(answer.status).toBe(200);
});

test.each([
  ["empty", ""],
  ["cut off", '{"widgetId": "a", "na'],
  ["no JSON", "widgetId=a"],
  ["two values", "{}{}"],
  ["with a comment", '{/* hi */"widgetId": "a"}'],
  ["with a trailing comma", '{"widgetId": "a",}'],
  ["with single quotes", "{'widgetId': 'a'}"],
  ["with a raw control character", '{"widgetId": "a\u0001"}'],
  ["with a number that is none", '{"widgetId": NaN}'],
  ["white space alone", " \n "],
])("a body that is %s is 400", async (_what, body) => {
  expectRefusal(await post("/contacts/initialize", body), 400);
});

test("a body that is no object is 422", async () => {
  for (const body of ["null", "5", '"text"', "true"]) {
    expectRefusal(await post("/contacts/initialize", body), 422, ["body"]);
  }
  expectRefusal(await post("/contacts/initialize", "[]"), 422);
});

test.each([
  ["text/plain", "text/plain"],
  ["a form", "application/x-www-form-urlencoded"],
  ["multipart", "multipart/form-data; boundary=x"],
  ["a look-alike", "application/jsonp"],
  ["JSON of another kind", "application/vnd.api+json"],
  ["no media type at all", "nonsense"],
  ["JSON in UTF-16", "application/json; charset=utf-16"],
  ["JSON in Latin-1", 'application/json;charset="iso-8859-1"'],
])("a content type of %s is 415", async (_what, type) => {
  expectRefusal(await post("/contacts/initialize", visitor({}), { "content-type": type }), 415);
});

test("a missing content type is 415", async () => {
  const bare = { method: "POST", path: "/api/v1/contacts/initialize", headers: { "x-api-key": acme.apiKey } };
  expectRefusal(await overTheWire(base, { ...bare, body: visitor({}) }), 415);
});

test("UTF-8 may be named, in any case", async () => {
  for (const type of [
    "application/json; charset=utf-8",
    "Application/JSON;charset=UTF-8",
    'application/json; charset="utf8"',
  ]) {
    expect((await post("/contacts/initialize", visitor({}), { "content-type": type })).status).toBe(200);
  }
});

test("a body of 1 MiB is read, and one byte more is 413", async () => {
  const filled = (size: number) => {
    const empty = visitor({ ignored: "" });
    return empty.replace('"ignored":""', `"ignored":"${"x".repeat(size - empty.length)}"`);
  };
  expect(filled(MIB)).toHaveLength(MIB);
  expect((await post("/contacts/initialize", filled(MIB))).status).toBe(200);
  expectRefusal(await post("/contacts/initialize", filled(MIB + 1)), 413);
  const chunked = await post("/contacts/initialize", filled(MIB + 1), { "transfer-encoding": "chunked" });
  expectRefusal(chunked, 413);
});

test("a byte order mark is 400", async () => {
  expectRefusal(await post("/contacts/initialize", `\uFEFF${visitor({})}`), 400);
});

test("bytes that are not UTF-8 are 400, and nothing is put in their place", async () => {
  const around = visitor({ name: "Ve?ra" });
  const [before, after] = around.split("?").map((part) => Buffer.from(part)) as [Buffer, Buffer];
  for (const wrong of [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]]) {
    expectRefusal(await post("/contacts/initialize", Buffer.concat([before, Buffer.from(wrong), after])), 400);
  }
  const list = await acme.get("/contacts?search=Ve&limit=100");
  expect(JSON.stringify(list.body)).not.toContain("\uFFFD");
});

test("half a surrogate pair and NUL are 422 on the field that holds them", async () => {
  for (const character of ["\\ud800", "\\udc00", "\\udc00\\ud800", "\\u0000"]) {
    const nested = visitor({ message: { content: "Hi", urls: ["https://a.test/?"] } }).replace("?", character);
    expectRefusal(await post("/contacts/initialize", nested), 422, ["message.urls.0"]);
    expectRefusal(await post("/contacts/initialize", visitor({ name: "?" }).replace("?", character)), 422, ["name"]);
    const page = visitor({
      page_visited: [
        { page: "a", date: "b" },
        { page: "?", date: "c" },
      ],
    });
    expectRefusal(await post("/contacts/initialize", page.replace("?", character)), 422, ["page_visited.1.page"]);
  }
  expect((await post("/contacts/initialize", visitor({ name: "?" }).replace("?", "\\ud83d\\ude00"))).status).toBe(200);
});

test("a name that is twice in one object is 422 on that field, also when it is spelt differently", async () => {
  const double = (name: string) => `{"widgetId":"${acme.widgetId}","name":"A","${name}":"B"}`;
  expectRefusal(await post("/contacts/initialize", double("name")), 422, ["name"]);
  expectRefusal(await post("/contacts/initialize", double("n\\u0061me")), 422, ["name"]);
  const nested = visitor({ message: { content: "a" } }).replace('"content"', '"content":"b","content"');
  expectRefusal(await post("/contacts/initialize", nested), 422, ["message.content"]);
  const apart = visitor({ page_visited: [1, 2].map((n) => ({ page: `p${n}`, date: "2026-11-20T12:00:00Z" })) });
  expect((await post("/contacts/initialize", apart)).status).toBe(200);
});

test.each([
  ["a number for a text", "5"],
  ["true for a text", "true"],
  ["null for a text", "null"],
  ["a list for a text", '["Vera"]'],
  ["an object for a text", '{"first":"Vera"}'],
])("%s is 422 on the field: nothing is coerced", async (_what, value) => {
  const body = visitor({ name: "?" }).replace('"?"', value);
  expectRefusal(await post("/contacts/initialize", body), 422, ["name"]);
});

test.each([
  ["a text for a number", '"5"'],
  ["true for a number", "true"],
  ["a list for a number", "[5]"],
  ["infinity", "1e999"],
  ["2^53", "9007199254740992"],
  ["a fraction", "1.5"],
  ["a negative size", "-1"],
])("%s is 422 on the field: nothing is coerced", async (_what, value) => {
  const message = { conversation_id: runtime.newId(), attachments: [{ url: "https://a.test/b", size: "?" }] };
  const answer = await post("/messages", JSON.stringify(message).replace('"?"', value));
  expectRefusal(answer, 422, ["attachments.0.size"]);
});

test.each([
  ["a text for a flag", '"true"'],
  ["a number for a flag", "1"],
  ["null for a flag", "null"],
])("%s is 422 on the field: nothing is coerced", async (_what, value) => {
  const body = visitor({ is_simulator: "?" }).replace('"?"', value);
  expectRefusal(await post("/contacts/initialize", body), 422, ["is_simulator"]);
});

test.each([
  "0",
  "-1",
  "1.5",
  "abc",
  "",
  "%201",
  "1%20",
  "+1",
  "01",
  "1e2",
  "0x10",
  "1_0",
  "٣",
  "101",
  "9007199254740993",
])("the query limit=%s is 422 on limit", async (value) => {
  expectRefusal(await send("GET", `/contacts?limit=${encodeURI(value).replaceAll("%25", "%")}`), 422, ["limit"]);
});

test.each(["limit=1&limit=2", "limit=1&limit=1", "limit[]=1", "limit=1&li%6dit=1"])(
  "a parameter that stands twice is 422, and one of another name is no limit: %s",
  async (text) => {
    const answer = await send("GET", `/contacts?${text}`);
    if (text === "limit[]=1") expect(answer.body.meta.pagination.per_page).toBe(10);
    else expectRefusal(answer, 422, ["limit"]);
  },
);

test("a query with broken percent signs, or not in UTF-8, is 400; one with NUL is 422 on the parameter", async () => {
  for (const text of ["search=%ff", "search=%", "search=%4", "search=%zz", "%ff=1", "search=%ed%a0%80"]) {
    expectRefusal(await send("GET", `/contacts?${text}`), 400);
  }
  expectRefusal(await send("GET", "/contacts?search=a%00b"), 422, ["search"]);
});

/** No measure of speed: what runs away by squares takes far longer than this, on any machine. */
const RUNAWAY_MS = 2_000;

test("nesting that is too deep is 400 at once, and the event loop goes on", async () => {
  const open = "[".repeat(100_000);
  const bodies = [
    `{"widgetId":${open}${"]".repeat(100_000)}}`,
    open,
    `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`,
    `{"name":${"[".repeat(40)}${"]".repeat(40)}}`,
  ];
  const delay = await loopDelayDuring(async () => {
    for (const body of bodies) expectRefusal(await post("/contacts/initialize", body), 400);
  });
  expect(delay).toBeLessThan(RUNAWAY_MS);
});

test("a megabyte of names, of quotes, of backslashes or of a list is refused, and the event loop goes on", async () => {
  const names = `{${Array.from({ length: 100_000 }, (_, n) => `"${n}":1`).join(",")}}`;
  const fill = (text: string) =>
    visitor({ name: "?" }).replace("?", text.repeat(Math.floor((MIB - 200) / text.length)));
  const items = `{"agents":[${"1,".repeat(500_000)}1]}`;
  expect(names.length).toBeGreaterThan(MIB * 0.9);
  const delay = await loopDelayDuring(async () => {
    expectRefusal(await post("/contacts/initialize", names), 400);
    expectRefusal(await post("/contacts/initialize", fill('\\"')), 422, ["name"]);
    expectRefusal(await post("/contacts/initialize", fill("\\\\")), 422, ["name"]);
    expectRefusal(await post("/contacts/initialize", fill("\\u0041")), 422, ["name"]);
    expectRefusal(await post("/contacts/initialize", fill("@a.")), 422, ["name"]);
    expectRefusal(await post("/agents/invite", items), 400);
    expectRefusal(await post("/agents/invite", `{"agents":[${"1,".repeat(9_000)}1]}`), 422);
  });
  expect(delay).toBeLessThan(RUNAWAY_MS);
});

test("a long text never makes a pattern run wild", async () => {
  const long = "a".repeat(900_000);
  const bodies = [
    visitor({ email: `${long}@` }),
    visitor({ email: `${"a.".repeat(100_000)}@${"a.".repeat(100_000)}` }),
    visitor({ phone: `+${"1".repeat(900_000)}` }),
    visitor({ message: { urls: [`https://${"a/".repeat(300_000)}\t`] } }),
    visitor({ page_visited: [{ page: "p", date: `2026-${"1".repeat(900_000)}` }] }),
  ];
  const delay = await loopDelayDuring(async () => {
    for (const body of bodies) expectRefusal(await post("/contacts/initialize", body), 422);
    const query = `include_fields=${"name,".repeat(2_500)}!`;
    expectRefusal(await send("GET", `/contacts?${query}`), 422, ["include_fields"]);
  });
  expect(delay).toBeLessThan(RUNAWAY_MS);
});

test("names of JavaScript's own are plain names: nothing is put on every object", async () => {
  const text = visitor({ name: "Vera" });
  for (const name of ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"]) {
    const answer = await post("/contacts/initialize", text.replace("{", `{"${name}":{"x":1,"prototype":{"x":1}},`));
    expect(answer.status).toBe(200);
    const double = text.replace("{", `{"${name}":1,"${name}":2,`);
    expectRefusal(await post("/contacts/initialize", double), 422, [name]);
    expectRefusal(await post("/contacts/initialize", text.replace("{", `{"${name}":"\\u0000",`)), 422, [name]);
    expect((await send("GET", `/contacts?${name}=1&${name}=2`)).status).toBe(200);
    expectRefusal(await send("GET", `/contacts?${name}=%00`), 422, [name]);
    expectRefusal(await send("GET", `/contacts?include_fields=${name}`), 422, ["include_fields"]);
    expectRefusal(await send("GET", `/contacts?exclude_fields=${name}`), 422, ["exclude_fields"]);
    expect((await send("GET", `/contacts?search=${name}`)).body.data).toEqual([]);
    expectRefusal(await post("/conversations/x/resolve", `{"status":"${name}"}`), 422, ["status"]);
  }
  expect(({} as { x?: unknown }).x).toBeUndefined();
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test("headers of 17 KiB, and two thousand headers, are 431", async () => {
  expectRefusal(await send("GET", "/widgets", undefined, { "x-long": "a".repeat(17 * 1024) }), 431);
  const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`x-${n}`, "1"]));
  expectRefusal(await send("GET", "/widgets", undefined, many), 431);
});

test("what is no HTTP is 400, and so is a request that could be read in two ways", async () => {
  const line = "POST /api/v1/widgets HTTP/1.1\r\nHost: a\r\n";
  expectRefusal(await rawBytes(base, "hello\r\n\r\n"), 400);
  expectRefusal(await rawBytes(base, "BREW / HTTP/1.1\r\nHost: a\r\n\r\n"), 400);
  expectRefusal(await rawBytes(base, `${line}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`), 400);
  expectRefusal(await rawBytes(base, `${line}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc`), 400);
  expectRefusal(await rawBytes(base, `${line}X-A: 1\r\n folded\r\n\r\n`), 400);
  expectRefusal(await rawBytes(base, `${line}X-A: 1\nX-B\r\n\r\n`), 400);
});

test("an unknown address is 404, with a key and without, and has no other name", async () => {
  for (const path of ["", "/", "/nothing", "/contacts/", "/contacts/a/b", "/Contacts", "//contacts", "/webhooks/a/b"]) {
    expectRefusal(await send("GET", path), 404);
  }
  const bare = await overTheWire(base, { path: "/api/v2/contacts" });
  expectRefusal(bare, 404);
});

test("a wrong method is 405 with the right ones in Allow", async () => {
  const id = runtime.newId();
  for (const [method, path, allow] of [
    ["POST", "/contacts", "GET, HEAD"],
    ["DELETE", "/contacts", "GET, HEAD"],
    ["PATCH", `/contacts/${id}`, "GET, HEAD, PUT, DELETE"],
    ["GET", "/contacts/initialize/", undefined],
    ["GET", "/messages", "POST"],
    ["HEAD", "/messages", "POST"],
    ["OPTIONS", "/webhooks", "GET, HEAD, POST"],
    ["PUT", `/webhooks/${id}`, "GET, HEAD, PATCH, DELETE"],
    ["PROPFIND", `/conversations/${id}/messages`, "GET, HEAD"],
  ] as const) {
    const answer = await send(method, path);
    expect({ method, path, allow: answer.headers.allow }).toEqual({ method, path, allow });
    if (method !== "HEAD") expectRefusal(answer, allow ? 405 : 404);
    else expect(answer.status).toBe(405);
  }
});

test("a path with a broken percent sign is 400; one with NUL, or one too long for an id, is as an unknown id", async () => {
  for (const path of ["/contacts/%", "/contacts/%zz", "/contacts/%ff", "/contacts/%e0%a4", "/%"]) {
    expectRefusal(await send("GET", path), 400);
  }
  for (const id of [
    "%00",
    "a%00b",
    "x".repeat(2_000),
    "%2e%2e",
    "%2F",
    "..%2Fwidgets",
    "'%20or%201=1--",
    "%F0%9F%98%80",
  ]) {
    const contact = await send("GET", `/contacts/${id}`);
    expectRefusal(contact, 404);
    expect(contact.body.message).toBe("Contact not found.");
    expectRefusal(await send("GET", `/agents/${id}`), 403);
    expectRefusal(await send("DELETE", `/webhooks/${id}`), 403);
  }
});

test("a DELETE or a GET without a body may name a content type", async () => {
  const made = await acme.post("/webhooks", { endpoint_url: "https://a.test/hook", events: ["message.sent"] });
  const path = `/webhooks/${made.body.data.id}`;
  expect((await send("GET", path, undefined, { "content-type": JSON_TYPE })).status).toBe(200);
  expect((await send("DELETE", path, undefined, { "content-type": JSON_TYPE })).status).toBe(200);
  const empty = await send("DELETE", path, undefined, { "content-type": JSON_TYPE, "content-length": "0" });
  expectRefusal(empty, 403);
  expect(empty.body.message).toBe("Webhook not found.");
});

test("HEAD answers as GET does, without the body", async () => {
  for (const path of ["/contacts", "/webhooks/events", `/contacts/${runtime.newId()}`]) {
    const [head, get] = [await send("HEAD", path), await send("GET", path)];
    expect(head.status).toBe(get.status);
    expect(head.text).toBe("");
    expect(head.headers["content-type"]).toBe(get.headers["content-type"]);
  }
});

test("a request that is cut off in the middle leaves nothing behind, and the service goes on", async () => {
  const before = (await acme.get("/contacts")).body.meta.pagination.total;
  const body = visitor({});
  const head = `POST /api/v1/contacts/initialize HTTP/1.1\r\nHost: a\r\nX-API-KEY: ${acme.apiKey}\r\nContent-Type: application/json\r\n`;
  const answer = await rawBytes(base, `${head}Content-Length: ${body.length + 1}\r\n\r\n${body}`);
  expect([400, Number.NaN]).toContain(answer.status);
  expect((await acme.get("/contacts")).body.meta.pagination.total).toBe(before);
});
