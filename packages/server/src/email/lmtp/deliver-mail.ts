import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { Refusal } from "@frontdesk/core/domain/refusal";
import type { Drafts } from "../../files/drafts.ts";
import { MAIL_MAX_BYTES } from "../in/mail-import.ts";
import type { TakeRawMail } from "../in/take-mail.ts";
import type { LmtpRecipient } from "./find-recipient.ts";

/** No transaction has more recipients; the mail server sends the mail to the others in another one. */
export const RECIPIENTS_MAX = 100;
/** What is written in front of a mail is smaller: a line of at most 340 bytes for each recipient, and one for the sender. */
const TRACE_MAX_BYTES = 65_536;
export const LMTP_MAX_BYTES = MAIL_MAX_BYTES - TRACE_MAX_BYTES;

export interface Envelope {
  /** Empty for the null sender. */
  from: string;
  recipients: readonly LmtpRecipient[];
}

/** `unknown`: its account was deleted meanwhile. `later`: it could not be stored now, and the mail has to be sent again. */
export type Delivery = "taken" | "unknown" | "later";

export interface DeliveryParts {
  takeRawMail: TakeRawMail;
  drafts: Drafts;
  newId(): string;
  /** Called with why an account did not take a mail, or why what is left of it could not be removed yet. */
  onTrouble(error: unknown): void;
}

/**
 * Takes one mail into the accounts of all its recipients, each once. It is received to our disk first, and read from there for each
 * account, so that no mail is in memory and one account's trouble is not another's.
 *
 * @param signal no further account is begun once it is aborted
 * @returns what became of it for each recipient, in their order
 * @throws Refusal `too-large` over `LMTP_MAX_BYTES`, `invalid` for an empty one
 * @throws StorageUnavailable when it cannot be received
 */
export function createDelivery({ takeRawMail, drafts, newId, onTrouble }: DeliveryParts) {
  return async function deliver(content: Readable, envelope: Envelope, signal: AbortSignal): Promise<Delivery[]> {
    const draftId = newId();
    const { path } = await drafts.receive(draftId, content, LMTP_MAX_BYTES);
    try {
      const deliveries = new Map<string, Delivery>();
      for (const { accountId, teamId } of envelope.recipients) {
        if (deliveries.has(accountId)) continue;
        const ofAccount = envelope.recipients.filter((each) => each.accountId === accountId);
        const trace = traceOf({ from: envelope.from, recipients: ofAccount });
        deliveries.set(accountId, signal.aborted ? "later" : await takeInto({ teamId, accountId }, trace, path));
      }
      return envelope.recipients.map(({ accountId }) => deliveries.get(accountId) ?? "later");
    } finally {
      await drafts.remove(draftId).catch(onTrouble);
    }
  };

  async function takeInto(account: Omit<LmtpRecipient, "address">, trace: string, path: string): Promise<Delivery> {
    const content = Readable.from(traced(trace, path));
    try {
      await takeRawMail({ kind: "channel", ...account }, content);
      return "taken";
    } catch (error) {
      if (error instanceof Refusal && error.reason.name === "not-found") return "unknown";
      onTrouble(error);
      return "later";
    } finally {
      // Closes the file when it was not read to its end.
      content.destroy();
    }
  }
}

export type Deliver = ReturnType<typeof createDelivery>;

/** What the last server writes in front of a mail (RFC 5321 4.4): bounces are known by the sender, tokens by the recipients. */
function traceOf({ from, recipients }: Envelope): string {
  const lines = [`Return-Path: <${from}>`, ...recipients.map(({ address }) => `Delivered-To: ${address}`)];
  return lines.map((line) => `${line.replaceAll(/\p{Cc}/gu, "")}\r\n`).join("");
}

async function* traced(trace: string, path: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(trace);
  yield* createReadStream(path);
}
