/**
 * People who leave a word that is nowhere else at every door of the product, so that a test can look for what is left of them:
 * Vera, who was vouched for and chats, Petra, whose letters a pigeon brings, Ida, whom a program has created, and Milo, who writes emails.
 */
import { randomUUID } from "node:crypto";
import { setCustomData } from "@frontdesk/server/custom-data/set-custom-data";
import { expect } from "vitest";
import { browser } from "./browser-visitor.ts";
import { veraWithFiles } from "./file-sender.ts";
import { miloMails } from "./milo-mails.ts";
import { openLoft } from "./pigeon.ts";
import { query } from "./second-app.ts";
import { newIdentitySecret, signedToken } from "./signed-identity.ts";
import { signedIn } from "./signed-in.ts";
import type { TestApp, TestTeam } from "./test-kit.ts";
import { connect } from "./tool-caller.ts";
import { adaReplies, adaSets, veraWrites } from "./vera.ts";

const HOUR_S = 3_600;

let canaries = 0;
/** A word that is nowhere else; all have the same length, and what holds them the same size. */
export function canary(): string {
  canaries += 1;
  return `canary${String(canaries).padStart(4, "0")}x${process.pid}`;
}

/** The digits of a word, as a phone number. */
export const phoneOf = (word: string): string => `+4915${word.replaceAll(/\D/g, "").padStart(9, "7")}`;

export interface Planted {
  /** In the order in which they came. */
  contacts: { vera: string; petra: string; ida: string; milo: string };
  /** Of Vera. */
  conversationId: string;
  veraToken: string;
  /** What must be nowhere when they are erased. */
  words: string[];
  /** Those of two of them, by which nobody else is named. */
  wordsOf: { vera: string[]; milo: string[] };
  /** The rows of the files that they and Ada sent, and of the originals of emails. */
  fileIds: string[];
  /** Nina, whose browser was recognised as Vera's. She stays. */
  nina: { contactId: string; conversationId: string };
}

/**
 * Plants them in a team.
 *
 * @param base the origin of the app, for uploads
 * @param secret the team's identity secret
 * @param isSending whether the app has started, and sends emails
 */
export async function plantCanaries(
  kit: TestApp,
  base: string,
  acme: TestTeam,
  secret: string,
  { isSending = true } = {},
): Promise<Planted> {
  const words: string[] = [];
  const word = () => {
    const made = canary();
    words.push(made);
    return made;
  };
  const vera = await veraChats(kit, base, acme, { secret, word });
  words.push(vera.phone);
  const ofVera = words.slice(0, 5);
  await adaWorks(kit, acme, vera, word);
  const petra = await petraWrites(kit, acme, word);
  const ida = await idaIsCreated(acme, word);
  const before = words.length;
  const milo = await miloMails(kit, acme, word, isSending);
  const ofMilo = words.slice(before);
  const nina = await ninaIsRecognised(kit, acme, vera.identity);
  const files = await query(
    kit.storage,
    `SELECT id FROM files WHERE team_id = '${acme.teamId}'
      AND id NOT IN (SELECT raw_file FROM mails WHERE raw_file IS NOT NULL AND sender LIKE '%olga@other.test%')`,
  );
  return {
    contacts: { vera: vera.contactId, petra, ida, milo },
    conversationId: vera.conversationId,
    veraToken: vera.token,
    words,
    wordsOf: { vera: ofVera, milo: ofMilo },
    fileIds: files.map(({ id }) => String(id)),
    nina,
  };
}

type Word = () => string;

async function veraChats(
  { app, clock }: TestApp,
  base: string,
  acme: TestTeam,
  { secret, word }: { secret: string; word: Word },
) {
  const [name, email, phone] = [word(), `${word()}@acme.test`, phoneOf(canary())];
  const claims = { sub: word(), name, email, phone, exp: Math.floor(clock.now() / 1_000) + HOUR_S };
  const identity = signedToken(secret, claims);
  const headers = { "user-agent": `${word()}/1.0`, referer: `https://acme.test/?from=${word()}` };
  const address = `10.7.0.${1 + (Number(phone.slice(-2)) % 250)}`;
  const visitor = browser(app, acme, { headers, address });
  const withFiles = veraWithFiles(base, acme, visitor.token);
  const file = await withFiles.sends(`${word()}.txt`, `My secret is ${word()}.`);
  await withFiles.sends(`${word()}.txt`, `Not sent: ${word()}.`);
  const date = new Date(clock.now()).toISOString();
  const pages = [{ page: `https://acme.test/shoes?q=${word()}`, date }];
  const details = { identity, attachments: [file], page_visited: pages, language: word(), timezone: word() };
  const { status, body } = await visitor.say(`Do you know ${word()}?`, details);
  expect(status, JSON.stringify(body)).toBe(201);
  const contactId: string = body.contact.id;
  const conversationId: string = body.message.conversation_id;
  await adaSets(acme, conversationId, "resolved");
  const rated = await visitor.ask("POST", "/rating", { conversation_id: conversationId, rating: 2, comment: word() });
  expect(rated.status).toBe(200);
  expect((await visitor.say(`And ${word()}?`)).status).toBe(201);
  return { contactId, conversationId, token: visitor.token, identity, name, email, phone };
}

type Vera = Awaited<ReturnType<typeof veraChats>>;

async function adaWorks(kit: TestApp, acme: TestTeam, { contactId, conversationId, name, email }: Vera, word: Word) {
  const { app, storage, clock } = kit;
  const mia = await signedIn(kit, acme);
  const at = `/inbox/conversations/${conversationId}`;
  const reply = { conversation_id: conversationId, content: `Yes, ${word()}.` };
  expect((await acme.post("/messages", reply, { "idempotency-key": randomUUID() })).status).toBe(201);
  const attachments = [{ url: `https://files.acme.test/${word()}` }];
  await adaReplies(acme, conversationId, { content: `See ${word()}`, attachments });
  await adaReplies(acme, conversationId, { content: `Careful: ${word()}`, type: "note" });
  const held = { client_id: randomUUID(), content: `Held: ${word()}`, hold_ms: 60_000 };
  expect((await mia.post(`${at}/held-replies`, held)).status).toBe(200);
  for (const mode of ["reply", "note"]) {
    const { status } = await mia.request("PUT", `${at}/draft`, { mode, content: `Begun: ${word()}` });
    expect(status).toBe(200);
  }
  for (const value of [word(), word()]) {
    await app.perform(acme.actor, setCustomData, { contactId, name: "plan", value, mustExist: false });
  }
  await acme.post(`/contacts/${contactId}/hold`, { reason: `Court case ${word()}` });
  await acme.delete(`/contacts/${contactId}/hold`);
  const robin = await connect(app, acme);
  await robin.result("add-note", { conversation_id: conversationId, content: `Robin: ${word()}` });
  for (const asked of [name.toUpperCase(), email])
    await robin.result("search-contacts", { query: `is ${asked} there` });
  const calls = `SELECT count(*) AS total FROM tool_calls WHERE assistant_id = '${robin.assistantId}'`;
  await expect.poll(async () => Number((await query(storage, calls))[0]?.total)).toBe(3);
  const job = { team_id: acme.teamId, id: randomUUID(), last_error: `550 <${email}>: no such mailbox` };
  await query(
    storage,
    `INSERT INTO jobs (team_id, id, kind, payload_sealed, state, attempts, run_at, last_error, created_at)
      VALUES ('${job.team_id}', '${job.id}', 'send-mail', '', 'failed', 6, ${clock.now()}, '${job.last_error}', ${clock.now()})`,
  );
}

async function petraWrites(kit: TestApp, acme: TestTeam, word: Word): Promise<string> {
  const loft = await openLoft(kit, acme);
  const letter = { ring: word(), externalId: word(), details: { name: word() }, content: `Coo, ${word()}` };
  const { contactId } = await loft.letter(letter);
  await acme.put(`/contacts/${contactId}`, { name: word() });
  return contactId;
}

async function idaIsCreated(acme: TestTeam, word: Word): Promise<string> {
  const details = {
    ...{ name: word(), email: `${word()}@acme.test`, location: word(), language: word(), ip: word() },
    ...{ marketplace_channel: word(), marketplace_origin: word(), preferred_chat_language: word() },
    page_visited: [{ page: `https://acme.test/?ad=${word()}`, date: "2026-11-20T08:00:00.000Z" }],
    message: { content: `Ida says ${word()}`, urls: [`https://files.acme.test/${word()}`] },
  };
  const { status, body } = await acme.post("/contacts/initialize", { widgetId: acme.widgetId, ...details });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.id;
}

/** Nina has written without a name; then her page says that she is Vera. */
async function ninaIsRecognised({ app }: TestApp, acme: TestTeam, identity: string): Promise<Planted["nina"]> {
  const nina = browser(app, acme, { address: "10.8.0.1" });
  const { body } = await nina.say("Who am I?");
  const { status } = await nina.ask("POST", "/introduce", { identity });
  expect(status).toBe(200);
  return { contactId: body.contact.id, conversationId: body.message.conversation_id };
}

/** Somebody else of the team, of whom nothing may change. */
export async function plantNeighbour(kit: TestApp, acme: TestTeam) {
  const written = await veraWrites(acme, { name: "Nora", email: "nora@acme.test", content: "I stay" });
  await adaReplies(acme, written.conversationId, { content: "You do." });
  await kit.app.perform(acme.actor, setCustomData, {
    ...{ contactId: written.contactId, name: "plan", value: "Free", mustExist: false },
  });
  return written;
}

/** The team's secret to vouch for visitors. */
export const vouchingSecret = (acme: TestTeam): Promise<string> => newIdentitySecret(acme);
