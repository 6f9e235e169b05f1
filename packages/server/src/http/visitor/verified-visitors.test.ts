/** Visitors for whom the owner's server vouches (docs/decisions/0023-verified-visitors.md). */
import { randomUUID } from "node:crypto";
import type { HttpOperation } from "@frontdesk/core/contract";
import { visitorOperations } from "@frontdesk/core/contract/visitor";
import { problemsOf } from "@frontdesk/testing/ajv";
import { browser, newVisitorToken } from "@frontdesk/testing/browser-visitor";
import { block } from "@frontdesk/testing/insert-rows";
import { dump } from "@frontdesk/testing/second-app";
import { newIdentitySecret, signedToken } from "@frontdesk/testing/signed-identity";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { adaReplies, contactOf, eventNamesOf, veraWrites } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";
import { createWidget } from "../../widgets/create-widget.ts";
import { updateWidget } from "../../widgets/update-widget.ts";

const { app, storage, clock, team } = await startTestApp();

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let addresses = 0;
/** Each from an address of its own, so that no test meets the limit of another. */
function newAddress(): string {
  addresses += 1;
  return `10.0.${addresses >> 8}.${addresses & 255}`;
}

const seconds = (ms: number) => Math.floor(ms / 1_000);

/** A team that vouches for its visitors. `vouch` signs an identity for an hour. */
async function vouchingTeam() {
  const acme = await team();
  const secret = await newIdentitySecret(acme);
  const vouch = (sub: string, claims: object = {}) =>
    signedToken(secret, { sub, exp: seconds(clock.now() + HOUR_MS), ...claims });
  const identify = (visitor: ReturnType<typeof browser>, body: object) => visitor.ask("POST", "/introduce", body);
  /** A verified visitor who has written once. */
  async function known(sub: string, claims: object = {}) {
    const visitor = browser(app, acme, { address: newAddress() });
    const { body } = await visitor.write(`I am ${sub}.`, { identity: vouch(sub, claims) });
    return { ...visitor, contactId: body.contact.id as string, conversationId: body.message.conversation_id as string };
  }
  return {
    ...acme,
    secret,
    vouch,
    identify,
    known,
    browser: (more: { token?: string; address?: string } = {}) =>
      browser(app, acme, { address: newAddress(), ...more }),
  };
}

type VouchingTeam = Awaited<ReturnType<typeof vouchingTeam>>;

const contentsOf = (chat: { messages: { content: string }[] }) => chat.messages.map(({ content }) => content);

describe("who a visitor is", () => {
  test("what an identity says of a visitor who has not written is named, so that no form asks for it", async () => {
    const acme = await vouchingTeam();
    const given = async (claims: object, page = {}) => {
      const { body } = await acme.identify(acme.browser(), { identity: acme.vouch("7", claims), ...page });
      return body.given;
    };
    expect(await given({ name: "Vera", email: "vera@acme.test" })).toEqual(["name", "email"]);
    expect(await given({ email: "vera@acme.test" })).toEqual(["email"]);
    expect(await given({}, { name: "Vera", email: "vera@acme.test" })).toEqual([]);
  });

  test("a visitor who is not known and has not written is no contact, and nothing is stored", async () => {
    const acme = await vouchingTeam();
    const before = await dump(storage);
    const { status, body } = await acme.identify(acme.browser(), { identity: acme.vouch("7"), name: "Vera" });
    expect({ status, body }).toEqual({
      status: 200,
      body: { contact: null, verified_until: null, given: [], ignored: [] },
    });
    expect(await acme.identify(acme.browser(), { name: "Vera" })).toMatchObject({
      status: 200,
      body: { contact: null },
    });
    expect(await dump(storage)).toBe(before);
  });

  test("the first message makes the verified contact, with what the identity says and not the page", async () => {
    const acme = await vouchingTeam();
    const vera = acme.browser();
    const claims = { email: "vera@acme.test", name: "Vera Costa", data: { plan: "Business", seats: 5, trial: false } };
    const said = { name: "V", email: "v@else.test", phone: "+351912345678" };
    const identity = acme.vouch("customer-7", claims);
    const { status, body } = await vera.write("Hello", { ...said, identity });
    expect(status).toBe(201);
    expect(await contactOf(acme, body.contact.id)).toMatchObject({
      verified_id: "customer-7",
      verified_email: "vera@acme.test",
      email: "vera@acme.test",
      name: "Vera Costa",
      phone: "+351912345678",
    });
    const { body: data } = await acme.get(`/contacts/${body.contact.id}/custom-data`);
    expect(
      data.data.map(({ attributes: { name, value } }: { attributes: Record<string, string> }) => [name, value]),
    ).toEqual([
      ["plan", "Business"],
      ["seats", "5"],
      ["trial", "false"],
    ]);
    expect((await acme.events()).filter(({ name }) => name === "contact.updated")).toEqual([]);
  });

  test("a first message that is sent twice at once, and two browsers at once, make one contact", async () => {
    const acme = await vouchingTeam();
    const [phone, laptop] = [acme.browser(), acme.browser()];
    const again = { client_id: randomUUID(), identity: acme.vouch("7") };
    const answers = await Promise.all([
      phone.write("Hello", again),
      phone.write("Hello", again),
      laptop.write("Hello from here", { identity: acme.vouch("7") }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.contact.id)).size).toBe(1);
    expect((await phone.chat()).body.messages).toHaveLength(2);
  });

  test("a visitor who has written becomes the verified contact, and keeps their conversation", async () => {
    const acme = await vouchingTeam();
    const vera = acme.browser();
    const { body: written } = await vera.write("Hello", { name: "V", email: "v@else.test" });
    const identity = acme.vouch("7", { email: "vera@acme.test" });
    const names = await eventNamesOf(acme, async () => {
      const { body } = await acme.identify(vera, { identity });
      expect(problemsOf(visitorOperations.introduce.responses[200].body, body)).toEqual([]);
      expect(body).toEqual({
        contact: { id: written.contact.id, name: "V", email: "vera@acme.test" },
        verified_until: new Date(seconds(clock.now() + HOUR_MS) * 1_000).toISOString(),
        given: [],
        ignored: [],
      });
    });
    expect(names).toEqual(["visitor-session.verified", "contact.updated"]);
    const event = (await acme.events()).at(-1);
    expect(event?.data).toMatchObject({
      updated_fields: ["email", "verified_id", "verified_email"],
      previous_values: { email: "v@else.test", verified_id: null, verified_email: null },
    });
    expect(contentsOf((await vera.chat()).body)).toEqual(["Hello"]);
    expect(await eventNamesOf(acme, () => acme.identify(vera, { identity }))).toEqual([]);
  });

  test("on a new device a verified visitor has their history at once", async () => {
    const acme = await vouchingTeam();
    const { contactId, conversationId } = await acme.known("7");
    await adaReplies(acme, conversationId, { content: "Hello again." });
    const tablet = acme.browser();
    expect((await acme.identify(tablet, { identity: acme.vouch("7") })).body.contact.id).toBe(contactId);
    expect(contentsOf((await tablet.chat()).body)).toEqual(["Hello again.", "I am 7."]);
    const other = acme.browser();
    expect((await other.write("And here", { identity: acme.vouch("7") })).body.contact.id).toBe(contactId);
  });

  test("an unverified visitor who turns out to be known moves there, and the old conversation says so to the team", async () => {
    const acme = await vouchingTeam();
    const { contactId } = await acme.known("7", { name: "Vera Costa" });
    const guest = acme.browser();
    const { body } = await guest.write("Do you ship to Portugal?");
    const old = body.message.conversation_id;
    const listed = (await acme.get(`/conversations/${old}/messages`)).body;
    const names = await eventNamesOf(acme, () => acme.identify(guest, { identity: acme.vouch("7") }));
    expect(names).toEqual(["visitor-session.moved", "system-line.added"]);
    expect(contentsOf((await guest.chat()).body)).toEqual(["I am 7."]);

    const line = (await acme.events()).at(-1);
    expect(line).toMatchObject({
      conversation_id: old,
      data: { message: { content: expect.stringMatching(/recognised .* Vera Costa \(7\)/) } },
    });
    // REST lists leave system lines out, and what was said is still there (decision 6).
    expect((await acme.get(`/conversations/${old}/messages`)).body).toEqual(listed);
    expect((await acme.get(`/contacts/${body.contact.id}`)).status).toBe(200);

    expect((await guest.write("One more thing")).body.contact.id).toBe(contactId);
    expect((await guest.seen(old, 1)).status).toBe(404);
  });

  test("a browser whose page vouches for another person shows that one, or no contact", async () => {
    const acme = await vouchingTeam();
    const [vera, hugo] = [await acme.known("vera"), await acme.known("hugo")];
    expect((await acme.identify(vera, { identity: acme.vouch("hugo") })).body.contact.id).toBe(hugo.contactId);
    expect(contentsOf((await vera.chat()).body)).toEqual(["I am hugo."]);

    expect((await acme.identify(vera, { identity: acme.vouch("somebody new") })).body).toMatchObject({
      contact: null,
    });
    expect((await vera.chat()).status).toBe(401);
    const { body } = await vera.write("I am new", { identity: acme.vouch("somebody new") });
    expect([vera.contactId, hugo.contactId]).not.toContain(body.contact.id);
    expect(contentsOf((await vera.chat()).body)).toEqual(["I am new"]);
    // No contact has lost anything.
    await acme.identify(vera, { identity: acme.vouch("vera") });
    expect(contentsOf((await vera.chat()).body)).toEqual(["I am vera."]);
  });

  test("the same id in another team, and of another widget of the team, is theirs", async () => {
    const [acme, sams] = [await vouchingTeam(), await vouchingTeam()];
    const mine = await acme.known("7");
    expect((await sams.known("7")).contactId).not.toBe(mine.contactId);
    const shop = await app.perform(acme.actor, createWidget, { name: "Shop" });
    const identity = signedToken(await newIdentitySecret(acme, shop.id), { sub: "7", exp: seconds(clock.now()) + 60 });
    const there = browser(app, { widgetId: shop.id });
    expect((await there.ask("POST", "/introduce", { identity })).body.contact.id).toBe(mine.contactId);
  });

  test("a verified visitor who is blocked reads, and writes no more", async () => {
    const acme = await vouchingTeam();
    const vera = await acme.known("7");
    await block(storage, acme, vera.contactId);
    const identity = acme.vouch("7", { data: { plan: "Free" } });
    expect((await vera.write("Hello?", { identity })).status).toBe(403);
    expect(await eventNamesOf(acme, () => acme.identify(vera, { name: "Vera the blocked" }))).toEqual([]);
    expect((await acme.identify(acme.browser(), { identity: acme.vouch("7") })).body.contact.id).toBe(vera.contactId);
  });
});

describe("a verified session", () => {
  /** Everything else that a visitor can ask. */
  const others = Object.entries<HttpOperation>(visitorOperations).filter(
    ([, { body }]) => !(body && "identity" in body.properties),
  );

  test("ends with its identity: the visitor is asked to be identified again, whatever they ask", async () => {
    const acme = await vouchingTeam();
    const vera = await acme.known("7");
    clock.advance(HOUR_MS + 29_000);
    expect((await vera.chat()).status).toBe(200);
    clock.advance(2_000);

    const again = { status: 401, body: { message: expect.any(String), errors: { identity: [expect.any(String)] } } };
    expect(others.length).toBeGreaterThanOrEqual(3);
    const asked = {
      openChat: undefined,
      seeMessages: { conversation_id: vera.conversationId, sort_number: 1 },
      rate: { conversation_id: vera.conversationId, rating: 5 },
    } as Record<string, object | undefined>;
    for (const [name, { method, path }] of others) {
      expect(await vera.ask(method as "GET" | "POST", path, asked[name]), name).toMatchObject(again);
    }
    const before = await dump(storage);
    expect(await vera.ask("POST", "/messages", { client_id: randomUUID(), content: "Hello?" })).toMatchObject(again);
    expect(await acme.identify(vera, { name: "V" })).toMatchObject(again);
    const upload = await app.http.inject({
      method: "POST",
      url: `/visitor/${acme.widgetId}/files?name=a.png`,
      headers: { authorization: `Bearer ${vera.token}`, "content-type": "application/octet-stream" },
      payload: Buffer.from("x"),
    });
    expect({ status: upload.statusCode, body: upload.json() }).toMatchObject(again);
    expect(await dump(storage)).toBe(before);
    // A token that was never valid gets another answer.
    expect((await acme.browser().chat()).body.errors).toBeUndefined();
  });

  test("goes on when the page identifies the visitor again, before its end or after it, and with a message too", async () => {
    const acme = await vouchingTeam();
    const vera = await acme.known("7");
    clock.advance(HOUR_MS - MINUTE_MS);
    await acme.identify(vera, { identity: acme.vouch("7") });
    clock.advance(HOUR_MS - MINUTE_MS);
    expect((await vera.chat()).status).toBe(200);
    clock.advance(HOUR_MS);
    expect((await vera.chat()).status).toBe(401);
    await acme.identify(vera, { identity: acme.vouch("7") });
    expect((await vera.chat()).status).toBe(200);
    clock.advance(2 * HOUR_MS);
    expect((await vera.write("Still here", { identity: acme.vouch("7") })).status).toBe(201);
    expect(contentsOf((await vera.chat()).body)).toEqual(["Still here", "I am 7."]);
  });

  test("loses nothing by an older identity that still counts", async () => {
    const acme = await vouchingTeam();
    const older = acme.vouch("7", { exp: seconds(clock.now() + 10 * MINUTE_MS) });
    const vera = await acme.known("7");
    const { body } = await acme.identify(vera, { identity: older });
    expect(Date.parse(body.verified_until)).toBeGreaterThan(clock.now() + 50 * MINUTE_MS);
  });

  test("begins with a time that may be up to 24 hours ahead, and never beyond it", async () => {
    const acme = await vouchingTeam();
    const day = seconds(clock.now() + 24 * HOUR_MS);
    expect((await acme.identify(acme.browser(), { identity: acme.vouch("7", { exp: day }) })).status).toBe(200);
    const refused = await acme.identify(acme.browser(), { identity: acme.vouch("7", { exp: day + 31 }) });
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: { identity: [expect.stringContaining("24 hours")] } },
    });
  });

  test("and what the old secret has signed end at once when another one takes its place; other widgets' go on", async () => {
    const acme = await vouchingTeam();
    const shop = await app.perform(acme.actor, createWidget, { name: "Shop" });
    const shopSecret = await newIdentitySecret(acme, shop.id);
    const vera = await acme.known("7");
    const guest = acme.browser();
    await guest.write("Nobody vouches for me");
    const there = browser(app, { widgetId: shop.id });
    const identity = signedToken(shopSecret, { sub: "8", exp: seconds(clock.now() + HOUR_MS) });
    await there.write("I am 8.", { identity });
    const signed = acme.vouch("7");

    const secret = await newIdentitySecret(acme);
    expect(secret).not.toBe(acme.secret);
    expect((await vera.chat()).body.errors).toHaveProperty("identity");
    expect((await acme.identify(acme.browser(), { identity: signed })).status).toBe(422);
    expect((await guest.chat()).status).toBe(200);
    expect((await there.chat()).status).toBe(200);
    const anew = signedToken(secret, { sub: "7", exp: seconds(clock.now() + HOUR_MS) });
    await acme.identify(vera, { identity: anew });
    expect(contentsOf((await vera.chat()).body)).toEqual(["I am 7."]);
  });
});

describe("an attacker", () => {
  const claims = (acme: VouchingTeam, more: object = {}) => ({
    sub: "7",
    exp: seconds(clock.now() + HOUR_MS),
    ...more,
    of: acme.teamId,
  });
  const swap = (token: string, at: number, part: string) => token.split(".").with(at, part).join(".");
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

  test.each<[string, (acme: VouchingTeam) => string | Promise<string>]>([
    ["who signs with nothing", (acme) => `${encoded({ alg: "none" })}.${encoded(claims(acme))}.`],
    ["who says none and keeps the signature", (acme) => swap(acme.vouch("7"), 0, encoded({ alg: "none" }))],
    ["who says None", (acme) => signedToken(acme.secret, claims(acme), { alg: "None" })],
    ["who takes the secret for an RSA key", (acme) => signedToken(acme.secret, claims(acme), { alg: "RS256" })],
    ["who signs with HS512", (acme) => signedToken(acme.secret, claims(acme), { alg: "HS512" }, "sha512")],
    ["who says ES256", (acme) => signedToken(acme.secret, claims(acme), { alg: "ES256" })],
    ["who names no algorithm", (acme) => signedToken(acme.secret, claims(acme), {})],
    [
      "who brings a key along",
      (acme) => signedToken("k", claims(acme), { alg: "HS256", jwk: { kty: "oct", k: "aw" } }),
    ],
    [
      "who leaves the payload out of the text",
      (acme) => signedToken(acme.secret, claims(acme), { alg: "HS256", b64: false, crit: ["b64"] }),
    ],
    ["who makes up a secret", (acme) => signedToken("a secret of mine", claims(acme))],
    ["who signs with an empty secret", (acme) => signedToken("", claims(acme))],
    ["who signs with the widget's id", (acme) => signedToken(acme.widgetId, claims(acme))],
    ["who changes who it is", (acme) => swap(acme.vouch("8"), 1, encoded(claims(acme)))],
    ["who cuts the signature off", (acme) => swap(acme.vouch("7"), 2, "")],
    ["who changes the signature", (acme) => acme.vouch("7").replace(/.$/, (end) => (end === "A" ? "Q" : "A"))],
    ["who sends no token", () => "7"],
    ["who sends the token in five parts", (acme) => `${acme.vouch("7")}.x.y`],
    [
      "who has the secret of another widget",
      async (acme) => {
        const shop = await app.perform(acme.actor, createWidget, { name: "Shop" });
        return signedToken(await newIdentitySecret(acme, shop.id), claims(acme));
      },
    ],
    ["who has the secret of another team", async () => (await vouchingTeam()).vouch("7")],
  ])("%s is refused in one and the same way", async (_who, forge) => {
    const acme = await vouchingTeam();
    await acme.known("7");
    const forged = await forge(acme);
    const mallory = acme.browser();
    const before = await dump(storage);
    const answers = [
      await acme.identify(mallory, { identity: forged }),
      await mallory.ask("POST", "/messages", { client_id: randomUUID(), content: "Let me in", identity: forged }),
    ];
    for (const { status, body } of answers) {
      expect({ status, errors: body.errors }).toEqual({
        status: 422,
        errors: { identity: ["It must be a JWT, signed with HS256 and the identity secret of this widget."] },
      });
      expect(JSON.stringify(body)).not.toContain(acme.secret);
    }
    expect((await mallory.chat()).status).toBe(401);
    expect(await dump(storage)).toBe(before);
  });

  test("is refused where no secret was ever made", async () => {
    const acme = await team();
    const identity = signedToken("", { sub: "7", exp: seconds(clock.now()) + 60 });
    expect((await browser(app, acme).ask("POST", "/introduce", { identity })).body.errors).toHaveProperty("identity");
  });

  test("an old identity is refused as expired, in words of its own", async () => {
    const acme = await vouchingTeam();
    await acme.known("7");
    const identity = acme.vouch("7", { exp: seconds(clock.now()) - 31, email: "no e-mail" });
    const { status, body } = await acme.identify(acme.browser(), { identity });
    expect({ status, fields: Object.keys(body.errors) }).toEqual({ status: 422, fields: ["identity.exp"] });
  });

  test.each<[string, object | string, string]>([
    ["for ten years", { exp: 4_102_444_800 }, "identity"],
    ["for ever", { exp: undefined }, "identity"],
    ["until a text", { exp: "tomorrow" }, "identity"],
    ["for later", { nbf: 4_102_444_800 }, "identity"],
    ["for nobody", { sub: undefined }, "identity.sub"],
    ["for an empty id", { sub: "" }, "identity.sub"],
    ["for a number", { sub: 7 }, "identity.sub"],
    ["for an id of 256 characters", { sub: "7".repeat(256) }, "identity.sub"],
    ["for an id that cannot be stored", { sub: "7\0" }, "identity"],
    ["for what is no e-mail", { email: "vera" }, "identity.email"],
    ["for what is no phone number", { phone: "0049 341" }, "identity.phone"],
    ["for an empty name", { name: "" }, "identity.name"],
    ["for lists in its data", { data: { plans: ["a"] } }, "identity.data.plans"],
    [
      "for too much data",
      { data: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`f${n}`, n])) },
      "identity.data",
    ],
    ["for a name without letters in its data", { data: { " ": "x" } }, "identity.data"],
    ["for a list", "[]", "identity"],
    ["for what is no JSON", "{", "identity"],
    ["for one who is named twice", `{"sub":"7","sub":"8","exp":${4_102_444_800}}`, "identity"],
  ])("a signature %s is refused with the field's name, and nothing is stored", async (_what, payload, field) => {
    const acme = await vouchingTeam();
    const said = typeof payload === "string" ? payload : { ...claims(acme), ...payload };
    const before = await dump(storage);
    const { status, body } = await acme.browser().write("Hello", { identity: signedToken(acme.secret, said) });
    expect({ status, fields: Object.keys(body.errors ?? {}) }).toEqual({ status: 422, fields: [field] });
    expect(await dump(storage)).toBe(before);
  });

  test("with an identity of more than 4,096 characters is refused before it is read", async () => {
    const acme = await vouchingTeam();
    const { status, body } = await acme.identify(acme.browser(), { identity: "a".repeat(4_097) });
    expect({ status, errors: body.errors }).toMatchObject({
      status: 422,
      errors: { identity: [expect.stringContaining("4096")] },
    });
  });

  test("who types the e-mail of a verified contact, or its fields, is another contact", async () => {
    const acme = await vouchingTeam();
    const vera = await acme.known("7", { email: "vera@acme.test" });
    const mallory = acme.browser();
    const fields = { verified_id: "7", verified_email: "vera@acme.test", contact_id: vera.contactId };
    const { body } = await mallory.write("It is me", { email: "vera@acme.test", ...fields });
    await acme.identify(mallory, { email: "vera@acme.test", ...fields });
    expect(body.contact.id).not.toBe(vera.contactId);
    expect(await contactOf(acme, body.contact.id)).toMatchObject({ verified_id: null, verified_email: null });
    expect((await mallory.chat()).body.messages).toHaveLength(1);
    // A program may choose a contact by e-mail, and thereby lets no visitor in.
    clock.advance(MINUTE_MS);
    await vera.write("Back again");
    await veraWrites(acme, { email: "vera@acme.test", content: "By a program" });
    expect((await mallory.chat()).body.messages).toHaveLength(1);
  });

  test("a stolen token of a visitor shows nothing after it expires, and another token nothing at all", async () => {
    const acme = await vouchingTeam();
    const vera = await acme.known("7");
    const thief = acme.browser({ token: vera.token });
    expect((await thief.chat()).status).toBe(200);
    clock.advance(2 * HOUR_MS);
    expect((await thief.chat()).status).toBe(401);
    expect((await thief.write("Who am I?")).status).toBe(401);
    expect((await acme.browser({ token: newVisitorToken() }).chat()).status).toBe(401);
  });
});

describe("what the page says", () => {
  const identified = async (acme: VouchingTeam, visitor: ReturnType<typeof browser>, body: object) => {
    const { status, body: answer } = await acme.identify(visitor, body);
    expect(status).toBe(200);
    return answer;
  };

  test("changes an unverified contact, and records it with the page it was said on", async () => {
    const acme = await vouchingTeam();
    const vera = acme.browser();
    const page = { page: "https://acme.test/shop", date: "2026-11-20T08:59:00Z" };
    const { body } = await vera.write("Hello", { page_visited: [page] });
    const said = { name: "Vera", email: "vera@example.com", phone: "+351912345678" };
    expect(await eventNamesOf(acme, () => identified(acme, vera, said))).toEqual(["contact.updated"]);
    expect(await contactOf(acme, body.contact.id)).toMatchObject({
      ...said,
      is_name_updated: false,
      verified_email: null,
    });
    expect((await acme.events()).at(-1)?.data).toMatchObject({ source: page.page, updated_fields: Object.keys(said) });
    expect(await eventNamesOf(acme, () => identified(acme, vera, said))).toEqual([]);
  });

  test("fills in what is empty of a verified contact, and changes nothing", async () => {
    const acme = await vouchingTeam();
    const vera = await acme.known("7", { email: "vera@acme.test" });
    await identified(acme, vera, { name: "Vera", email: "other@else.test" });
    await identified(acme, vera, { name: "Somebody", phone: "+351912345678" });
    expect(await contactOf(acme, vera.contactId)).toMatchObject({
      name: "Vera",
      email: "vera@acme.test",
      phone: "+351912345678",
    });
    await identified(acme, vera, { identity: acme.vouch("7", { name: "Vera Costa", email: "vera@new.test" }) });
    expect(await contactOf(acme, vera.contactId)).toMatchObject({
      name: "Vera Costa",
      email: "vera@new.test",
      verified_email: "vera@new.test",
    });
  });

  test("does not take the place of a name that the team has given", async () => {
    const acme = await vouchingTeam();
    const vera = await acme.known("7", { name: "Vera" });
    await acme.put(`/contacts/${vera.contactId}`, { name: "Vera (VIP)" });
    await identified(acme, vera, { identity: acme.vouch("7", { name: "Vera" }), name: "V" });
    expect((await contactOf(acme, vera.contactId)).name).toBe("Vera (VIP)");
  });

  test("sets the custom data that the widget lets pages set, and answers the names of the rest", async () => {
    const acme = await vouchingTeam();
    const settings = { page_fields: ["cart", "constructor"] };
    await app.perform(acme.actor, updateWidget, { widgetId: acme.widgetId, change: { settings } });
    const vera = acme.browser();
    const data = { cart: "3 items", plan: "Business", Cart: "x", constructor: "y" };
    expect(await identified(acme, vera, { data })).toEqual({
      contact: null,
      verified_until: null,
      given: [],
      ignored: ["plan", "Cart"],
    });
    const { body } = await vera.write("Hello", { data });
    const values = async () => {
      const { body: listed } = await acme.get(`/contacts/${body.contact.id}/custom-data`);
      return Object.fromEntries(
        listed.data.map(({ attributes }: { attributes: { name: string; value: string } }) => [
          attributes.name,
          attributes.value,
        ]),
      );
    };
    expect(await values()).toEqual({ cart: "3 items", constructor: "y" });
    const names = await eventNamesOf(acme, () => identified(acme, vera, { data: { cart: "4 items" } }));
    expect(names).toEqual(["custom.data.assigned"]);
    expect((await acme.events()).at(-1)?.data).toMatchObject({
      custom_data: { cart: "4 items" },
      assigned_by: { system: {} },
    });
    expect(await eventNamesOf(acme, () => identified(acme, vera, { data: { cart: "4 items", plan: "Free" } }))).toEqual(
      [],
    );
    expect(await values()).toEqual({ cart: "4 items", constructor: "y" });
  });

  test("has no say where the identity says otherwise at the same time", async () => {
    const acme = await vouchingTeam();
    await app.perform(acme.actor, updateWidget, {
      widgetId: acme.widgetId,
      change: { settings: { page_fields: ["plan"] } },
    });
    const vera = acme.browser();
    const identity = acme.vouch("7", { data: { plan: "Business" } });
    const { body } = await vera.write("Hello", { identity, data: { plan: "Free" } });
    const { body: listed } = await acme.get(`/contacts/${body.contact.id}/custom-data`);
    expect(listed.data[0].attributes).toMatchObject({ name: "plan", value: "Business" });
  });

  test("is bounded as every request of a visitor is", async () => {
    const acme = await vouchingTeam();
    const vera = acme.browser();
    await vera.say("Hello");
    const statuses = await Promise.all(Array.from({ length: 121 }, async () => (await acme.identify(vera, {})).status));
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    await acme.known("7");
    const strangers = [];
    const address = newAddress();
    for (let count = 0; count < 31; count += 1) {
      strangers.push((await acme.identify(acme.browser({ address }), { identity: acme.vouch("7") })).status);
    }
    expect(strangers.indexOf(429)).toBe(30);
  });
});
