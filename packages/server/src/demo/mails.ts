import type { AgentName, Start, TagName } from "./script.ts";
import { minutesAgo, on } from "./script.ts";

/** The shop's mailbox. */
export const DEMO_MAILBOX = "support@demo-shop.test";
/** Its mail server, in the headers that it writes. */
export const DEMO_AUTHSERV_ID = "mx.demo-shop.test";

/** A mail to the shop. */
export interface DemoMail {
  /** By which answers name it. */
  id: string;
  answers?: string;
  written: Start;
  from: { name: string; address: string };
  cc?: readonly { name: string; address: string }[];
  subject: string;
  text: string;
  /** What an answer quotes. */
  quoted?: string;
  /** What the team does with it some minutes later. */
  handled?: { agent: AgentName; note: string; tag: TagName; resolves: boolean };
}

const HANNAH = { name: "Hannah Brook", address: "hannah.brook@example.com" };
const FIRST_OF_HANNAH =
  "Hello,\n\nthe blue pot from order 20871 arrived with a crack down the side. The plant is fine.\n\nCan you send another one?\n\nHannah";

export const mails: readonly DemoMail[] = [
  {
    id: "<invoice-4411@example.org>",
    written: on(6, "09:12"),
    from: { name: "Theo Lambert", address: "theo@lambert.example.org" },
    subject: "Copy of invoice 4411",
    text: "Hello,\n\nour bookkeeping has lost invoice 4411. Could you send it to us again?\n\nKind regards\nTheo Lambert",
    handled: {
      agent: "lin",
      note: "Called him: he has found it in his downloads.",
      tag: "Billing",
      resolves: true,
    },
  },
  {
    id: "<pot-20871@example.com>",
    written: on(1, "15:40"),
    from: HANNAH,
    subject: "Cracked pot (order 20871)",
    text: FIRST_OF_HANNAH,
    handled: { agent: "omar", note: "Photo asked for by phone. She sends it today.", tag: "Damaged", resolves: false },
  },
  {
    id: "<pot-20871-2@example.com>",
    answers: "<pot-20871@example.com>",
    written: minutesAgo(95),
    from: HANNAH,
    subject: "Re: Cracked pot (order 20871)",
    text: "Sorry, the camera on my phone is broken too. Would a description do? The crack runs from the rim to the foot, on the left of the handle.\n\nHannah",
    quoted: FIRST_OF_HANNAH,
  },
  {
    id: "<wholesale@green-office.example>",
    written: minutesAgo(38),
    from: { name: "Mina Okafor", address: "mina@green-office.example" },
    cc: [{ name: "Jonas Weber", address: "jonas@green-office.example" }],
    subject: "60 plants for a new office",
    text: "Hi there,\n\nwe are moving into a new office in March and would like some 60 plants: mostly low light, nothing poisonous, easy to water.\n\nDo you deliver to the third floor, and is there a price for that number? Jonas (in Cc) has the plans of the rooms.\n\nBest\nMina",
  },
];
