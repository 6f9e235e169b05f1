/**
 * What a connection may not see does not exist for it: specification, "Conventions" of the tools; decisions 53 and 54. For a
 * conversation of another widget, of another channel, and of another team, every tool answers as for one that does not exist.
 */
import { type ToolName, tools } from "@frontdesk/core/contract/tools";
import { comesBy } from "@frontdesk/testing/insert-rows";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { connect, dumpOfProduct, type ToolCaller } from "@frontdesk/testing/tool-caller";
import { enters, fittingArguments, openShop, type SceneContact } from "@frontdesk/testing/tool-scene";
import { beforeAll, describe, expect, test } from "vitest";

const kit = await startTestApp({ TOOL_RATE_LIMIT: "100000" });
const { app, storage } = kit;

type Arguments = Record<string, unknown>;

/** The tools that have the argument `name`. */
const naming = (name: string): ToolName[] =>
  (Object.keys(tools) as ToolName[]).filter((tool) => name in tools[tool].input.properties);
const about = {
  conversation: [...naming("conversation_id"), ...naming("conversation_ids")],
  visitor: naming("visitor_id"),
};

let acme: TestTeam;
let vera: SceneContact;
/** Sees the first widget alone. */
let robin: ToolCaller;
/** Sees everything of Acme. */
let owl: ToolCaller;
/** Writes where Robin does not look. */
let olga: SceneContact;
/** Came by another channel, and by Robin's widget. */
let wanda: SceneContact;
/** Sam's customer, and his assistant. */
let otto: SceneContact;
let sams: ToolCaller;
let samsTeam: TestTeam;

beforeAll(async () => {
  ({ acme, vera, olga } = await openShop(kit));
  wanda = await enters(kit, acme, "Wanda", acme.widgetId);
  await comesBy(storage, acme, wanda.conversationId, "whatsapp");
  robin = await connect(app, acme, { widgets: [acme.widgetId], channels: [] });
  owl = await connect(app, acme);
  const other = await openShop(kit);
  samsTeam = other.acme;
  otto = await enters(kit, samsTeam, "Otto", samsTeam.widgetId);
  sams = await connect(app, samsTeam);
});

test("about all tools that are about one conversation or visitor is asked here", () => {
  expect(about.conversation).toHaveLength(10);
  expect(about.visitor).toHaveLength(4);
});

describe.each(about.conversation)("%s", (name) => {
  const argumentsOf = ({ conversationId }: { conversationId: string }, team: TestTeam) =>
    fittingArguments({ conversationId, contactId: vera.contactId }, team)[name] as Arguments;

  test("says of a hidden conversation, and of another team's, byte for byte what it says of an unknown one", async () => {
    const unknown = await robin.call(name, argumentsOf({ conversationId: kit.runtime.newId() }, acme));
    expect([unknown.status, unknown.body]).toEqual([404, { message: "Conversation not found." }]);
    const before = await dumpOfProduct(storage);
    for (const hidden of [olga, wanda, otto]) {
      const { status, text } = await robin.call(name, argumentsOf(hidden, acme));
      expect([hidden.name, status, text]).toEqual([hidden.name, 404, unknown.text]);
    }
    expect(await dumpOfProduct(storage)).toBe(before);
  });

  test("finds these conversations for who may see them", async () => {
    for (const [caller, team, seen] of [
      [owl, acme, olga],
      [owl, acme, wanda],
      [sams, samsTeam, otto],
    ] as const) {
      const { status, text } = await caller.call(name, argumentsOf(seen, team));
      expect([seen.name, status], text).toEqual([seen.name, 200]);
    }
  });
});

describe.each(about.visitor)("%s", (name) => {
  const argumentsOf = ({ contactId }: { contactId: string }, team: TestTeam) =>
    fittingArguments({ conversationId: vera.conversationId, contactId }, team)[name] as Arguments;

  test("says of a visitor of a hidden widget, and of another team's, byte for byte what it says of an unknown one", async () => {
    const unknown = await robin.call(name, argumentsOf({ contactId: kit.runtime.newId() }, acme));
    expect([unknown.status, unknown.body]).toEqual([404, { message: "Visitor not found." }]);
    const before = await dumpOfProduct(storage);
    for (const hidden of [olga, otto]) {
      const { status, text } = await robin.call(name, argumentsOf(hidden, acme));
      expect([hidden.name, status, text]).toEqual([hidden.name, 404, unknown.text]);
    }
    expect(await dumpOfProduct(storage)).toBe(before);
  });

  test("finds these visitors for who may see them", async () => {
    expect((await owl.call(name, argumentsOf(olga, acme))).status).toBe(200);
    expect((await sams.call(name, argumentsOf(otto, samsTeam))).status).toBe(200);
  });
});

describe.each(naming("conversation_ids"))("%s of several", (name) => {
  const of = (ids: string[]): Arguments => ({ ...fittingArguments(vera, acme)[name], conversation_ids: ids });
  /** The answers of the first and of the confirmed call, without the one id that they are about. */
  async function outcome(ids: string[], about: string): Promise<string> {
    const asked = await robin.result(name, of(ids));
    const done = await robin.result(name, { ...of(ids), confirmation_token: asked.confirmation_token });
    return JSON.stringify([{ ...asked, confirmation_token: "" }, done]).replaceAll(about, "it");
  }

  test("counts, names and queues the visible ones, and skips a hidden one as an unknown one", async () => {
    const unknown = kit.runtime.newId();
    const expected = await outcome([vera.conversationId, unknown], unknown);
    expect(JSON.parse(expected)).toMatchObject([
      { affected_count: 1, message: expect.stringMatching(/ with Vera.* 1 of the given ids will be skipped/) },
      { queued: true, queued_conversation_ids: [vera.conversationId], skipped_conversation_ids: ["it"] },
    ]);
    for (const { conversationId } of [olga, wanda, otto]) {
      expect(await outcome([vera.conversationId, conversationId], conversationId)).toBe(expected);
    }
  });
});

describe("a list, a search and a count", () => {
  const conversationIds = (result: { conversations: { id: string }[] }) => result.conversations.map(({ id }) => id);

  test("list-conversations holds the visible ones, and announces no further page for the others", async () => {
    for (const status of ["all", "unresolved"]) {
      const page = await robin.result("list-conversations", { status, per_page: 1 });
      expect(conversationIds(page)).toEqual([vera.conversationId]);
      expect(page.pagination).toEqual({ page: 1, per_page: 1, has_more: false, next_page: null });
      expect(conversationIds(await robin.result("list-conversations", { status, page: 2, per_page: 1 }))).toEqual([]);
    }
    const all = conversationIds(await owl.result("list-conversations"));
    expect(all.toSorted()).toEqual([vera, olga, wanda].map(({ conversationId }) => conversationId).toSorted());
  });

  test.each([
    ["what was written", ({ name }: SceneContact) => `${name} asks`],
    ["a name", ({ name }: SceneContact) => name],
    ["an e-mail", ({ email }: SceneContact) => email],
  ])("search-conversations finds the visible ones alone by %s", async (_by, words) => {
    for (const hidden of [olga, wanda, otto]) {
      expect(await robin.result("search-conversations", { query: words(hidden) })).toEqual({ conversations: [] });
    }
    expect(conversationIds(await robin.result("search-conversations", { query: words(vera) }))).toEqual([
      vera.conversationId,
    ]);
    expect(conversationIds(await owl.result("search-conversations", { query: words(olga) }))).toEqual([
      olga.conversationId,
    ]);
  });

  test.each([
    ["a name", ({ name }: SceneContact) => name],
    ["an e-mail", ({ email }: SceneContact) => email],
    ["a phone", ({ phone }: SceneContact) => phone],
    ["an id", ({ contactId }: SceneContact) => contactId],
  ])("search-contacts finds the visible ones alone by %s", async (_by, words) => {
    const found = async (caller: ToolCaller, { ...somebody }: SceneContact) =>
      (await caller.result("search-contacts", { query: words(somebody) })).contacts.map(({ id }: { id: string }) => id);
    for (const hidden of [olga, otto]) expect(await found(robin, hidden)).toEqual([]);
    expect(await found(robin, vera)).toEqual([vera.contactId]);
    expect(await found(owl, olga)).toEqual([olga.contactId]);
  });

  test("what a limit leaves room for is not filled up with others, nor taken up by them", async () => {
    const found = await robin.result("search-conversations", { query: "Faro", limit: 1 });
    expect(conversationIds(found)).toEqual([vera.conversationId]);
    const contacts = (await robin.result("search-contacts", { query: "visitor.test", limit: 50 })).contacts;
    expect(contacts.map(({ name }: { name: string }) => name).toSorted()).toEqual(["Vera", "Wanda"]);
  });
});

test("a team's tags, fields, agents and answers are its own", async () => {
  const secret = { conversation_id: otto.conversationId, name: "Sams tag" };
  await sams.result("add-tag", secret);
  await sams.result("add-custom-data", { visitor_id: otto.contactId, name: "Sams field", value: "x" });
  for (const [tool, given] of [
    ["view-tags", {}],
    ["view-custom-fields", {}],
    ["list-agents", {}],
    ["search-knowledge-base", { query: "ship" }],
  ] as const) {
    const [mine, theirs] = [await robin.result(tool, given), await sams.result(tool, given)];
    const idsOf = (result: Record<string, { id: string }[]>) =>
      Object.values(result).flatMap((rows) => rows.map(({ id }) => id));
    expect(idsOf(theirs).length, tool).toBeGreaterThan(0);
    expect(idsOf(mine).filter((id) => idsOf(theirs).includes(id))).toEqual([]);
  }
  const theirAgent = { conversation_ids: [vera.conversationId], agent_id: samsTeam.ada.id };
  const { status, body } = await robin.call("assign-conversation", theirAgent);
  expect([status, body]).toEqual([422, { message: "Agent not found." }]);
});

test("an id may be written in capital letters", async () => {
  const { conversation } = await robin.result("get-conversation", {
    conversation_id: vera.conversationId.toUpperCase(),
  });
  expect(conversation.id).toBe(vera.conversationId);
});
