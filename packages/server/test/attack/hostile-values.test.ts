/** Reference rows 30 to 32 and 35: values that are well formed and hostile. `bad-input.test.ts` has the malformed. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { dump } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { contactOf, veraArrives, veraWrites } from "@frontdesk/testing/vera";
import fc from "fast-check";
import { expect, test } from "vitest";
import { documentedOperations, type Schema } from "../../fuzz/documented-operations.ts";
import { rightValue } from "../../fuzz/value-arbitraries.ts";

const { team, storage } = await startTestApp();

/** The most that the service accepts in a body and in an address. */
const BODY_MAX = 1_000_000;
const ADDRESS_MAX = 16_384;
/** Of one core, whatever else runs on it. */
const LONGEST_MATCH_MS = 100;
/** A search for what looks like a query, in a team of a few. */
const LONGEST_SEARCH_MS = 200;

/** Every pattern of the contract with a schema that has it, and the longest text that can reach it. */
function patterns(): Map<string, { schema: Schema; longest: number }> {
  const found = new Map<string, { schema: Schema; longest: number }>();
  const look = (schema: Schema, longest: number) => {
    if (schema.pattern) found.set(schema.pattern, { schema, longest });
    for (const inner of [...Object.values(schema.properties ?? {}), schema.items]) if (inner) look(inner, longest);
  };
  for (const { params, query, body } of documentedOperations()) {
    for (const schema of [...Object.values(params), ...Object.values(query)]) look(schema, ADDRESS_MAX);
    if (body) look(body, BODY_MAX);
  }
  return found;
}

test("no pattern of the contract takes long over any text that fits into a body", () => {
  const found = patterns();
  expect(found.size).toBeGreaterThan(4);
  for (const [pattern, { schema, longest }] of found) {
    const expression = new RegExp(pattern, "u");
    const right = fc
      .sample(rightValue(schema, "", ""), { seed: 1, numRuns: 6 })
      .filter((value) => typeof value === "string");
    const pieces = [
      ...right,
      ...right.map((text) => text.slice(0, -1)),
      ..."a+1/@.:,-_ \t?#",
      ",name",
      "name,",
      "https://",
    ];
    for (const piece of pieces.filter((text) => text.length > 0)) {
      const long = piece.repeat(Math.ceil(longest / piece.length));
      for (const text of [long, `${long}\n`, `${long}!`, `${right[0]}${long} `]) {
        const from = process.threadCpuUsage();
        expression.test(text);
        expect(process.threadCpuUsage(from).user / 1_000, `${pattern} over ${JSON.stringify(piece)}`).toBeLessThan(
          LONGEST_MATCH_MS,
        );
      }
    }
  }
});

test("what means something to a database, a shell or a browser is a plain text: kept as it is, and found again", async () => {
  const texts = [
    "'; DROP TABLE contacts; --",
    `" OR ""="`,
    "100% _ \\ \\% \\_",
    "%",
    "_",
    "\\",
    "NEAR(a b) AND search_text:x*",
    "$1 :name ?1 @x #{x} {{7*7}}",
    "<script>alert(1)</script>",
    "../../etc/passwd\r\nSet-Cookie: a=b",
    "(a+)+$ .* [^x] \\d+ (?=x)",
  ];
  const acme = await team();
  await veraArrives(acme, { name: "Nothing of the kind" });
  for (const text of texts) {
    const id = await veraArrives(acme, { name: text, location: text, browser_type: text });
    expect(await contactOf(acme, id)).toMatchObject({ name: text, location: text, browser_type: text });
    const { conversationId } = await veraWrites(acme, { contact_id: id, content: text });
    for (const path of ["/contacts?limit=100&", `/conversations/${conversationId}/messages?`]) {
      // Of the processor, so that a busy machine does not count.
      const from = process.threadCpuUsage();
      const { body } = await acme.get(`${path}search=${encodeURIComponent(text)}`);
      expect(process.threadCpuUsage(from).user / 1_000).toBeLessThan(LONGEST_SEARCH_MS);
      const found = body.data.map(({ attributes }: { attributes: { name?: string; content?: string } }) =>
        (attributes.name ?? attributes.content ?? "").toLowerCase().includes(text.trim().toLowerCase()),
      );
      expect({ text, found: found.length > 0 && !found.includes(false) }).toEqual({ text, found: true });
    }
  }
});

test("a name is kept letter by letter, and found in either normal form and in any case", async () => {
  const acme = await team();
  const names = [
    "Zo\u00eb",
    "Zoe\u0308",
    "\u202eareV",
    "Ve\u200bra",
    "\u{1F469}\u200d\u{1F4BB}",
    "ＶＥＲＡ",
    "ﬁona",
    "Ἀθηνᾶ",
  ];
  for (const name of names) {
    const id = await veraArrives(acme, { name });
    expect((await contactOf(acme, id)).name).toBe(name);
    for (const spelt of [name, name.normalize("NFC"), name.normalize("NFD"), name.toLowerCase()]) {
      const { body } = await acme.get(`/contacts?limit=100&search=${encodeURIComponent(spelt)}`);
      const ids = body.data.map((contact: { id: string }) => contact.id);
      expect({ name, spelt, found: ids.includes(id) }).toEqual({ name, spelt, found: true });
    }
  }
});

test("one e-mail is one contact however its case; one with letters that only look alike is refused", async () => {
  const acme = await team();
  const { contactId } = await veraWrites(acme, { email: "vera@visitor.test" });
  for (const email of ["VERA@visitor.test", "Vera@Visitor.Test"]) {
    expect((await veraWrites(acme, { email })).contactId).toBe(contactId);
  }
  const alike = ["ver\u0430@visitor.test", "vera@v\u0456sitor.test", "ｖera@visitor.test", "ve\u0301ra@visitor.test"];
  for (const email of [...alike, "vera\u200b@visitor.test", "\u202evera@visitor.test"]) {
    const answer = await acme.post("/conversations", { widget_id: acme.widgetId, content: "Hi", email });
    expect({ email, status: answer.status, fields: Object.keys(answer.body.errors ?? {}) }).toEqual({
      email,
      status: 422,
      fields: ["email"],
    });
  }
  expect((await acme.get("/contacts")).body.meta.pagination.total).toBe(1);
});

test("the totals of a list fit its rows in every answer while others write", async () => {
  const acme = await team();
  let writing = true;
  const writers = Array.from({ length: 4 }, async () => {
    for (let count = 0; count < 20; count += 1) await veraWrites(acme);
  });
  const done = Promise.all(writers).finally(() => {
    writing = false;
  });
  const totals = new Set<number>();
  while (writing) {
    for (const path of ["/contacts", "/conversations/all", "/contacts?search=vera"]) {
      const { body } = await acme.get(`${path}${path.includes("?") ? "&" : "?"}limit=100`);
      const { total, count } = body.meta.pagination;
      expect({ path, total, count }).toEqual({ path, total: body.data.length, count: body.data.length });
      totals.add(total);
      // On SQLite, and without a socket, nothing else here lets the writers have their turn.
      await nextTurn();
    }
  }
  await done;
  expect(totals.size).toBeGreaterThan(3);
});

/** Longer than what turns up by chance in random ids and hashes. */
const WISHED_NUMBER = 987_654_321_098;
/** What a caller might wish to set, with values that would be seen anywhere. */
const wished = {
  id: "01980c61-13aa-7e02-b3f5-000000000bad",
  team_id: "01980c61-13aa-7e02-b3f5-000000000bad",
  created_at: "1999-01-01T00:00:00.000Z",
  updated_at: "1999-01-01T00:00:00.000Z",
  last_active_at: "1999-01-01T00:00:00.000Z",
  blocked_at: "1999-01-01T00:00:00.000Z",
  verified_id: "wished-for",
  verified_email: "wished-for@evil.test",
  is_name_updated: true,
  is_admin: true,
  bgcolor: "wished-for",
  country_code: "wished-for",
  online_status: "wished-for",
  unread_messages: WISHED_NUMBER,
  is_resolved: true,
  origin: "wished-for",
  sent_via: "wished-for",
  sort_number: WISHED_NUMBER,
  signing_secret: "wished-for",
  secret_sealed: "wished-for",
  password_hash: "wished-for",
  status: "wished-for",
  profile_photo_url: "wished-for",
  channel: "wished-for",
  __proto__: { is_admin: true },
};

test("no client sets what is not theirs to set: such fields are treated as unknown ones", async () => {
  const acme = await team();
  const other = await team();
  const send = async (method: "post" | "put" | "patch", path: string, body: object) => {
    const { status: _status, ...allowed } = wished;
    const whole = path.includes("resolve") ? allowed : wished;
    const [plain, more] = [await acme[method](path, body), await acme[method](path, { ...whole, ...body })];
    expect({ path, status: more.status }).toEqual({ path, status: plain.status });
    expect(plain.status).toBeLessThan(300);
    return more.body;
  };
  const contact = await send("post", "/contacts/initialize", { widgetId: acme.widgetId, message: { content: "Hi" } });
  await send("put", `/contacts/${contact.data.id}`, { phone: "+4915112345678" });
  const said = { widget_id: acme.widgetId, content: "Hello", contact_id: contact.data.id };
  const { conversation_id } = (await send("post", "/conversations", said)).data.attributes;
  await send("post", "/messages", { conversation_id, content: "Hello" });
  await send("post", `/conversations/${conversation_id}/resolve`, { status: "resolved" });
  const hook = await send("post", "/webhooks", { endpoint_url: "https://a.test/hook", events: ["message.sent"] });
  await send("patch", `/webhooks/${hook.data.id}`, { name: "Hook" });
  const invited = await acme.post("/agents/invite", { agents: [{ ...wished, email: "grace@acme.test" }] });
  expect(invited.status).toBe(200);
  for (const role of ["CHAT_AGENT_OWNER", "owner", "__proto__"]) {
    const owner = await acme.post("/agents/invite", { agents: [{ email: "eve@acme.test", role }] });
    expect(owner).toMatchObject({ status: 422, body: { errors: { "agents.0.role": expect.any(Array) } } });
  }
  await expectOnAnotherWidget(acme, other);

  const tables = await dump(storage);
  expect(tables).toContain("grace@acme.test");
  expect(tables).not.toMatch(/wished-for|000000000bad|987654321098|1999-01-01/);
  expect(tables).not.toContain(String(Date.parse(wished.created_at)));
  expect(({} as { is_admin?: boolean }).is_admin).toBeUndefined();
});

/** A contact is found on its own widget only, in its own team only; elsewhere a new one is created. */
async function expectOnAnotherWidget(acme: TestTeam, other: TestTeam): Promise<void> {
  const { contactId } = await veraWrites(other);
  const here = await veraWrites(acme, { contact_id: contactId });
  expect(here.contactId).not.toBe(contactId);
  expect((await acme.get(`/contacts/${contactId}`)).status).toBe(404);
}
