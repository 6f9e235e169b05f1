/** What the team replies in a pigeon's conversation goes out by the outbox, to a real server (docs/decisions/0037, 0040). */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { inDepth } from "@frontdesk/testing/depth";
import { type LineServer, startLineServer } from "@frontdesk/testing/line-receiver";
import { type Loft, openLoft, PIGEON_CHANNEL } from "@frontdesk/testing/pigeon";
import { addressOf, appOn, openBeside, query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaReplies, adaSets, veraWrites } from "@frontdesk/testing/vera";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { openVault } from "../../src/access/vault.ts";
import { createChannelReceiver } from "../../src/channels/channel-receiver.ts";
import { setChannelAccountState } from "../../src/channels/set-channel-account-state.ts";
import { type AgentMessageInput, sendMessage } from "../../src/conversations/send-message.ts";
import { QUEUE_LEASE_MS } from "../../src/outbox/outbox-item.ts";
import { createOutboxWorker, type OutboxWorker } from "../../src/outbox/outbox-worker.ts";
import { createPerform } from "../../src/perform.ts";
import type { Statement } from "../../src/storage/statement.ts";
import { pigeonDrivers, type SentLetter } from "./pigeon-driver.ts";

// Its app does not run: only the workers of a test send.
const kit = await startTestApp({}, undefined, pigeonDrivers);
const { team, clock, storage, runtime } = kit;
const SEND_REPLIES = fileURLToPath(new URL("./send-replies.ts", import.meta.url));
/** In depth 200 in all, as the soak kills a server that delivers to webhooks. */
const ROUNDS = inDepth([1], [1, 2, 3, 4]);
const KILLS = inDepth(3, 50);

interface Scene {
  acme: TestTeam;
  loft: Loft;
  there: LineServer;
  /** What the server has read, in its order. */
  letters(): SentLetter[];
}

async function scene({ seal }: { seal?: string } = {}): Promise<Scene> {
  const acme = await team();
  const there = await startLineServer({ numbered: true });
  onTestFinished(() => there.close());
  const secrets = seal === undefined ? {} : { secrets: { seal } };
  const loft = await openLoft(kit, acme, { settings: { port: there.port }, ...secrets });
  return { acme, loft, there, letters: () => there.received.map((line) => JSON.parse(line)) };
}

/** A process that sends until the test ends. */
function worker(vault = runtime.vault): OutboxWorker {
  const started = createOutboxWorker({
    storage: { ...storage, joinServers: async () => {} },
    runtime,
    receivers: { channel: createChannelReceiver({ drivers: pigeonDrivers, runtime: { ...runtime, vault } }) },
    logger: pino({ level: "silent" }),
  });
  started.start();
  onTestFinished(() => started.stop());
  return started;
}

/** A process of its own that sends, until it is killed or the test ends. */
async function otherProcess({ dies }: { dies: boolean }): Promise<ChildProcess> {
  const order = JSON.stringify({ ...(await addressOf(storage)), now: clock.now(), dies });
  const child = spawn(process.execPath, [SEND_REPLIES, order], { stdio: ["pipe", "ignore", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

const contents = ({ letters }: Scene) => letters().map(({ content }) => content);
const items = ({ loft }: Scene) =>
  query(storage, `SELECT * FROM outbox_items WHERE queue_id = '${loft.accountId}' ORDER BY event_number`);
const states = async (one: Scene) => (await items(one)).map(({ state }) => state);
const attempts = ({ loft }: Scene) =>
  query(storage, `SELECT * FROM outbox_attempts WHERE queue_id = '${loft.accountId}' ORDER BY id`);
const accountOf = async ({ loft }: Scene) =>
  (await query(storage, `SELECT * FROM channel_accounts WHERE id = '${loft.accountId}'`))[0];
/** The provider's ids of the sent parts, with their messages. */
const named = async ({ loft }: Scene) =>
  (
    await query(
      storage,
      `SELECT external_id, message_id FROM external_messages
        WHERE account_id = '${loft.accountId}' AND direction = 'out' ORDER BY external_id`,
    )
  ).map(({ external_id, message_id }) => [external_id, message_id]);
const wake = (by: OutboxWorker, { loft, acme }: Scene) =>
  by.wake(acme.teamId, [{ queueId: loft.accountId, receiver: "channel" }]);

test("replies reach the pigeon's server once, in order within their conversation, sealed, and with their attachments", async () => {
  const one = await scene({ seal: "red wax" });
  const { acme, loft, there, letters } = one;
  const petra = await loft.letter({ ring: "PL-1" });
  const paul = await loft.letter({ ring: "PL-2" });
  there.answers("hold");
  const by = worker();
  const first = await adaReplies(acme, petra.conversationId, { content: "We do." });
  const url = "https://files.test/map.png";
  const attachments = [{ url, name: "map.png", mime: "image/png", size: 17 }];
  const second = await adaReplies(acme, petra.conversationId, { content: "Here is the map.", attachments });
  const third = await adaReplies(acme, paul.conversationId, { content: "We do, Paul." });
  wake(by, one);
  await expect.poll(there.held).toBe(2);
  expect(contents(one).toSorted()).toEqual(["We do, Paul.", "We do."]);
  expect(await states(one)).toEqual(["sending", "waiting", "sending"]);
  there.letGo();
  await expect.poll(() => letters().length).toBe(3);
  there.letGo();
  await expect.poll(() => states(one)).toEqual(["delivered", "delivered", "delivered"]);
  const sealed = { seal: "red wax", number: 1 };
  expect(letters().toSorted((a, b) => a.content.localeCompare(b.content))).toEqual([
    { ...sealed, ring: "PL-1", content: "Here is the map.", attachments },
    { ...sealed, ring: "PL-2", content: "We do, Paul.", attachments: [] },
    { ...sealed, ring: "PL-1", content: "We do.", attachments: [] },
  ]);
  const names = await named(one);
  expect(names.map(([, message]) => message).toSorted()).toEqual([first, second, third].toSorted());
  expect(names[2]).toEqual(["3", second]);
  expect(JSON.parse(String((await attempts(one))[2]?.result))).toEqual({ sent: [{ number: 1, externalId: "3" }] });
  expect(Number((await accountOf(one))?.last_sent_at)).toBe(clock.now());
});

test("a long reply goes in parts one after the other; a retry begins with the part that was not taken", async () => {
  const one = await scene();
  const { acme, loft, there, letters } = one;
  const { conversationId } = await loft.letter();
  const [a, b, c] = ["a".repeat(40), "b".repeat(40), "c"];
  const message = await adaReplies(acme, conversationId, { content: `${a}${b}${c}` });
  there.answers("hold");
  const by = worker();
  wake(by, one);
  await expect.poll(there.held).toBe(1);
  there.letGo("accept");
  await expect.poll(() => letters().length).toBe(2);
  there.letGo("retry");
  await expect.poll(async () => (await items(one))[0]).toMatchObject({ state: "waiting", attempt: 2 });
  expect(await named(one)).toEqual([["1", message]]);
  there.answers("accept");
  clock.advance(11_000);
  wake(by, one);
  await expect.poll(() => states(one)).toEqual(["delivered"]);
  expect(contents(one)).toEqual([a, b, b, c]);
  expect(letters().map(({ number }) => number)).toEqual([1, 2, 2, 3]);
  expect(await named(one)).toEqual([
    ["1", message],
    ["2", message],
    ["3", message],
  ]);
});

test("a part that is refused ends its reply: the parts after it are not sent", async () => {
  const one = await scene();
  const { conversationId } = await one.loft.letter();
  await adaReplies(one.acme, conversationId, { content: "a".repeat(50) });
  one.there.answers("refuse");
  wake(worker(), one);
  await expect.poll(() => states(one)).toEqual(["failed"]);
  expect(one.letters()).toHaveLength(1);
  expect(await attempts(one)).toMatchObject([{ outcome: "failed", error: "refused", result: null }]);
});

test("letters that came in, notes, system lines, and replies on the website are not sent", async () => {
  const one = await scene();
  const { acme, loft } = one;
  const { conversationId } = await loft.letter();
  const vera = await veraWrites(acme);
  await adaReplies(acme, vera.conversationId);
  await adaReplies(acme, conversationId, { type: "note", content: "Comes by air." });
  await adaSets(acme, conversationId, "resolved");
  await loft.letter();
  const queued = async () =>
    query(storage, `SELECT event_name FROM outbox_items WHERE team_id = '${acme.teamId}' AND receiver = 'channel'`);
  expect(await queued()).toEqual([]);
  await adaReplies(acme, conversationId);
  expect(await queued()).toEqual([{ event_name: "message.sent" }]);
});

test("without a driver for its channel, and on the website, a reply costs no statement more", async () => {
  const one = await scene();
  const { acme, loft } = one;
  const letter = await loft.letter();
  const vera = await veraWrites(acme);
  async function statementsOf(conversationId: string, sendingChannels: string[]): Promise<number> {
    let ran = 0;
    const counted = <P, Row, Result>(run: (statement: Statement<P, Row>, params: P) => Result) => {
      return (statement: Statement<P, Row>, params: P) => {
        ran += 1;
        return run(statement, params);
      };
    };
    const write: typeof storage.write = (teamId, work) =>
      storage.write(teamId, (db) =>
        work({ ...db, run: counted(db.run), all: counted(db.all), first: counted(db.first) } as typeof db),
      );
    const perform = createPerform({ ...storage, write }, { ...runtime, sendingChannels: new Set(sendingChannels) });
    const said: AgentMessageInput = {
      ...{ conversationId, type: "message", content: "Yes.", attachments: [] },
      agentId: acme.ada.id,
    };
    await perform(acme.actor, sendMessage, said);
    return ran;
  }
  const before = await statementsOf(vera.conversationId, []);
  expect(before).toBeGreaterThan(3);
  expect(await statementsOf(vera.conversationId, [PIGEON_CHANNEL])).toBe(before);
  const without = await statementsOf(letter.conversationId, []);
  expect(await items(one)).toEqual([]);
  expect(await statementsOf(letter.conversationId, [PIGEON_CHANNEL])).toBe(without + 2);
});

test("a paused account keeps its replies until it is active again, and its queue is then found", async () => {
  const one = await scene();
  const { acme, loft } = one;
  const { app } = kit;
  const { conversationId } = await loft.letter();
  const by = worker();
  await app.perform(acme.actor, setChannelAccountState, { accountId: loft.accountId, state: "paused" });
  await adaReplies(acme, conversationId, { content: "one" });
  await adaReplies(acme, conversationId, { content: "two" });
  wake(by, one);
  const queue = `SELECT due_at, owner_id FROM outbox_queues WHERE queue_id = '${loft.accountId}'`;
  // The claim has found it off: nothing of it is due.
  await expect.poll(() => query(storage, queue)).toEqual([{ due_at: null, owner_id: null }]);
  expect(await states(one)).toEqual(["waiting", "waiting"]);
  expect(one.letters()).toEqual([]);
  await app.perform(acme.actor, setChannelAccountState, { accountId: loft.accountId, state: "active" });
  // Not woken: the poll over all teams finds it.
  await expect.poll(() => states(one)).toEqual(["delivered", "delivered"]);
  expect(contents(one)).toEqual(["one", "two"]);
});

test("what is being sent when its account is paused is unknown, and what had not begun waits", async () => {
  const one = await scene();
  const { acme, loft, there } = one;
  const { conversationId } = await loft.letter();
  const app = await appOn({ storage: await openBeside(storage), runtime, channelDrivers: pigeonDrivers });
  onTestFinished(() => app.close());
  const actor = acme.actor;
  there.answers("hold");
  await app.start();
  const agentId = acme.ada.id;
  const said: Omit<AgentMessageInput, "content"> = { conversationId, type: "message", attachments: [], agentId };
  for (const content of ["one", "two"]) await app.perform(actor, sendMessage, { ...said, content });
  await expect.poll(there.held).toBe(1);
  await app.perform(actor, setChannelAccountState, { accountId: loft.accountId, state: "paused" });
  expect(await states(one)).toEqual(["unknown", "waiting"]);
  there.answers("accept");
  await app.perform(actor, setChannelAccountState, { accountId: loft.accountId, state: "active" });
  await expect.poll(() => states(one)).toEqual(["unknown", "delivered"]);
  expect(contents(one)).toEqual(["one", "two"]);
});

test("a deleted account is sent nothing any more", async () => {
  const one = await scene();
  const { conversationId } = await one.loft.letter();
  await adaReplies(one.acme, conversationId);
  await query(storage, `UPDATE channel_accounts SET deleted_at = ${clock.now()} WHERE id = '${one.loft.accountId}'`);
  wake(worker(), one);
  const due = `SELECT due_at FROM outbox_queues WHERE queue_id = '${one.loft.accountId}'`;
  await expect.poll(() => query(storage, due)).toEqual([{ due_at: null }]);
  expect(one.letters()).toEqual([]);
});

test("a contact without an identity in the account is not written to", async () => {
  const one = await scene();
  const { conversationId, contactId } = await one.loft.letter();
  await query(storage, `DELETE FROM contact_identities WHERE contact_id = '${contactId}'`);
  await adaReplies(one.acme, conversationId);
  wake(worker(), one);
  await expect.poll(() => states(one)).toEqual(["failed"]);
  expect(await attempts(one)).toMatchObject([{ error: "no-identity" }]);
  expect(one.letters()).toEqual([]);
});

test("secrets that were sealed with another key are waited for", async () => {
  const one = await scene({ seal: "red wax" });
  const { conversationId } = await one.loft.letter();
  await adaReplies(one.acme, conversationId);
  const without = worker(openVault(randomBytes(32)));
  wake(without, one);
  await expect.poll(async () => (await items(one))[0]).toMatchObject({ state: "waiting", attempt: 2 });
  expect(await attempts(one)).toMatchObject([{ outcome: "failed", error: "secrets" }]);
  await without.stop();
  clock.advance(11_000);
  wake(worker(), one);
  await expect.poll(() => states(one)).toEqual(["delivered"]);
  expect(one.letters()).toMatchObject([{ seal: "red wax" }]);
});

test("a process that is killed after a letter was accepted, and before that is written, leaves it unknown: it is sent once", async () => {
  const one = await scene();
  const { conversationId } = await one.loft.letter();
  await adaReplies(one.acme, conversationId, { content: "one" });
  await adaReplies(one.acme, conversationId, { content: "two" });
  const child = await otherProcess({ dies: true });
  const [, signal] = await once(child, "exit");
  expect(signal).toBe("SIGKILL");
  expect(contents(one)).toEqual(["one"]);
  expect(await states(one)).toEqual(["sending", "waiting"]);
  clock.advance(QUEUE_LEASE_MS);
  wake(worker(), one);
  await expect.poll(() => states(one)).toEqual(["unknown", "delivered"]);
  clock.advance(24 * 60 * 60_000);
  await adaReplies(one.acme, conversationId, { content: "three" });
  wake(worker(), one);
  await expect.poll(() => states(one)).toEqual(["unknown", "delivered", "delivered"]);
  expect(contents(one)).toEqual(["one", "two", "three"]);
  expect((await attempts(one)).map(({ outcome }) => outcome)).toEqual([null, "delivered", "delivered"]);
});

test.each(ROUNDS)(
  "whenever the process that sends is killed, no letter comes twice, each conversation's come in order, and what may have come is unknown (%i)",
  async () => {
    const one = await scene();
    const { acme, there } = one;
    const rings = ["PL-1", "PL-2", "PL-3"];
    const conversations = await Promise.all(
      rings.map(async (ring) => (await one.loft.letter({ ring })).conversationId),
    );
    let replies = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      // The first kill finds letters that were read and not answered; the others come at any moment.
      there.answers(kill === 0 ? "hold" : "accept");
      const before = there.received.length;
      for (let round = 0; round < 4; round += 1) {
        for (const conversationId of conversations) {
          replies += 1;
          await adaReplies(acme, conversationId, { content: `Reply ${String(replies).padStart(5, "0")}` });
        }
      }
      const child = await otherProcess({ dies: false });
      const exited = once(child, "exit");
      const enough = before + 1 + Math.floor(Math.random() * 2 * conversations.length);
      await expect.poll(() => there.received.length, { interval: 1 }).toBeGreaterThanOrEqual(kill === 0 ? 1 : enough);
      child.kill("SIGKILL");
      await exited;
      await query(storage, "UPDATE outbox_queues SET lease_until = 0");
    }
    there.answers("accept");
    wake(worker(), one);
    await expect.poll(async () => [...new Set(await states(one))].toSorted()).toEqual(["delivered", "unknown"]);

    const came = one.letters();
    expect(new Set(contents(one)).size).toBe(came.length);
    for (const ring of rings) {
      const ofOne = came.filter((letter) => letter.ring === ring).map(({ content }) => content);
      expect(ofOne).toEqual(ofOne.toSorted());
    }
    const all = await items(one);
    expect(all).toHaveLength(replies);
    const delivered = all.filter(({ state }) => state === "delivered");
    const unknown = all.length - delivered.length;
    expect(came.length).toBeGreaterThanOrEqual(delivered.length);
    expect(came.length).toBeLessThanOrEqual(delivered.length + unknown);
    // What was noted as sent is what the provider has a name for.
    expect(await named(one)).toHaveLength(delivered.length);
  },
);
