import { startMailFile } from "../email/in/start-mail-file.ts";
import { RAW_MAIL_NAME, RAW_MAIL_TYPE } from "../email/in/take-mail.ts";
import { bringSpam } from "./bring-mail.ts";
import { DEMO_AUTHSERV_ID, DEMO_MAILBOX, type DemoMail } from "./mails.ts";
import { minutesAgo, on } from "./script.ts";
import { type Moment, startOf } from "./shop.ts";

const spam: readonly DemoMail[] = [
  {
    id: "<rank-1@seo-offers.example>",
    written: on(2, "04:17"),
    from: { name: "Growth team", address: "hello@seo-offers.example" },
    subject: "Your shop on page 1 in 7 days, guaranteed",
    text: "Dear owner,\n\nwe have looked at your shop and found 41 mistakes. Our experts bring it to the first page of every search engine.\n\nOnly 3 places left this week. Order now: https://seo-offers.example/order\n\nYour growth team",
  },
  {
    id: "<parcel-88213@parcel-notice.example>",
    written: minutesAgo(52),
    from: { name: "Parcel notice", address: "no-reply@parcel-notice.example" },
    subject: "Your parcel is on hold: a fee of 1.99 is due",
    text: "We could not deliver your parcel 88213.\n\nPay the customs fee of 1.99 within 24 hours, or it goes back: https://parcel-notice.example/pay\n\nDo not answer this email.",
  },
];

/** The content of a file of the demo, to be stored after its commit. */
export interface DemoOriginal {
  id: string;
  content: Buffer;
}

/** Mails that the shop's own server calls spam come in. Their originals are added to `originals`. */
export function momentsOfSpam(endsAt: number, originals: DemoOriginal[]): Moment[] {
  return spam.map((mail): Moment => {
    const at = startOf(mail.written, endsAt);
    const content = Buffer.from(rawOf(mail, at));
    return {
      at,
      async act(perform, { actor: { teamId }, mailboxId: accountId }) {
        const actor = { kind: "channel", teamId, accountId } as const;
        const size = content.byteLength;
        const { id } = await perform(actor, startMailFile, { name: RAW_MAIL_NAME, mime: RAW_MAIL_TYPE, size });
        await perform(actor, bringSpam, { mail, file: { id, size } });
        originals.push({ id, content });
      },
    };
  });
}

const rawOf = ({ id, from, subject, text }: DemoMail, sentAt: number): string =>
  [
    `Authentication-Results: ${DEMO_AUTHSERV_ID}; spf=pass; dkim=none; dmarc=none`,
    "X-Spam-Flag: YES",
    `From: ${from.name} <${from.address}>`,
    `To: ${DEMO_MAILBOX}`,
    `Subject: ${subject}`,
    `Message-ID: ${id}`,
    `Date: ${new Date(sentAt).toUTCString()}`,
    "Content-Type: text/plain; charset=utf-8",
    "",
    ...text.split("\n"),
    "",
  ].join("\r\n");
