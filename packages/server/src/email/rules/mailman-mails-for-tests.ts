/**
 * A customer's mail to a list, as Mailman 3.3.8 of Debian 12 passes it on: made by its own posting pipeline, a list of each setting.
 * Wrapped, the customer's mail is a part of the list's.
 */

interface Passed {
  from: string;
  /** Reply-To or Cc, as the setting has it. */
  more?: string;
}

const passed = ({ from, more }: Passed): string =>
  [
    "To: support@lists.acme.example",
    "Message-ID: <order-1@customer.example>",
    "Date: Sat, 28 Nov 2026 10:00:00 +0000",
    "MIME-Version: 1.0",
    'Content-Type: text/plain; charset="utf-8"',
    "X-Mailman-Version: 3.3.8",
    "Precedence: list",
    "Subject: [Support] Where is my order?",
    "List-Id: <support.lists.acme.example>",
    "List-Help: <mailto:support-request@lists.acme.example?subject=help>",
    "List-Owner: <mailto:support-owner@lists.acme.example>",
    "List-Post: <mailto:support@lists.acme.example>",
    "List-Subscribe: <mailto:support-join@lists.acme.example>",
    "List-Unsubscribe: <mailto:support-leave@lists.acme.example>",
    `From: ${from}`,
    ...(more ? [more] : []),
    "",
    "It was due on Friday.",
    "",
  ].join("\r\n");

const VIA = "Vera Vogel via Support <support@lists.acme.example>";

/** As the customer has written it. */
export const PLAIN = passed({ from: "Vera Vogel <vera@customer.example>" });
/** The setting "replace From with the list's address", for DMARC. */
export const MUNGED = passed({ from: VIA, more: "Reply-To: Vera Vogel <vera@customer.example>" });
/** The same where answers go to the list: then the customer is in Cc. */
export const MUNGED_TO_LIST = passed({
  from: VIA,
  more: "Reply-To: support@lists.acme.example\r\nCc: Vera Vogel <vera@customer.example>",
});
/** The same of a customer without a name. */
export const MUNGED_WITHOUT_NAME = passed({
  from: "vera--- via Support <support@lists.acme.example>",
  more: "Reply-To: support@lists.acme.example\r\nCc: vera@customer.example",
});
export const ANONYMOUS = passed({
  from: "support@lists.acme.example",
  more: "Reply-To: support@lists.acme.example",
});
