/** A visitor gets their data themselves, by a link to their own address (docs/decisions/0056-export.md). */
import { widgetLanguages } from "@frontdesk/core/domain/widget-settings";
import { aiOf } from "@frontdesk/testing/held-by-ai";
import { readMail, startMailServer } from "@frontdesk/testing/mail-server";
import { dump, query } from "@frontdesk/testing/second-app";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { unzipped } from "@frontdesk/testing/unzipped";
import { adaReplies, veraWrites } from "@frontdesk/testing/vera";
import { afterAll, describe, expect, test } from "vitest";
import { expireExport } from "./expire-export.ts";
import { ownDataTexts } from "./own-data-texts.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const server = await startMailServer();
afterAll(server.stop);
const kit = await startTestApp({ SMTP_URL: `smtp://127.0.0.1:${server.port}`, TRUST_PROXY: "1" });
const { app, clock, storage } = kit;
await app.start();

let people = 0;
const somebody = () => {
  people += 1;
  return `vera${people}@visitor.test`;
};
const somewhere = () => ({ "x-forwarded-for": `203.0.113.${(people % 250) + 1}` });

async function page(method: "GET" | "POST", url: string, form?: Record<string, string>, language = "en") {
  const headers = {
    ...somewhere(),
    "accept-language": language,
    ...(form && { "content-type": "application/x-www-form-urlencoded" }),
  };
  const payload = form && new URLSearchParams(form).toString();
  const answer = await app.http.inject({ method, url, headers, ...(payload !== undefined && { payload }) });
  return { status: answer.statusCode, headers: answer.headers, html: answer.payload, content: answer.rawPayload };
}

/** A team whose visitors may ask. */
async function open(): Promise<TestTeam> {
  const acme = await kit.team();
  const abe = await signedIn(kit, acme, "CHAT_AGENT_ADMIN");
  const { status, body } = await abe.request("PUT", "/privacy/data-requests", { allowed: true });
  expect(status).toBe(200);
  expect(body).toMatchObject({ allowed: true, pages: [{ widget: "Website" }] });
  return acme;
}

/** Another contact with an address: by the widget, a known address leads to the same one. */
async function withAddress(acme: TestTeam, email: string) {
  const written = await veraWrites(acme, { email: somebody() });
  await query(
    storage,
    `UPDATE contacts SET email = '${email}', email_folded = '${email}' WHERE id = '${written.contactId}'`,
  );
  return written;
}

const ask = (acme: TestTeam, email: string, language?: string) =>
  page("POST", `/my-data/${acme.widgetId}`, { email }, language);
const mailsTo = (email: string) => server.inbox.filter(({ to }) => to.includes(email));
const linkIn = (text: string) => /\/my-data\/link\/\S+/.exec(text)?.[0] ?? "";

/** The path of the link in the newest mail to an address, once there are so many. */
async function mailedLink(email: string, mails = 1): Promise<string> {
  await expect.poll(() => mailsTo(email).length).toBe(mails);
  const mail = mailsTo(email).at(-1);
  return linkIn(mail ? readMail(mail).part("text/plain") : "");
}

/** Waits until the page of a link has its files, and returns their addresses. */
async function downloads(link: string): Promise<string[]> {
  const found = async () =>
    [...(await page("GET", link)).html.matchAll(/href="([^"]+\.zip)"/g)].map(([, href]) =>
      new URL(String(href), `https://acme.test${link}`).pathname.replace(/^\//, "/"),
    );
  await expect.poll(async () => (await found()).length).toBeGreaterThan(0);
  return found();
}

test("a visitor asks with their address, confirms by the mailed link, and downloads their data without notes", async () => {
  const acme = await open();
  const email = somebody();
  const { contactId, conversationId } = await veraWrites(acme, { email, content: "My words" });
  await adaReplies(acme, conversationId, { content: "A difficult person", type: "note" });
  await (await aiOf(app, acme)).says(conversationId, { content: "Words of a machine" });
  await veraWrites(acme, { name: "Nora", email: somebody(), content: "Somebody else's words" });

  const form = await page("GET", `/my-data/${acme.widgetId}`);
  expect(form.status).toBe(200);
  expect(form.html).toContain('<label for="email">Email</label>');
  expect((await ask(acme, email.toUpperCase())).html).toContain("Check your email");
  const link = await mailedLink(email);
  expect(await dump(storage)).not.toContain(link.split("/").at(-1));

  // Programs that check mails open links: nothing is made of that.
  for (const _ of [1, 2]) expect((await page("GET", link)).html).toContain("Create file");
  const exportsOf = async () => (await acme.get(`/contacts/${contactId}`)).status;
  expect(await exportsOf()).toBe(200);
  const states = async () =>
    (await query(storage, `SELECT state FROM exports WHERE contact_id = '${contactId}'`)).map(({ state }) => state);
  expect(await states()).toEqual(["requested"]);
  expect((await page("POST", link)).status).toBe(303);
  // A repeat makes nothing more.
  expect((await page("POST", link)).status).toBe(303);
  const [file = "", ...others] = await downloads(link);
  expect(others).toEqual([]);
  expect(await states()).toEqual(["done"]);
  const { status, headers, content } = await page("GET", file);
  expect(status).toBe(200);
  expect(headers).toMatchObject({ "content-type": "application/zip", "cache-control": "no-store" });
  const zip = unzipped(content);
  const whole = zip.names.map((name) => zip.read(name).toString()).join("\n");
  expect(whole).toContain("My words");
  for (const foreign of ["difficult", "Somebody else", acme.ada.email]) expect(whole).not.toContain(foreign);
  const [{ messages }] = JSON.parse(zip.read("conversations.json").toString()).conversations;
  expect(messages).toMatchObject([{ from: "contact" }, { content: "Words of a machine", by_ai: true }]);
  const lines = await query(
    storage,
    `SELECT action, what FROM audit_log WHERE team_id = '${acme.teamId}' AND action = 'confirm-own-data'`,
  );
  expect(lines.map(({ what }) => JSON.parse(String(what)))).toEqual([{ visitor: { id: contactId } }]);
});

test("the answer is the same for an address that nobody has, and no mail is sent to it", async () => {
  const acme = await open();
  const [known, unknown] = [somebody(), somebody()];
  await veraWrites(acme, { email: known });
  const answers = [await ask(acme, known), await ask(acme, unknown)];
  expect(answers[0]?.html).toBe(answers[1]?.html);
  await mailedLink(known);
  const jobs = () =>
    query(storage, `SELECT state FROM jobs WHERE team_id = '${acme.teamId}' AND kind = 'mail-own-data-link'`);
  await expect.poll(async () => (await jobs()).map(({ state }) => state)).toEqual(["done", "done"]);
  expect(mailsTo(unknown)).toEqual([]);
});

test("a mailbox that only looks the same is another one", async () => {
  const acme = await open();
  const email = somebody();
  const lookalike = await withAddress(acme, email);
  await query(
    storage,
    `UPDATE contacts SET email = '${email.replace("vera", "ｖera")}' WHERE id = '${lookalike.contactId}'`,
  );
  const own = await withAddress(acme, email);
  await ask(acme, email);
  await mailedLink(email);
  const rows = await query(storage, `SELECT contact_id FROM exports WHERE team_id = '${acme.teamId}'`);
  expect(rows).toEqual([{ contact_id: own.contactId }]);
});

test("several contacts with an address are a file each, behind one link", async () => {
  const acme = await open();
  const email = somebody();
  for (const _ of [1, 2]) await withAddress(acme, email);
  await ask(acme, email);
  const link = await mailedLink(email);
  await page("POST", link);
  await expect.poll(async () => (await downloads(link)).length).toBe(2);
  for (const file of await downloads(link)) expect((await page("GET", file)).status).toBe(200);
});

test("a contact whose address was vouched for is given to that address alone", async () => {
  const acme = await open();
  const [vouched, typed] = [somebody(), somebody()];
  const { contactId } = await withAddress(acme, typed);
  const other = await withAddress(acme, typed);
  await query(storage, `UPDATE contacts SET verified_email = '${vouched}' WHERE id = '${contactId}'`);
  await ask(acme, typed);
  await mailedLink(typed);
  const rows = await query(storage, `SELECT contact_id FROM exports WHERE team_id = '${acme.teamId}'`);
  expect(rows).toEqual([{ contact_id: other.contactId }]);
});

test("nothing is offered until the team allows it, or after, and members may not allow it", async () => {
  const acme = await kit.team();
  const address = `/my-data/${acme.widgetId}`;
  expect((await page("GET", address)).status).toBe(404);
  expect((await ask(acme, somebody())).status).toBe(404);
  const mia = await signedIn(kit, acme, "CHAT_AGENT_MEMBER");
  expect((await mia.request("PUT", "/privacy/data-requests", { allowed: true })).status).toBe(403);
  const abe = await signedIn(kit, acme, "CHAT_AGENT_ADMIN");
  expect((await abe.get("/privacy/data-requests")).body.allowed).toBe(false);
  for (const allowed of [true, true, false]) await abe.request("PUT", "/privacy/data-requests", { allowed });
  expect((await page("GET", address)).status).toBe(404);
  const lines = await query(
    storage,
    `SELECT what FROM audit_log WHERE team_id = '${acme.teamId}' AND action = 'set-data-requests' ORDER BY id`,
  );
  expect(lines.map(({ what }) => JSON.parse(String(what)))).toEqual([{ allowed: true }, { allowed: false }]);
  expect((await page("GET", "/my-data/nothing")).status).toBe(404);
});

test("without a mail server nothing is offered", async () => {
  const on = await startTestApp();
  const acme = await on.team();
  const abe = await signedIn(on, acme, "CHAT_AGENT_ADMIN");
  await abe.request("PUT", "/privacy/data-requests", { allowed: true });
  expect((await on.app.http.inject({ url: `/my-data/${acme.widgetId}` })).statusCode).toBe(404);
});

test("an address gets three links an hour, whoever asks", async () => {
  const acme = await open();
  const email = somebody();
  await veraWrites(acme, { email });
  for (const _ of [1, 2, 3]) expect((await ask(acme, email)).status).toBe(200);
  expect((await ask(acme, email)).status).toBe(429);
  await mailedLink(email, 3);
});

test("what is no address is refused beside the field, with what was typed", async () => {
  const acme = await open();
  for (const wrong of ["vera", "", '"><b>@x', `${"v".repeat(260)}@visitor.test`]) {
    const { status, html } = await ask(acme, wrong);
    expect({ wrong, status }).toEqual({ wrong, status: 422 });
    expect(html).toContain('aria-invalid="true"');
    expect(html).not.toContain("<b>");
  }
});

describe("a link", () => {
  async function linked() {
    const acme = await open();
    const email = somebody();
    const written = await veraWrites(acme, { email });
    await ask(acme, email);
    return { acme, email, ...written, link: await mailedLink(email) };
  }
  const isGone = async (link: string) => {
    const { status, html } = await page("GET", link);
    return status === 404 && html.includes("no longer valid");
  };

  test("is valid for an hour until it is confirmed, and for 7 days after", async () => {
    const { link } = await linked();
    const other = await linked();
    clock.advance(HOUR_MS - 1);
    expect((await page("POST", link)).status).toBe(303);
    const [file = ""] = await downloads(link);
    clock.advance(1);
    expect(await isGone(other.link)).toBe(true);
    expect((await page("POST", other.link)).status).toBe(404);
    clock.advance(7 * DAY_MS - HOUR_MS);
    expect((await page("GET", file)).status).toBe(200);
    clock.advance(HOUR_MS);
    expect(await isGone(link)).toBe(true);
    expect((await page("GET", file)).status).toBe(404);
  });

  test("is deleted by its timer when nobody has confirmed it", async () => {
    const { contactId, acme, link } = await linked();
    const [row] = await query(storage, `SELECT id FROM exports WHERE contact_id = '${contactId}'`);
    const [timer] = await query(storage, `SELECT due_at FROM timers WHERE subject_id = '${row?.id}'`);
    expect(Number(timer?.due_at)).toBe(clock.now() + HOUR_MS);
    await app.perform(acme.actor, expireExport, { subjectId: String(row?.id), armedFor: clock.now(), data: null });
    expect(await isGone(link)).toBe(true);
  });

  test("is gone with its contact, before it is confirmed and after", async () => {
    const [one, other] = [await linked(), await linked()];
    await page("POST", other.link);
    const [file = ""] = await downloads(other.link);
    for (const { acme, contactId } of [one, other]) {
      expect((await acme.delete(`/contacts/${contactId}`)).status).toBe(202);
    }
    expect(await isGone(one.link)).toBe(true);
    expect(await isGone(other.link)).toBe(true);
    expect((await page("GET", file)).status).toBe(404);
  });

  test("opens nothing of another link or team, and what was only asked for is not shown to the team", async () => {
    const [one, other] = [await linked(), await linked()];
    const [row] = await query(storage, `SELECT id FROM exports WHERE contact_id = '${one.contactId}'`);
    expect((await one.acme.get(`/exports/${row?.id}`)).status).toBe(404);
    const abe = await signedIn(kit, one.acme, "CHAT_AGENT_ADMIN");
    expect((await abe.get(`/contacts/${one.contactId}/exports`)).body.exports).toEqual([]);
    await page("POST", one.link);
    const [file = ""] = await downloads(one.link);
    expect((await abe.get(`/contacts/${one.contactId}/exports`)).body.exports).toHaveLength(1);
    const [token, otherToken] = [one.link, other.link].map((link) => String(link.split("/").at(-1)));
    expect((await page("GET", file.replace(String(token), String(otherToken)))).status).toBe(404);
    expect(await isGone(`${one.link}x`)).toBe(true);
    expect(await isGone("/my-data/link/nothing")).toBe(true);
  });
});

test("pages and mail are in the language of the browser that asks", async () => {
  const acme = await open();
  for (const language of widgetLanguages) {
    const email = somebody();
    await veraWrites(acme, { email });
    const texts = ownDataTexts[language];
    const form = await page("GET", `/my-data/${acme.widgetId}`, undefined, language);
    expect(form.html).toContain(`<h1>${texts.askTitle}</h1>`);
    expect(form.html).toContain(language === "ar" ? '<html lang="ar" dir="rtl">' : `<html lang="${language}">`);
    await ask(acme, email, language);
    await expect.poll(() => mailsTo(email).length).toBe(1);
    const [mail] = mailsTo(email);
    if (mail) expect(readMail(mail).header("subject")).toBe(texts.mailSubject("Acme"));
  }
});
