/** Who gave the details of a contact, as agents see it (docs/decisions/0049-verified-and-unverified.md). */
import { InboxContact, InboxConversationDetails } from "@frontdesk/core/contract/inbox";
import { problemsOf } from "@frontdesk/testing/ajv";
import { browser } from "@frontdesk/testing/browser-visitor";
import { openLoft } from "@frontdesk/testing/pigeon";
import { dump, query } from "@frontdesk/testing/second-app";
import { newIdentitySecret, signedToken } from "@frontdesk/testing/signed-identity";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { updateWidget } from "../../widgets/update-widget.ts";

const kit = await startTestApp();
const { app, storage, clock, team } = kit;

let addresses = 0;

/** A team that vouches for its visitors, whose pages may set `plan`, and an agent of it. */
async function acmeAtWork() {
  const acme = await team();
  const secret = await newIdentitySecret(acme);
  const change = { settings: { page_fields: ["plan"] } };
  await app.perform(acme.actor, updateWidget, { widgetId: acme.widgetId, change });
  const mia = await signedIn(kit, acme);
  const seconds = Math.floor(clock.now() / 1_000);
  return {
    acme,
    mia,
    vouch: (claims: object = {}) => signedToken(secret, { sub: "vera", exp: seconds + 3_600, ...claims }),
    visitor() {
      addresses += 1;
      return browser(app, acme, { address: `10.9.0.${addresses}` });
    },
    /** What the agent sees of the contact of a conversation. */
    async seen(conversationId: string) {
      const { body } = await mia.get(`/inbox/conversations/${conversationId}`);
      expect(problemsOf(InboxConversationDetails, body)).toEqual([]);
      const { body: opened } = await mia.get(`/inbox/contacts/${body.contact.id}`);
      expect(problemsOf(InboxContact, opened)).toEqual([]);
      expect(opened.detail_sources).toEqual(body.detail_sources);
      const { email, phone, custom_data } = body.detail_sources;
      const data: [string, string | null][] = body.custom_data.map(
        ({ id, attributes }: { id: string; attributes: { name: string } }) => [attributes.name, custom_data[id]],
      );
      return { isVerified: body.conversation.is_verified, email, phone, ...Object.fromEntries(data) };
    },
  };
}

const DETAILS = { name: "Vera", email: "vera@acme.test", phone: "+351912345678" };

test("a visitor who types the e-mail of a verified person is not taken for them", async () => {
  const { seen, visitor, vouch } = await acmeAtWork();
  const identity = vouch({ email: DETAILS.email, phone: DETAILS.phone, data: { plan: "Business" } });
  const vera = await visitor().write("It is me", { identity });
  expect(await seen(vera.body.message.conversation_id)).toEqual({
    isVerified: true,
    email: "identity",
    phone: "identity",
    plan: "identity",
  });
  const mallory = await visitor().write("It is me", { ...DETAILS, data: { plan: "Business" } });
  expect(await seen(mallory.body.message.conversation_id)).toEqual({
    isVerified: false,
    email: "visitor",
    phone: "visitor",
    plan: "visitor",
  });
});

test("an identity verifies what it contains, and nothing that the visitor gave beside it", async () => {
  const { seen, visitor, vouch } = await acmeAtWork();
  const vera = visitor();
  const { body } = await vera.write("Hello", { ...DETAILS, data: { plan: "Business" } });
  const { conversation_id: id } = body.message;
  await vera.ask("POST", "/introduce", { identity: vouch() });
  expect(await seen(id)).toEqual({ isVerified: true, email: "visitor", phone: "visitor", plan: "visitor" });
  await vera.ask("POST", "/introduce", { identity: vouch({ email: DETAILS.email, data: { plan: "Business" } }) });
  const verified = { isVerified: true, email: "identity", phone: "visitor", plan: "identity" };
  expect(await seen(id)).toEqual(verified);
  // What the page says again stays verified, and is not written again; another value is the page's.
  const before = await dump(storage);
  await vera.ask("POST", "/introduce", { identity: vouch(), email: DETAILS.email, data: { plan: "Business" } });
  expect(await dump(storage)).toBe(before);
  await vera.ask("POST", "/introduce", { data: { plan: "Enterprise" } });
  expect(await seen(id)).toEqual({ ...verified, plan: "visitor" });
  // A value that was there already is verified by it as well.
  await vera.ask("POST", "/introduce", { identity: vouch({ phone: DETAILS.phone }) });
  expect(await seen(id)).toEqual({ ...verified, phone: "identity", plan: "visitor" });
});

test("what the team or a program of theirs gives is neither verified nor the visitor's", async () => {
  const { acme, mia, seen, visitor } = await acmeAtWork();
  const { body } = await visitor().write("Hello", { ...DETAILS, data: { plan: "Business" } });
  const { conversation_id: id } = body.message;
  await mia.request("PUT", `/v1/contacts/${body.contact.id}`, { email: "vera.costa@acme.test" });
  await acme.put(`/contacts/${body.contact.id}/custom-data/plan`, { value: "Business" });
  expect(await seen(id)).toEqual({ isVerified: false, email: "team", phone: "visitor", plan: "team" });
  const byProgram = await veraWrites(acme, { email: "hugo@acme.test" });
  expect(await seen(byProgram.conversationId)).toEqual({ isVerified: false, email: "team", phone: null });
});

test("who gave what was stored before this was noted is not known", async () => {
  const { seen, visitor } = await acmeAtWork();
  const { body } = await visitor().write("Hello", DETAILS);
  await query(storage, `UPDATE contacts SET email_source = NULL, phone_source = NULL WHERE id = '${body.contact.id}'`);
  expect(await seen(body.message.conversation_id)).toEqual({ isVerified: false, email: "unknown", phone: "unknown" });
});

test("nothing is said of details that came by another channel", async () => {
  const { acme, seen } = await acmeAtWork();
  const loft = await openLoft(kit, acme);
  const { conversationId } = await loft.letter({ ring: "A", details: DETAILS });
  expect(await seen(conversationId)).toEqual({ isVerified: false, email: null, phone: null });
});
