/** Automatic replies to first mails (reference: section 6; B30, B33; F9, F22). */
import { widgetLanguages } from "@frontdesk/core/domain/widget-settings";
import { inDepth } from "@frontdesk/testing/depth";
import { readMail } from "@frontdesk/testing/mail-server";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { describe, expect, test } from "vitest";
import { mailRoom, nextNumber } from "../out/mailbox-for-tests.ts";
import { acknowledgementTexts } from "./acknowledgement-texts.ts";

const kit = await startTestApp({ CHANNEL_ALLOWED_NETWORKS: "127.0.0.1" });
const { app, storage, clock, team } = kit;
await app.start();
const { mailbox } = mailRoom(kit);

const DAY_MS = 86_400_000;
const SERVER = "mx.acme.example";
const PASSED = `Authentication-Results: ${SERVER}; dmarc=pass header.from=x`;
const ON = { authserv_id: SERVER, acknowledgement: { text: null, language: "en" } };

/** A mailbox that acknowledges, and how many mails wait to be sent from it or have been. */
async function scene(settings: object = {}, acme?: TestTeam) {
  const owner = acme ?? (await team());
  const box = await mailbox(owner, {}, { ...ON, ...settings });
  const sent = async () => {
    const rows = await query(
      storage,
      `SELECT message_id FROM mails WHERE account_id = '${box.id}' AND direction = 'out'`,
    );
    await expect.poll(() => box.smtp.mails.length).toBe(rows.length);
    return box.smtp.mails;
  };
  return { acme: owner, box, sent };
}

test("the first mail of a conversation is answered once, with fixed words, to its sender alone", async () => {
  const { acme, box, sent } = await scene();
  const subject = "Buy cheap watches";
  const more = [PASSED, `Subject: ${subject}`, "Reply-To: other@other.example"];
  const id = await box.arrives({
    from: "Evil Words <vera@vera.example>",
    cc: "will@will.example",
    more,
    text: "Hello",
  });
  const [mail, ...others] = await sent();
  expect(others).toEqual([]);
  expect(mail?.to).toEqual(["vera@vera.example"]);
  const read = readMail({ raw: mail?.raw ?? "" });
  expect(read.header("Subject")).toBe("We've received your email");
  expect(read.header("To")).toBe("vera@vera.example");
  expect(read.header("Auto-Submitted")).toBe("auto-replied");
  expect(read.header("X-Auto-Response-Suppress")).toBe("All");
  expect(read.part("text/plain").trim()).toBe(acknowledgementTexts.en.text);
  expect(mail?.raw).not.toMatch(/watches|Evil|Hello|will@/);
  // It is no reply: the conversation still waits, and no program hears of one.
  const events = (await acme.events()).map(({ name }) => name);
  expect(events).not.toContain("message.sent");
  const { data } = (await acme.get("/conversations/all")).body;
  expect(data).toMatchObject([{ id, attributes: { unread_messages: 1 } }]);
  expect((await acme.get(`/conversations/${id}/messages`)).body.data).toHaveLength(1);

  // What answers it is in the conversation, and is not acknowledged; nor is a second conversation on the same day.
  const to = read.header("Reply-To");
  expect(await box.arrives({ from: "vera@vera.example", to, more: [PASSED] })).toBe(id);
  expect(await box.arrives({ from: "vera@vera.example", more: [PASSED] })).not.toBe(id);
  expect(await sent()).toHaveLength(1);
  clock.advance(DAY_MS + 1);
  await box.arrives({ from: "vera@vera.example", more: [PASSED] });
  expect(await sent()).toHaveLength(2);
});

test("the text is the team's own, or ours in the language that is set, and a change is seen by REST", async () => {
  const { acme, box, sent } = await scene({
    acknowledgement: { text: "  We open at nine.\n\nAcme  ", language: "de" },
  });
  await box.arrives({ more: [PASSED] });
  const read = readMail({ raw: (await sent())[0]?.raw ?? "" });
  expect(read.header("Subject")).toBe(acknowledgementTexts.de.subject);
  expect(read.part("text/plain").trim()).toBe("We open at nine.\n\nAcme");
  const settings = async () => (await acme.get(`/channels/${box.id}`)).body.data.attributes.settings.acknowledgement;
  expect(await settings()).toEqual({ text: "We open at nine.\n\nAcme", language: "de" });
  expect((await acme.patch(`/channels/${box.id}`, { settings: { acknowledgement: { language: "xx" } } })).status).toBe(
    422,
  );
  await acme.patch(`/channels/${box.id}`, { settings: { acknowledgement: null } });
  expect(await settings()).toBeNull();
  await box.arrives({ from: "kim@kim.example", more: [PASSED] });
  expect(await sent()).toHaveLength(1);
  expect(Object.keys(acknowledgementTexts).toSorted()).toEqual([...widgetLanguages].toSorted());
});

test("it is off unless it is switched on", async () => {
  const { box, sent } = await scene({ acknowledgement: undefined });
  await box.arrives({ more: [PASSED] });
  expect(await sent()).toEqual([]);
});

describe("nothing is sent", () => {
  test.each([
    ["for a sender of whom nothing is known", []],
    ["for a forged sender", [`Authentication-Results: ${SERVER}; dmarc=fail`]],
    ["where another server vouches", ["Authentication-Results: mx.evil.example; dmarc=pass"]],
    ["where a sender has written a verdict below", [`Authentication-Results: ${SERVER}; dmarc=none`, PASSED]],
    ["to a list", [PASSED, "List-Id: <news.vera.example>"]],
    ["to bulk mail", [PASSED, "Precedence: bulk"]],
    ["to an automatic mail", [PASSED, "Auto-Submitted: auto-generated"]],
    ["to one with the null sender", ["Return-Path: <>", PASSED]],
    ["to one that suppresses answers", [PASSED, "X-Auto-Response-Suppress: All"]],
    ["to one of last week", [PASSED, "Date: Thu, 12 Nov 2026 09:00:00 +0000"]],
    ["to one with two senders", [PASSED, "From: other@vera.example"]],
  ])("%s", async (_, more) => {
    const { box, sent } = await scene();
    await box.arrives({ more });
    expect(await sent()).toEqual([]);
  });

  test("to addresses that no one reads, to our own, and to a suppressed one", async () => {
    const { acme, box, sent } = await scene();
    const other = await mailbox(acme);
    for (const from of [
      "noreply@shop.example",
      "do-not-reply+1@shop.example",
      "postmaster@mx.example",
      other.address,
    ]) {
      await box.arrives({ from, more: [PASSED] });
    }
    await query(
      storage,
      `INSERT INTO mail_suppressions (team_id, account_id, address, reason, created_at) VALUES ('${acme.teamId}', '${box.id}', 'gone@gone.example', 'x', 1)`,
    );
    // A mail from it lifts the suppression first: it exists after all.
    await box.arrives({ from: "gone@gone.example" });
    expect(await sent()).toEqual([]);
  });

  test("to mails with forged senders", async () => {
    const { box, sent } = await scene();
    const forged = inDepth(50, 1_000);
    for (let index = 0; index < forged; index += 1) {
      const verdict = index % 2 === 0 ? "fail" : "none";
      const lines = [
        `From: victim${index}@victims.example`,
        `To: ${box.address}`,
        `Message-ID: <f${nextNumber()}@evil>`,
      ];
      await box.post(
        [`Authentication-Results: ${SERVER}; dmarc=${verdict}`, ...lines, "Subject: x", "", "x"].join("\r\n"),
      );
    }
    const imported = `SELECT key FROM mail_imports WHERE account_id = '${box.id}' AND state = 'imported'`;
    await expect.poll(async () => (await query(storage, imported)).length).toBe(forged);
    expect(await sent()).toEqual([]);
  });
});

describe("two Frontdesks that acknowledge each other's mails", () => {
  /** A person writes from the second team's mailbox to the first one, which acknowledges it. */
  async function begun() {
    const [one, other] = [await scene(), await scene()];
    await one.box.arrives({ from: other.box.address, more: [PASSED] });
    const [first] = await one.sent();
    expect(first?.to).toEqual([other.box.address]);
    return { one, other, raw: first?.raw ?? "" };
  }
  const imported = (id: string) =>
    query(storage, `SELECT key FROM mail_imports WHERE account_id = '${id}'`).then((rows) => rows.length);

  test("stop after one mail", async () => {
    const { one, other, raw } = await begun();
    await other.box.post(`${PASSED}\r\n${raw}`);
    await expect.poll(() => imported(other.box.id)).toBe(1);
    expect([await one.sent(), await other.sent()].map(({ length }) => length)).toEqual([1, 0]);
  });

  test("stop also where a relay has removed what says that they are automatic", async () => {
    const { one, other, raw } = await begun();
    const plain = (mail: string) => mail.replace(/^(?:Auto-Submitted|X-Auto-Response-Suppress): .*\r\n/gim, "");
    await other.box.post(`${PASSED}\r\n${plain(raw)}`);
    await expect.poll(async () => (await other.sent()).length).toBe(1);
    const back = (await other.sent())[0]?.raw ?? "";
    await one.box.post(`${PASSED}\r\n${plain(back)}`);
    await expect.poll(() => imported(one.box.id)).toBe(2);
    expect([await one.sent(), await other.sent()].map(({ length }) => length)).toEqual([1, 1]);
  });
});
