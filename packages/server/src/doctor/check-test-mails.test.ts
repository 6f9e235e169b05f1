/** Mails that mailboxes send to themselves: a real Dovecot, a mail server that delivers into it, and a name server (reference: B41). */
import { type DeliveringSmtp, startDeliveringSmtp } from "@frontdesk/testing/delivering-smtp";
import { startDnsmasq } from "@frontdesk/testing/dnsmasq";
import { type Dovecot, startDovecot } from "@frontdesk/testing/dovecot";
import { startOAuthProvider } from "@frontdesk/testing/oauth-provider";
import { loopbackConnector, mailOf } from "@frontdesk/testing/read-mailbox";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createMailboxTokens } from "../email/oauth/mailbox-tokens.ts";
import { createTokenRequests } from "../email/oauth/token-requests.ts";
import { newTestMail } from "../email/round-trip/test-mail.ts";
import { allowedNetworks } from "../outbound/allowed-networks.ts";
import { domainRecords } from "../outbound/domain-records.ts";
import { createOutbound } from "../outbound/outbound.ts";
import { vettedSockets } from "../outbound/vetted-socket.ts";
import { silent } from "../progress.ts";
import type { Timeouts } from "../timeouts.ts";
import type { Check } from "./check.ts";
import { checkTestMails } from "./check-test-mails.ts";

const KEY = "v=DKIM1; k=rsa; p=MIGfMA0";
const dns = await startDnsmasq({
  "good.com": {
    txt: {
      "s1._domainkey.good.com": [KEY],
      "old._domainkey.good.com": ["v=DKIM1; p="],
      "both._domainkey.good.com": [KEY, `${KEY}GCSq`],
    },
  },
  "relay.com": { txt: { "s1._domainkey.relay.com": [KEY] } },
});
const provider = await startOAuthProvider();
const dovecot = await startDovecot({ introspectionUrl: provider.introspectionUrl });
const smtp = await startDeliveringSmtp(dovecot, (user, token) => provider.userOf(token) === user);
const kit = await startTestApp({ CHANNEL_ALLOWED_NETWORKS: "127.0.0.0/8" }, { extraCa: provider.ca });
const { app, storage, team, runtime, clock } = kit;
afterAll(async () => {
  await Promise.all([smtp.stop(), provider.close(), dovecot.stop(), dns.stop()]);
});
beforeEach(() => {
  smtp.delivers = (raw) => ({ raw });
  smtp.refusal = undefined;
  smtp.taken.length = 0;
});

/** A clock that jumps over each wait. */
function jumpingClock(onWait: () => void = () => {}) {
  let time = 0;
  const timeouts: Timeouts = {
    after(ms, act) {
      time += ms;
      onWait();
      const next = setImmediate(act);
      return () => clearImmediate(next);
    },
  };
  return { steadyNow: () => time, timeouts };
}

/** All mailboxes that are active now send a mail to themselves. */
async function check(jumps = jumpingClock()): Promise<Check[]> {
  const allowed = ["127.0.0.0/8"];
  const outbound = createOutbound({ allowedNetworks: allowed, extraCa: provider.ca });
  onTestFinished(() => outbound.close());
  const requests = createTokenRequests(outbound, clock.now);
  return checkTestMails({
    ...{ storage, vault: runtime.vault, progress: silent, smtpUrl: undefined, now: clock.now, ...jumps },
    sockets: vettedSockets({ allowed: allowedNetworks(allowed) }),
    tokens: createMailboxTokens({ storage, runtime, timeouts: jumps.timeouts, requests }),
    records: domainRecords([dns.server]),
  });
}

let mailboxes = 0;
interface Servers {
  domain?: string;
  imap?: object;
  server?: Dovecot;
  sender?: DeliveringSmtp;
  more?: object;
}

/** A mailbox with a mail of before, which no test mail may touch. It is the only one: those of earlier tests are paused. */
async function mailbox({ domain = "good.com", imap = {}, server = dovecot, sender = smtp, more = {} }: Servers = {}) {
  const acme = await team();
  const user = `support${++mailboxes}`;
  server.deliver(user, mailOf("old"));
  const at = { host: "127.0.0.1", security: "none", username: user };
  const { status, body } = await acme.post("/channels", {
    ...{ channel: "email", widget_id: acme.widgetId },
    settings: {
      address: `${user}@${domain}`,
      inbound: { kind: "imap", ...at, port: server.port, password: server.password, ...imap },
      outbound: { ...at, port: sender.port, password: server.password },
      ...more,
    },
  });
  expect(body.errors).toBeUndefined();
  expect(status).toBe(201);
  const { id } = body.data;
  onTestFinished(async () => {
    expect((await acme.patch(`/channels/${id}`, { state: "paused" })).status).toBe(200);
  });
  return { acme, user, id: id as string, address: `${user}@${domain}`, server };
}

/** The subjects in a folder, with their flags, as another mail program sees them. */
async function folder({ user, server }: { user: string; server: Dovecot }, path = "INBOX", deletes?: string) {
  const account = { teamId: "", accountId: "", host: "127.0.0.1", security: "none", username: user } as const;
  const box = {
    ...account,
    port: server.port,
    password: server.password,
    folder: path,
    sentFolder: false,
    afterImport: "leave",
  } as const;
  const { client } = await loopbackConnector(box, new AbortController().signal);
  await client.connect();
  await client.mailboxOpen(path);
  if (deletes !== undefined) await client.messageFlagsAdd(deletes, ["\\Deleted"], { uid: true });
  const mails = await client.fetchAll("1:*", { envelope: true, flags: true }, { uid: true }).catch(() => []);
  client.close();
  return mails.map(({ envelope, flags = new Set() }) => [
    envelope?.subject,
    ...[...flags].filter((flag) => flag !== "\\Recent").toSorted(),
  ]);
}

const conversations = async (acme: TestTeam) => (await acme.get("/conversations/all")).body.meta.pagination.total;
const signed = (d = "good.com", s = "s1") => `DKIM-Signature: v=1; a=rsa-sha256; d=${d}; s=${s}; h=from; bh=x; b=y\r\n`;
const results = (text: string) => `Authentication-Results: ${text}\r\n`;
const PASSES = "mx.good.com; spf=pass; dkim=pass; dmarc=pass";

test("a mailbox that works: the mail came in as it should, is gone, and no other mail was touched", async () => {
  const box = await mailbox({ more: { authserv_id: "mx.good.com" } });
  const before = await folder(box, "INBOX", "1");
  expect(before).toEqual([["old", "\\Deleted"]]);
  smtp.delivers = (raw) => ({ raw: `${results(PASSES)}${signed()}${raw}` });
  expect(await check()).toEqual([
    {
      name: `test email of ${box.address}`,
      state: "ok",
      says: "It was in INBOX within a second. It has been deleted there.",
    },
    {
      ...{ name: `sender checks of ${box.address}`, state: "ok" },
      says: "mx.good.com found SPF pass, DKIM pass, DMARC pass.",
    },
    {
      ...{ name: `DKIM of ${box.address}`, state: "ok" },
      says: "It's signed for good.com, and the key is in the DNS (s1._domainkey.good.com).",
    },
  ]);
  expect(smtp.taken.map(({ user }) => user)).toEqual([box.user]);
  expect(await folder(box)).toEqual(before);
  expect(await folder(box, "Junk")).toEqual([]);
  expect(await conversations(box.acme)).toBe(0);
});

test("it is waited for, and how long it took is said", async () => {
  const box = await mailbox({ domain: "acme.example" });
  smtp.delivers = () => undefined;
  let waits = 0;
  const late = jumpingClock(() => {
    waits += 1;
    const [sent] = smtp.taken;
    if (waits === 3 && sent) dovecot.deliver(box.user, sent.raw);
  });
  const [arrival, ...others] = await check(late);
  expect(arrival?.says).toMatch(/^It was in INBOX after ([6-9]|[1-8]\d)\.0 s\./);
  // Nothing is said of records of a name that is in no DNS.
  expect(others.map(({ name }) => name)).toEqual([`sender checks of ${box.address}`]);
  expect(await folder(box)).toEqual([["old"]]);
});

test("one that never comes is given up after 90 seconds", async () => {
  const box = await mailbox();
  smtp.delivers = () => undefined;
  const jumps = jumpingClock();
  expect(await check(jumps)).toEqual([
    {
      ...{ name: `test email of ${box.address}`, state: "problem" },
      says: "127.0.0.1 accepted it, but within 90 s it was neither in INBOX nor in spam.",
      do: expect.stringMatching(/returned email.*MX record of good\.com.*doesn't import it/),
    },
  ]);
  expect(jumps.steadyNow()).toBe(90_000);
  expect(await folder(box)).toEqual([["old"]]);
});

test("one in spam, and one in another folder than the one that is read, is found there, and deleted", async () => {
  const box = await mailbox({ domain: "acme.example" });
  smtp.delivers = (raw) => ({ raw, folder: "Junk" });
  dovecot.deliver(box.user, mailOf("other spam"), "Junk");
  expect((await check())[0]).toMatchObject({
    ...{ name: `test email of ${box.address}`, state: "warning" },
    says: "It was in spam (Junk) within a second. It has been deleted there.",
    do: expect.stringContaining("spam"),
  });
  expect(await folder(box, "Junk")).toEqual([["other spam"]]);
  smtp.delivers = (raw) => ({ raw });
  await box.acme.patch(`/channels/${box.id}`, { settings: { inbound: { folder: "Archive" } } });
  expect((await check())[0]).toMatchObject({
    state: "warning",
    says: "It was in INBOX within a second, but Frontdesk reads Archive. It has been deleted there.",
    do: expect.stringContaining("Choose INBOX"),
  });
  expect(await folder(box)).toEqual([["old"]]);
});

test("where mails are archived, one that was moved meanwhile is found and deleted in the archive", async () => {
  const box = await mailbox({ domain: "acme.example", imap: { after_import: "archive" } });
  smtp.delivers = (raw) => ({ raw, folder: "Archive" });
  expect((await check())[0]).toMatchObject({ state: "ok", says: expect.stringContaining("It was in Archive") });
  expect(await folder(box, "Archive")).toEqual([]);
});

test("another test mail, and one that only resembles it, are not deleted", async () => {
  const box = await mailbox({ domain: "acme.example" });
  const other = newTestMail(
    { vault: runtime.vault, now: clock.now() },
    { teamId: box.acme.teamId, address: box.address },
  );
  smtp.delivers = (raw) => {
    const [id, mark] = [/^Message-ID: (.*)$/m, /^X-Frontdesk-Test: (.*)$/m].map((header) => header.exec(raw)?.[1]);
    dovecot.deliver(box.user, other.raw);
    // A server finds a header by a part of it.
    dovecot.deliver(box.user, mailOf("Re: test", "Look", `References: ${id}\r\nX-Frontdesk-Test: ${mark}x\r\n`));
    return { raw };
  };
  expect((await check())[0]?.state).toBe("ok");
  expect(await folder(box)).toEqual([["old"], ["Frontdesk test email"], ["Re: test"]]);
});

test("with another Message-ID it is found by its mark, and answers may miss their conversation", async () => {
  const box = await mailbox({ domain: "acme.example", more: { plus_addressing: false } });
  smtp.delivers = (raw) => ({ raw: raw.replace(/^Message-ID: .*$/m, "Message-ID: <replaced@relay.com>") });
  const checks = await check();
  expect(checks[0]).toMatchObject({ state: "ok" });
  expect(checks[1]).toMatchObject({
    ...{ name: `Message-ID of ${box.address}`, state: "warning" },
    do: expect.stringContaining("plus addressing"),
  });
  expect(await folder(box)).toEqual([["old"]]);
});

test("where a server can't delete a single mail, it is only marked, and what others have marked stays", async () => {
  const server = await startDovecot({ capabilities: "IMAP4rev1 LITERAL+ SASL-IR ID SPECIAL-USE" });
  const sender = await startDeliveringSmtp(server);
  onTestFinished(async () => void (await Promise.all([server.stop(), sender.stop()])));
  const box = await mailbox({ domain: "acme.example", server, sender });
  expect(await folder(box, "INBOX", "1")).toEqual([["old", "\\Deleted"]]);
  expect((await check())[0]?.says).toContain("It's marked as deleted there.");
  expect(await folder(box)).toEqual([
    ["old", "\\Deleted"],
    ["Frontdesk test email", "\\Deleted", "\\Seen"],
  ]);
});

test("what the server that sends refuses is said with its words; a mailbox that can't be used sends nothing", async () => {
  const box = await mailbox();
  smtp.refusal = "5.7.1 Sender not allowed";
  expect(await check()).toEqual([
    {
      ...{ name: `test email of ${box.address}`, state: "problem" },
      says: "127.0.0.1 didn't accept it: 550 5.7.1 Sender not allowed.",
      do: expect.stringContaining("user name"),
    },
  ]);
  smtp.refusal = undefined;
  await box.acme.patch(`/channels/${box.id}`, { settings: { inbound: { password: "wrong" } } });
  expect(await check()).toEqual([
    {
      ...{ name: `test email of ${box.address}`, state: "problem" },
      says: expect.stringMatching(/^Nothing was sent.*\n127\.0\.0\.1 doesn't accept the user name and the password/),
      do: expect.stringContaining("Settings > Channels"),
    },
  ]);
  expect(smtp.taken).toEqual([]);
  expect(await folder(box)).toEqual([["old"]]);
});

describe("what the copy shows", () => {
  const shown = async (headers: string, more: object = {}) => {
    await mailbox({ more });
    smtp.delivers = (raw) => ({ raw: `${headers}${raw}` });
    const [arrival, sender, dkim] = await check();
    expect(arrival?.state).toBe("ok");
    return { sender, dkim };
  };
  const known = { authserv_id: "mx.good.com" };

  test.each([
    [
      "no signature",
      "",
      "warning",
      /no DKIM signature/,
      /Turn on DKIM at 127\.0\.0\.1.*SELECTOR\._domainkey\.good\.com/,
    ],
    ["another domain's", signed("relay.com"), "warning", /signed for relay\.com, and not for good\.com/, /Set up DKIM/],
    [
      "no key",
      signed("good.com", "s2"),
      "warning",
      /key isn't in the DNS: s2\._domainkey\.good\.com/,
      /Set the TXT record/,
    ],
    ["a revoked key", signed("good.com", "old"), "warning", /p= is empty at old\._domainkey/, /Set the TXT record/],
    ["two keys", signed("good.com", "both"), "warning", /more than one key/, /Keep one/],
    ["one good of two", `${signed("good.com", "s2")}${signed()}`, "ok", /s1\._domainkey\.good\.com/, undefined],
  ])("of DKIM: %s", async (_what, headers, state, says, make) => {
    const { dkim } = await shown(headers);
    expect(dkim).toMatchObject({ state, says: expect.stringMatching(says) });
    if (make) expect(dkim?.do).toMatch(make);
    else expect(dkim).not.toHaveProperty("do");
  });

  test.each([
    ["nothing", "", known, "note", /no Authentication-Results/, /email from outside/],
    [
      "failures",
      results("mx.good.com; spf=fail; dkim=fail; dmarc=fail"),
      ...[known, "warning", /SPF fail, DKIM fail, DMARC fail/, /SPF: allow 127\.0\.0\.1.*DKIM: .*DMARC: /],
    ],
    [
      "an unknown server",
      results(PASSES),
      {},
      "note",
      /mx\.good\.com found SPF pass.*isn't verified/,
      /Sender checks by/,
    ],
    ["nothing certain", results("mx.good.com; spf=none; dkim=none"), known, "note", /SPF none, DKIM none/, undefined],
    [
      "another server",
      results(PASSES),
      { authserv_id: "mx.x.com" },
      "warning",
      /and not mx\.x\.com/,
      /Sender checks by/,
    ],
  ] as [string, string, object, string, RegExp, RegExp | undefined][])(
    "of the sender: %s",
    async (_what, headers, more, state, says, make) => {
      const { sender } = await shown(headers, more);
      expect(sender).toMatchObject({ state, says: expect.stringMatching(says) });
      if (make) expect(sender?.do).toMatch(make);
      else expect(sender).not.toHaveProperty("do");
    },
  );
});

test("a mailbox that is signed in to by OAuth 2 sends and receives it with tokens, also after they were taken back", async () => {
  const acme = await team();
  const abe = await signedIn(kit, acme, "CHAT_AGENT_ADMIN");
  const user = `support${++mailboxes}`;
  dovecot.deliver(user, mailOf("old"));
  const at = { host: "127.0.0.1", security: "none", username: user, auth: "oauth" };
  const { body } = await acme.post("/channels", {
    ...{ channel: "email", widget_id: acme.widgetId },
    settings: {
      ...{ address: `${user}@acme.example`, oauth: provider.settings },
      ...{ inbound: { kind: "imap", ...at, port: dovecot.port }, outbound: { ...at, port: smtp.port } },
    },
  });
  const { id } = body.data;
  onTestFinished(async () => void (await acme.patch(`/channels/${id}`, { state: "paused" })));
  const isIn = (wanted: string) =>
    expect.poll(async () => (await acme.get(`/channels/${id}`)).body.data.attributes.state).toBe(wanted);
  await isIn("needs-sign-in");
  const { url } = (await abe.post(`/channels/${id}/sign-in`)).body;
  const query = await provider.allows(url, user);
  expect((await abe.post("/channels/sign-in", { query })).body).toMatchObject({ channel_id: id, problem: null });
  await isIn("active");
  for (const revoked of [false, true]) {
    if (revoked) provider.revokesAccess();
    expect((await check())[0]).toMatchObject({ state: "ok", says: expect.stringContaining("It was in INBOX") });
  }
  expect(await folder({ user, server: dovecot })).toEqual([["old"]]);
});

test("a mailbox whose mails are handed over has it once Frontdesk does", async () => {
  const box = await mailbox({ domain: "acme.example", more: { inbound: { kind: "http" } } });
  const { callback_url } = (await box.acme.get(`/channels/${box.id}`)).body.data.attributes;
  smtp.delivers = async (payload) => {
    const headers = { "content-type": "message/rfc822" };
    await app.http.inject({ method: "POST", url: new URL(callback_url).pathname, headers, payload });
    return undefined;
  };
  expect(await check()).toEqual([
    {
      ...{ name: `test email of ${box.address}`, state: "ok" },
      says: expect.stringMatching(/^It came in within a second\..*SPF, DKIM and DMARC/),
    },
  ]);
  smtp.delivers = () => undefined;
  expect(await check()).toMatchObject([{ state: "problem", do: expect.stringContaining("callback URL") }]);
});

test("without an active mailbox nothing is sent", async () => {
  expect(await check()).toEqual([expect.objectContaining({ name: "test emails", state: "note" })]);
  expect(smtp.taken).toEqual([]);
});
