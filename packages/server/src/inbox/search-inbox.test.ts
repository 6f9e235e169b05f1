/** What a search finds, on this run's engine, the same on both (docs/decisions/0045-what-a-search-finds.md). */
import type { InboxFound } from "@frontdesk/core/contract/inbox";
import { deep } from "@frontdesk/testing/depth";
import { adasInbox } from "@frontdesk/testing/inbox-client";
import { query } from "@frontdesk/testing/second-app";
import { engine, startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaReplies, veraArrives, veraWrites } from "@frontdesk/testing/vera";
import { beforeAll, describe, expect, test } from "vitest";
import { AT_ONCE, type FoldedSoFar, foldSearchTexts } from "../contacts/fold-search-texts.ts";
import { initializeContact } from "../contacts/initialize-contact.ts";

const { app, storage, team, clock } = await startTestApp();

const said: [name: string, content: string, more?: { email?: string; phone?: string }][] = [
  ["Sean O’Brien", "Where is my parcel?"],
  ["Lange Straße Apotheke", "Guten Tag"],
  ["Łukasz Żółć", "Dzień dobry"],
  ["Jürgen Müller", "Hallo, ich möchte zwei Decken"],
  ["Greta Mueller", "Schönen Abend"],
  ["Siri Thomas Rasse", "Hello there"],
  ["Bjørn Jørgensen", "Hei"],
  ["Dora", "Is the blanket warm?", { email: "d.smith@example.com" }],
  ["Ana Delgado", "Where is my order 4711?"],
  ["Nigel", "Please call me", { phone: "+442079460106" }],
  ["Jonas", "Please call me", { phone: "04012345678" }],
  ["أحمد مُصطفى", "أين الطلب ٤٨١٢؟"],
  ["Королёв Семён", "Где мой заказ?"],
  ["ﾔﾏﾀﾞ 太郎", "返品したいです"],
  ["ज़ोया सड़क", "मेरा कंबल कहाँ है"],
  ["Işık Đorđević", "merhaba"],
  ["张伟", "我的订单在哪里"],
  ["João Conceição", "Onde está a encomenda?"],
];

/** A search, and the names of those that it finds, in any order. */
const searches: [search: string, contacts: string[], conversations?: string[]][] = [
  ["O'Brien", ["Sean O’Brien"]],
  ["obrien", ["Sean O’Brien"]],
  ["strasse", ["Lange Straße Apotheke"]],
  ["STRASSE", ["Lange Straße Apotheke"]],
  ["Lukasz", ["Łukasz Żółć"]],
  ["zolc lukasz", ["Łukasz Żółć"]],
  ["mueller", ["Jürgen Müller", "Greta Mueller"]],
  ["muller", ["Jürgen Müller", "Greta Mueller"]],
  ["Müller", ["Jürgen Müller", "Greta Mueller"]],
  ["juergen mueller", ["Jürgen Müller"]],
  ["moechte", [], ["Jürgen Müller"]],
  ["schonen", [], ["Greta Mueller"]],
  ["bjorn joergensen", ["Bjørn Jørgensen"]],
  ["blankets", [], ["Dora"]],
  ["blankt", [], ["Dora"]],
  ["d.smith blanket", [], ["Dora"]],
  ["delgado order", [], ["Ana Delgado"]],
  ["orders ana 4711", [], ["Ana Delgado"]],
  ["02079460106", ["Nigel"], []],
  ["+44 (0)20 7946 0106", ["Nigel"], []],
  ["7946-0106", ["Nigel"], []],
  ["٠٢٠٧٩٤٦٠١٠٦", ["Nigel"], []],
  ["+49 40 12345678", ["Jonas"], []],
  ["احمد", ["أحمد مُصطفى"]],
  ["مصطفي", ["أحمد مُصطفى"]],
  ["طلب 4812", [], ["أحمد مُصطفى"]],
  ["королев", ["Королёв Семён"]],
  ["заказы", [], ["Королёв Семён"]],
  ["やまだ", ["ﾔﾏﾀﾞ 太郎"]],
  ["返品", [], ["ﾔﾏﾀﾞ 太郎"]],
  ["जोया सडक", ["ज़ोया सड़क"]],
  ["कंबलों", [], ["ज़ोया सड़क"]],
  ["isik dordevic", ["Işık Đorđević"]],
  ["订单", [], ["张伟"]],
  ["joao conceicao", ["João Conceição"]],
  ["encomendas", [], ["João Conceição"]],
  ["nobody at all", [], []],
];

/** Whom the inbox finds: as people, and as conversations, by name or by message. */
async function inInbox(acme: TestTeam, search: string, more = "") {
  const found: InboxFound = await adasInbox(app, acme).get(`/search?q=${encodeURIComponent(search)}${more}`);
  return {
    people: found.people.map(({ name }) => name).toSorted(),
    conversations: [
      ...found.conversations.map(({ conversation }) => conversation.contact.name),
      ...found.messages.map(({ contact }) => contact.name),
    ].toSorted(),
    unknown: found.unknown,
  };
}

async function inContacts(acme: TestTeam, search: string): Promise<string[]> {
  const { body } = await acme.get(`/contacts?search=${encodeURIComponent(search)}`);
  const names = body.data.map(({ attributes }: { attributes: { name: string } }) => attributes.name);
  expect(body.meta.pagination.total).toBe(names.length);
  return names.toSorted();
}

async function withEveryone(): Promise<TestTeam> {
  const acme = await team();
  for (const [name, content, more] of said) {
    clock.advance(1_000);
    await veraWrites(acme, { name, content, ...more });
  }
  return acme;
}

describe("what people type finds whom they mean, and nobody else", () => {
  let acme: TestTeam;
  beforeAll(async () => {
    acme = await withEveryone();
  });

  test.each(searches)("%s", async (search, contacts, conversations = contacts) => {
    expect(await inContacts(acme, search)).toEqual(contacts.toSorted());
    expect(await inInbox(acme, search)).toEqual({
      people: contacts.toSorted(),
      conversations: conversations.toSorted(),
      unknown: [],
    });
  });

  test("in REST a message is found by its folded words, in any order", async () => {
    const { conversationId } = await veraWrites(await team(), { content: "x" });
    expect(conversationId).toBeTruthy();
    const own = await team();
    const written = await veraWrites(own, { content: "Die Straße in Köln ist gesperrt" });
    for (const [search, total] of [
      ["STRASSE", 1],
      ["koeln strasse", 1],
      ["Köln", 1],
      ["Straße Berlin", 0],
      ["’", 1],
    ] as const) {
      const { body } = await own.get(
        `/conversations/${written.conversationId}/messages?search=${encodeURIComponent(search)}`,
      );
      expect([search, body.meta.pagination.total]).toEqual([search, total]);
    }
  });
});

test("texts that were folded by the rule of before are folded again, in pieces, and found", async () => {
  const acme = await withEveryone();
  await query(storage, `UPDATE contacts SET search_text = lower(name) WHERE team_id = '${acme.teamId}'`);
  await query(storage, `UPDATE messages SET content_folded = lower(content) WHERE team_id = '${acme.teamId}'`);
  expect(await inContacts(acme, "mueller")).toEqual(["Greta Mueller"]);
  expect((await inInbox(acme, "encomenda joao")).conversations).toEqual([]);

  const system = { kind: "system", teamId: acme.teamId } as const;
  const fired = { subjectId: acme.teamId, armedFor: 0 };
  await app.perform(system, foldSearchTexts, { ...fired, data: null });
  expect(await inContacts(acme, "mueller")).toEqual(["Greta Mueller", "Jürgen Müller"]);
  const [timer] = await query(storage, `SELECT kind, data FROM timers WHERE team_id = '${acme.teamId}'`);
  expect(timer).toMatchObject({ kind: "fold-search-texts" });
  await app.perform(system, foldSearchTexts, { ...fired, data: JSON.parse(String(timer?.data)) });
  expect((await inInbox(acme, "moechte jurgen")).conversations).toEqual(["Jürgen Müller"]);
});

// Thousands of requests, and the rule knows no engine.
test.runIf(deep || engine === "sqlite")(
  "a team that has more than fits into one piece is folded to its oldest contact and message",
  async () => {
    const acme = await team();
    const arrives = (name: string, content: string) =>
      app.perform(acme.actor, initializeContact, {
        ...{ widgetId: acme.widgetId, details: { name }, pageVisits: [] },
        message: { content, attachments: [] },
      });
    await arrives("Jürgen Müller", "Schöne Decken");
    for (let count = 0; count < AT_ONCE; count += 1) await arrives("Vera", "Hello");
    await query(storage, `UPDATE contacts SET search_text = lower(name) WHERE team_id = '${acme.teamId}'`);
    await query(storage, `UPDATE messages SET content_folded = lower(content) WHERE team_id = '${acme.teamId}'`);

    const pieces: FoldedSoFar["of"][] = [];
    for (let data: FoldedSoFar | null = null; ; ) {
      await query(storage, `DELETE FROM timers WHERE team_id = '${acme.teamId}'`);
      const fired = { subjectId: acme.teamId, armedFor: 0, data };
      await app.perform({ kind: "system", teamId: acme.teamId }, foldSearchTexts, fired);
      const [timer] = await query(storage, `SELECT data FROM timers WHERE team_id = '${acme.teamId}'`);
      if (!timer) break;
      data = JSON.parse(String(timer.data)) as FoldedSoFar;
      pieces.push(data.of);
    }
    expect(pieces).toEqual(["contacts", "messages", "messages", "subjects"]);
    expect(await inContacts(acme, "mueller")).toEqual(["Jürgen Müller"]);
    expect((await inInbox(acme, "schoene decken")).conversations).toEqual(["Jürgen Müller"]);
  },
);

test("no typo is forgiven beside a person who is called what was typed", async () => {
  const acme = await team();
  await veraWrites(acme, { name: "Dora", content: "Is the blanket warm?" });
  expect(await inInbox(acme, "blankt")).toEqual({ people: [], conversations: ["Dora"], unknown: [] });
  await veraArrives(acme, { name: "Blankt" });
  expect(await inInbox(acme, "blankt")).toEqual({ people: ["Blankt"], conversations: [], unknown: [] });
});

test("of words in several messages, or in the name, a message that has what it can is shown", async () => {
  const acme = await team();
  const { contactId } = await veraWrites(acme, { name: "Dora", content: "Is the blanket warm?" });
  for (const content of ["Send it to Lisbon", "Thanks"]) await veraWrites(acme, { content, contact_id: contactId });
  const shown = async (search: string): Promise<string[]> => {
    const found: InboxFound = await adasInbox(app, acme).get(`/search?q=${encodeURIComponent(search)}`);
    return found.messages.map(({ excerpt }) => excerpt);
  };
  expect(await shown("blanket lisbon")).toEqual(["Is the blanket warm?"]);
  expect(await shown("dora lisbon")).toEqual(["Send it to Lisbon"]);
});

describe("operators narrow a search", () => {
  let acme: TestTeam;
  beforeAll(async () => {
    acme = await team();
    const ada = adasInbox(app, acme);
    const DAY_MS = 86_400_000;
    const writes = async (name: string, content: string) => {
      const { conversationId } = await veraWrites(acme, { name, content, email: `${name.toLowerCase()}@example.com` });
      clock.advance(1_000);
      return conversationId;
    };
    clock.advance(Date.parse("2027-03-01T23:30:00Z") - clock.now());
    const old = await writes("Olga", "an old refund");
    clock.advance(10 * DAY_MS);
    const snoozed = await writes("Sven", "a refund, please");
    const resolved = await writes("Rita", "the refund came");
    const open = await writes("Omar", "my refund");
    await writes("Omar", "my order");
    await ada.post(`/conversations/${old}/tag`, { name: "Großkunde", color: "red" });
    for (const id of [old, resolved]) await ada.post(`/conversations/${id}/tag`, { name: "big order", color: "red" });
    await ada.post(`/conversations/${open}/tag`, { name: "Café", color: "red" });
    await ada.post(`/conversations/${snoozed}/tag`, { name: "Cafe", color: "red" });
    await ada.post(`/conversations/${snoozed}/snooze`, { until_reply: true });
    await ada.post(`/conversations/${resolved}/resolve`);
    await adaReplies(acme, open, { content: "It is on its way.", type: "note" });
  });

  test.each([
    ["refund tag:grosskunde", ["Olga"]],
    ['tag:"Big Order" refund', ["Olga", "Rita"]],
    ['refund tag:"big order" tag:Großkunde', ["Olga"]],
    ['tag:"big order"', ["Olga", "Rita"]],
    ['tag:"big order" tag:"BIG ORDER"', ["Olga", "Rita"]],
    ["tag:café", ["Omar"]],
    ["tag:cafe", ["Sven"]],
    ["status:open refund", ["Olga", "Omar"]],
    ["refund status:snoozed", ["Sven"]],
    ["status:snoozed status:Snoozed", ["Sven"]],
    ["STATUS:Resolved", ["Rita"]],
    ['tag:"big order" status:open', ["Olga"]],
    ["from:olga", ["Olga"]],
    ["from:olga refund", ["Olga"]],
    ["from:olga order", []],
    ["from:sven@example.com status:snoozed", ["Sven"]],
    ["refund before:2027-03-05", ["Olga"]],
    ["refund before:2027-03-05 before:2028", ["Olga"]],
    ["refund after:2027-03-05", ["Omar", "Rita", "Sven"]],
    ["refund after:2027-03-05 after:2026", ["Omar", "Rita", "Sven"]],
    ["after:2027-03 before:2027-03-05", ["Olga"]],
    ["after:2028", []],
    ["refudn status:snoozed", ["Sven"]],
  ])("%s", async (search, conversations) => {
    const found = await inInbox(acme, search);
    expect(found).toMatchObject({ conversations, unknown: [] });
  });

  test("a day begins in the time zone of the agent", async () => {
    for (const [zone, names] of [
      ["Europe/Berlin", ["Olga"]],
      ["UTC", []],
      ["America/New_York", []],
      ["No/Where", []],
    ] as const) {
      const found = await inInbox(acme, "refund after:2027-03-02 before:2027-03-03", `&time_zone=${zone}`);
      expect([zone, found.conversations]).toEqual([zone, names]);
    }
  });

  test.each([
    ["refund tag:vip", { operator: "tag", value: "vip" }],
    ["status:closed", { operator: "status", value: "closed" }],
    ["refund status:open status:resolved", { operator: "status", value: "resolved" }],
    ["before:yesterday refund", { operator: "before", value: "yesterday" }],
    ["after:2027-02-30", { operator: "after", value: "2027-02-30" }],
  ])("%s finds nothing, and says what is not known", async (search, unknown) => {
    expect(await inInbox(acme, search)).toEqual({ people: [], conversations: [], unknown: [unknown] });
  });

  test("of people, those are found whom from: names, when nothing is asked that only conversations have", async () => {
    expect((await inInbox(acme, "from:olga")).people).toEqual(["Olga"]);
    expect((await inInbox(acme, "from:olga status:open")).people).toEqual([]);
    expect((await inInbox(acme, "refund tag:")).conversations).toHaveLength(4);
  });
});
