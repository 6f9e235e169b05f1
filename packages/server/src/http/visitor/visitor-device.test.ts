/** What live chat knows of a visitor's browser and place (docs/decisions/0050-what-live-chat-knows-of-visitors.md). */
import { InboxContact, InboxConversationDetails } from "@frontdesk/core/contract/inbox";
import { problemsOf } from "@frontdesk/testing/ajv";
import { browser } from "@frontdesk/testing/browser-visitor";
import { adasInbox } from "@frontdesk/testing/inbox-client";
import { dump } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { contactOf, eventNamesOf, veraArrives } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";

const { app, storage, team } = await startTestApp();

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";
const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36";
const NOTHING_KNOWN = {
  ...{ browser_type: null, operating_system: null, timezone: null },
  ...{ location: null, country: null, country_code: null, country_emoji: null },
};

test("a visitor's browser, system and time zone are kept from the first message, and the zone's country is shown", async () => {
  const acme = await team();
  const vera = browser(app, acme, { headers: { "user-agent": FIREFOX } });
  const { body } = await vera.say("Hello", { timezone: "Europe/Berlin", language: "de" });
  expect(await contactOf(acme, body.contact.id)).toMatchObject({
    browser_type: "Firefox",
    operating_system: "Linux",
    timezone: "Europe/Berlin",
    language: "de",
    location: null,
    country: "Germany",
    country_code: "DE",
    country_emoji: "🇩🇪",
  });
});

test("client hints count where the browser sends them", async () => {
  const acme = await team();
  const headers = {
    "user-agent": CHROME,
    "sec-ch-ua": '"Not)A;Brand";v="8", "Chromium";v="138", "Brave";v="138"',
    "sec-ch-ua-platform": '"Android"',
  };
  const { body } = await browser(app, acme, { headers }).say("Hello");
  const contact = await contactOf(acme, body.contact.id);
  expect(contact).toMatchObject({ browser_type: "Brave", operating_system: "Android" });
});

test("who writes again from elsewhere is shown with what they write from now, and no program is told", async () => {
  const acme = await team();
  const vera = browser(app, acme, { headers: { "user-agent": FIREFOX } });
  const { body } = await vera.say("Hello", { timezone: "Europe/Berlin" });
  const { id } = body.contact;
  const again = browser(app, acme, { token: vera.token, headers: { "user-agent": IPHONE } });
  const events = await eventNamesOf(acme, () => again.say("I am on my way", { timezone: "America/New_York" }));
  expect(events).toEqual(["message.received"]);
  expect(await contactOf(acme, id)).toMatchObject({
    browser_type: "Safari",
    operating_system: "iOS",
    timezone: "America/New_York",
    country: "United States",
  });

  // What names neither, as an older widget without a time zone, leaves it as it was.
  await browser(app, acme, { token: vera.token }).say("Still there?");
  expect(await contactOf(acme, id)).toMatchObject({ browser_type: "Safari", timezone: "America/New_York" });

  // A browser whose system is unknown is not on the system of the one before.
  await browser(app, acme, { token: vera.token, headers: { "user-agent": "Chrome/138.0" } }).say("And here?");
  expect(await contactOf(acme, id)).toMatchObject({ browser_type: "Chrome", operating_system: null });
});

test.each([
  ["nothing", {}, {}],
  ["garbage", { "user-agent": `<script>${"(".repeat(2_000)}`, "sec-ch-ua": '""",;', "sec-ch-ua-platform": "?" }, {}],
  ["no zone", { "user-agent": "curl/8.14.1" }, { timezone: "" }],
])("of a visitor whose browser says %s, nothing is shown", async (_name, headers, more) => {
  const acme = await team();
  const { status, body } = await browser(app, acme, { headers }).say("Hello", more);
  expect(status).toBe(201);
  expect(await contactOf(acme, body.contact.id)).toMatchObject(NOTHING_KNOWN);
});

test("a time zone that is none is kept as it was sent, and leads to no country", async () => {
  const acme = await team();
  const { body } = await browser(app, acme).say("Hello", { timezone: "Europe/Bonn" });
  expect(await contactOf(acme, body.contact.id)).toMatchObject({ ...NOTHING_KNOWN, timezone: "Europe/Bonn" });
});

test("what a program has written of a contact stays: its country before any guess, and its browser", async () => {
  const acme = await team();
  const given = { country: "France", timezone: "Europe/Berlin", browser_type: "Kiosk", operating_system: "Booth 3" };
  const id = await veraArrives(acme, given);
  const request = { widget_id: acme.widgetId, contact_id: id, content: "Hello" };
  const headers = { "x-api-key": acme.apiKey, "user-agent": FIREFOX };
  const { statusCode } = await app.http.inject({
    method: "POST",
    url: "/api/v1/conversations",
    headers,
    payload: request,
  });
  expect(statusCode).toBe(200);
  expect(await contactOf(acme, id)).toMatchObject({ ...given, country_code: "FR" });
});

test("the address of a visitor is not stored", async () => {
  const acme = await team();
  const address = "203.0.113.77";
  const { body } = await browser(app, acme, { address }).say("Hello");
  expect(await contactOf(acme, body.contact.id)).toMatchObject({ ip: null });
  expect(await dump(storage)).not.toContain(address);
});

test("the inbox knows whether a country is a guess", async () => {
  const acme = await team();
  const ada = adasInbox(app, acme);
  const { body } = await browser(app, acme).say("Hello", { timezone: "Asia/Kolkata" });
  const details = await ada.get(`/conversations/${body.message.conversation_id}`);
  expect(problemsOf(InboxConversationDetails, details)).toEqual([]);
  expect(details).toMatchObject({ country_guessed: true, contact: { attributes: { country: "India" } } });
  const contact = await ada.get(`/contacts/${body.contact.id}`);
  expect(problemsOf(InboxContact, contact)).toEqual([]);
  expect(contact).toMatchObject({ country_guessed: true });

  const given = await veraArrives(acme, { country: "India", timezone: "Asia/Kolkata" });
  expect(await ada.get(`/contacts/${given}`)).toMatchObject({ country_guessed: false });
  const unknown = await veraArrives(acme);
  expect(await ada.get(`/contacts/${unknown}`)).toMatchObject({ country_guessed: false });
});
