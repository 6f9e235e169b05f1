import type { ChannelReason } from "@frontdesk/core/domain/channel-reason";
import type { Vault } from "../../access/vault.ts";
import type { Finding } from "../../channels/channel-driver.ts";
import { drivenAccount } from "../../channels/driven-account.ts";
import type { VettedSockets } from "../../outbound/vetted-socket.ts";
import type { ChannelAccountRow } from "../../storage/tables.ts";
import type { Timeouts } from "../../timeouts.ts";
import { checkEmailAccount } from "../check-email-account.ts";
import { readEmailSettings } from "../email-settings.ts";
import { imapAccountOf } from "../imap/imap-account.ts";
import type { MailboxTokens } from "../oauth/mailbox-tokens.ts";
import { giveMail, mailServerOf } from "../out/give-mail.ts";
import type { SendingReason, SmtpResult } from "../out/smtp-send.ts";
import { relayMessageId } from "../rules/relay-message-id.ts";
import { type Look, NO_MAILBOX, openMailbox } from "./open-mailbox.ts";
import type { ReceivedCopy, Removal } from "./received-copy.ts";
import { newTestMail } from "./test-mail.ts";

export interface RoundTripParts {
  vault: Vault;
  sockets: VettedSockets;
  tokens: MailboxTokens;
  /** SMTP_URL, for accounts without a server of their own. */
  smtpUrl: string | undefined;
  /** Whether a mail was taken into an account, by its key (`in/mail-key.ts`). */
  isTaken(account: { team_id: string; account_id: string }, key: string): Promise<boolean>;
  now(): number;
  /** For how long it takes. */
  steadyNow(): number;
  timeouts: Timeouts;
}

/**
 * What became of a mail that a mailbox has sent to itself.
 *
 * - `sealed`: the account's passwords can't be opened with this installation's key
 * - `not-tried`: a server of the account can't be used, or the mailbox not be looked into, so that nothing was sent
 * - `not-sent`: the server that sends has not taken it
 * - `lost`: it has not come in in time; `problem`: the mailbox couldn't be looked into at the end
 * - `taken`: Frontdesk has it, and the mailbox doesn't: by LMTP or HTTP, or a rule of the mailbox has moved it
 * - `found`: it was in the mailbox, and what became of it there. `isRenamed`: with a Message-ID that no one has announced
 */
export type RoundTrip =
  | { outcome: "sealed" }
  | { outcome: "not-tried"; problems: Finding[] }
  | { outcome: "not-sent"; host: string; result: NotSent }
  | { outcome: "lost"; host: string; problem: ChannelReason | undefined }
  | { outcome: "taken"; afterMs: number }
  | { outcome: "found"; afterMs: number; copy: ReceivedCopy; isRenamed: boolean; removal: Removal };

/** What a server says that has not taken a mail. */
export type NotSent =
  | Exclude<SmtpResult, { outcome: "answered" | "unknown" }>
  | { outcome: "refused" | "later"; reason: SendingReason };

/** How long the mail may be on its way, and how often it is looked for. */
export const WAIT_MS = 90_000;
const LOOK_MS = 2_000;
/** The servers are tried first: for all that is tried of an account. */
const CHECK_TIMEOUT_MS = 30_000;

/**
 * Sends a mail from a mailbox to itself, through its own server, and waits until it is there.
 *
 * ```
 * its servers are tried --> folders are opened, for where they end now --> sent --> looked for --> deleted
 *   '-- not-tried                                                           |         '-- lost, taken
 *                                                                           '-- not-sent
 * ```
 * It never becomes a message: its mark says that it is ours (`rules/test-mark.ts`), also to a server that runs beside this.
 */
export async function makeRoundTrip(parts: RoundTripParts, row: ChannelAccountRow): Promise<RoundTrip> {
  const account = drivenAccount(row, parts.vault);
  if (!account) return { outcome: "sealed" };
  const { sockets, tokens, smtpUrl } = parts;
  const check = checkEmailAccount({ sockets, tokens, sendsMail: smtpUrl !== undefined });
  const problems = (await check(account, AbortSignal.timeout(CHECK_TIMEOUT_MS))).filter(({ ok }) => !ok);
  const settings = readEmailSettings(account.settings);
  const access = mailServerOf(settings, account.secrets.outbound_password, smtpUrl);
  if (problems.length > 0 || !access) return { outcome: "not-tried", problems };
  const { host } = access;
  const { address } = settings;
  const testMail = newTestMail({ vault: parts.vault, now: parts.now() }, { teamId: row.team_id, address });
  const imap = imapAccountOf(row, parts.vault);
  const mailbox = imap ? openMailbox(parts, imap) : NO_MAILBOX;
  try {
    const problem = await mailbox.open();
    if (problem !== undefined) {
      return { outcome: "not-tried", problems: [{ check: "imap-connection", ok: false, reason: problem }] };
    }
    const mail = { from: address, to: [address] as const, raw: testMail.raw };
    const given = await giveMail(parts, { account, access, mail }, new AbortController().signal);
    const result = notSent(given);
    if (result) return { outcome: "not-sent", host, result };
    const replaced = given.outcome === "answered" ? relayMessageId(host, given.response) : undefined;
    const ids = replaced === undefined ? [testMail.messageId] : [testMail.messageId, replaced];
    const keys = await testMail.keys(ids);
    const of = { team_id: row.team_id, account_id: row.id };
    const isTaken = async () => (await Promise.all(keys.map((key) => parts.isTaken(of, key)))).includes(true);
    const arrival = await waitFor(parts, { isTaken, find: () => mailbox.find(testMail, ids) });
    if (!("copy" in arrival)) return arrival.outcome === "lost" ? { ...arrival, host } : arrival;
    const removal = await mailbox.remove(testMail, ids);
    return { outcome: "found", ...arrival, isRenamed: isRenamed(arrival.copy, ids), removal };
  } finally {
    mailbox.close();
  }
}

/** Undefined when it was sent, or may have been: whether it was, its arrival says. */
function notSent(given: SmtpResult): NotSent | undefined {
  if (given.outcome === "unknown") return undefined;
  if (given.outcome !== "answered") return given;
  const [recipient] = given.recipients;
  return recipient && recipient.state !== "sent" ? { outcome: recipient.state, reason: recipient.reason } : undefined;
}

const isRenamed = ({ headers }: ReceivedCopy, ids: readonly string[]): boolean =>
  !headers.some(([name, value]) => name === "message-id" && ids.includes(value));

type Arrival =
  | { afterMs: number; copy: ReceivedCopy }
  | { outcome: "taken"; afterMs: number }
  | { outcome: "lost"; problem: ChannelReason | undefined };

async function waitFor(
  { steadyNow, timeouts }: RoundTripParts,
  { isTaken, find }: { isTaken(): Promise<boolean>; find(): Promise<Look> },
): Promise<Arrival> {
  const sentAt = steadyNow();
  for (;;) {
    // In this order: what was taken may leave the mailbox right after.
    const taken = await isTaken();
    const { copy, problem } = await find();
    const afterMs = steadyNow() - sentAt;
    if (copy) return { afterMs, copy };
    if (taken && problem === undefined) return { outcome: "taken", afterMs };
    if (afterMs >= WAIT_MS) return { outcome: "lost", problem };
    await new Promise<void>((resolve) => void timeouts.after(LOOK_MS, resolve));
  }
}
