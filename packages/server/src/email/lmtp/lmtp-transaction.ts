import type { Readable } from "node:stream";
import { Refusal } from "@frontdesk/core/domain/refusal";
import type { Logger } from "../../logger.ts";
import { isSameAddress } from "../rules/mail-address.ts";
import type { Deliver } from "./deliver-mail.ts";
import type { LmtpRecipient } from "./find-recipient.ts";

/** An answer that is no success; the library puts the enhanced status code (RFC 3463) in front of its text. */
export class Answer extends Error {
  readonly responseCode: number;
  constructor(responseCode: number, message: string) {
    super(message);
    this.responseCode = responseCode;
  }
}

/** An address as the library has read it; the same object in each step of a transaction. */
interface Written {
  address: string;
}

export interface Transactions {
  /** @throws Answer for a recipient that is not ours, or when that cannot be said now */
  accept(written: Written, before: readonly Written[]): Promise<void>;
  /**
   * Takes the mail; resolves to an answer for each recipient, a text for success. Never fails. What it has not read the library
   * passes over before it answers: a mail server listens once it has sent all.
   */
  receive(content: Readable, from: Written | false, to: readonly Written[]): Promise<(string | Answer)[]>;
}

/** @param signal no further account takes a mail once it is aborted */
export function createTransactions({
  recipientOf,
  deliver,
  signal,
  logger,
}: {
  recipientOf(address: string): Promise<LmtpRecipient | undefined>;
  deliver: Deliver;
  signal: AbortSignal;
  logger: Pick<Logger, "info" | "warn">;
}): Transactions {
  const found = new WeakMap<Written, LmtpRecipient>();

  return {
    async accept(written, before) {
      const recipient = await recipientOf(written.address).catch((error) => {
        logger.warn({ err: error }, "Cannot look for the mailbox of a recipient. Its mail server tries again.");
        throw later();
      });
      if (!recipient) throw unknown();
      // The library gives one answer for an address that is named twice, and its mail server waits for two.
      const isRepeated = before.some((each) => isSameAddress(found.get(each)?.address ?? "", recipient.address));
      if (isRepeated) throw new Answer(451, "The mail already has this recipient");
      found.set(written, recipient);
    },

    async receive(content, from, to) {
      const recipients = to.flatMap((written) => found.get(written) ?? []);
      try {
        const deliveries = await deliver(content, { from: from ? from.address : "", recipients }, signal);
        return deliveries.map((delivery) => {
          if (delivery === "taken") return "The mail was taken";
          return delivery === "unknown" ? unknown() : later();
        });
      } catch (error) {
        const answer = answerTo(error);
        return recipients.map(() => answer);
      }
    },
  };

  function answerTo(error: unknown): Answer {
    const { name } = error instanceof Refusal ? error.reason : { name: undefined };
    // `rejectOversized` has the library say it, with its own code 5.3.4.
    if (name === "too-large") return new Answer(552, "The mail is too large");
    if (name === "invalid") return new Answer(554, "The mail is empty");
    if (isCutOff(error)) logger.info({ err: error }, "A mail was cut off. Its mail server sends it again.");
    else logger.warn({ err: error }, "A mail cannot be stored now. Its mail server sends it again.");
    return later();
  }
}

const later = () => new Answer(451, "The mail cannot be stored now");
const unknown = () => new Answer(550, "There is no mailbox of this address");

const isCutOff = (error: unknown): boolean =>
  ["ECONNECTION", "ERR_STREAM_PREMATURE_CLOSE"].includes((error as NodeJS.ErrnoException).code ?? "");
