import { channelSentence } from "@frontdesk/core/domain/channel-reason";
import type { EmailSettings } from "../email/email-settings.ts";
import { type NotSent, type RoundTrip, WAIT_MS } from "../email/round-trip/round-trip.ts";
import { TEST_SUBJECT } from "../email/round-trip/test-mail.ts";
import type { Check } from "./check.ts";

type Settings = Pick<EmailSettings, "address" | "inbound">;
type Outcome<Name extends RoundTrip["outcome"]> = RoundTrip & { outcome: Name };

/** Whether a mail that a mailbox has sent to itself came in, in words. */
export function tripFinding(trip: RoundTrip, settings: Settings): Check {
  const name = `test email of ${settings.address}`;
  switch (trip.outcome) {
    case "sealed": {
      const says = "Nothing was sent: its passwords can't be decrypted with the key of this installation.";
      return { name, state: "problem", says, do: "See the finding about the encryption key." };
    }
    case "not-tried": {
      const says = ["Nothing was sent, because its mail servers can't be used:", ...messagesOf(trip)].join("\n");
      return { name, state: "problem", says, do: "Correct this in Settings > Channels. Check now tries it there." };
    }
    case "not-sent":
      return { name, state: "problem", ...notSent(trip) };
    case "lost":
      return { name, state: "problem", ...lost(trip, settings) };
    case "taken":
      return taken(name, trip, settings);
    case "found":
      return found(name, trip, settings);
    default:
      return trip satisfies never;
  }
}

const messagesOf = ({ problems }: Outcome<"not-tried">): string[] =>
  problems.map(({ reason }) => channelSentence(reason));

type Words = Required<Pick<Check, "says" | "do">>;

function notSent({ host, result }: Outcome<"not-sent">): Words {
  return { says: `${host} didn't accept it: ${wordsOf(result)}`, do: whatToDo(result) };
}

function wordsOf(result: NotSent): string {
  const words = "reason" in result ? channelSentence(result.reason) : "The connection has ended.";
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

function whatToDo(result: NotSent): string {
  switch (result.outcome) {
    case "refused":
      return "Do what the server asks for. Check that the address exists there, and that the user name may send from it.";
    case "trouble":
      return "Correct the mail server in Settings > Channels.";
    case "later":
    case "retry":
    case "aborted":
      return "Try again in some minutes. If it stays, ask the provider of the mail server.";
    case "pause":
      return "It has a limit for how much is sent. Try again later, or set a lower pace in Settings > Channels.";
    default:
      return result satisfies never;
  }
}

function lost({ host, problem }: Outcome<"lost">, { address, inbound }: Settings): Words {
  const domain = address.slice(address.lastIndexOf("@") + 1);
  const seconds = WAIT_MS / 1_000;
  const later = "If it comes later, it stays in the mailbox, and Frontdesk doesn't import it.";
  if (inbound.kind === "http") {
    return {
      says: `${host} accepted it, but it didn't come in within ${seconds} s.`,
      do: `Check that the Frontdesk server is running, and that what receives emails for ${domain} hands them over: to the callback URL of this channel, or by LMTP.`,
    };
  }
  if (problem !== undefined) {
    return {
      says: `${host} accepted it, but the mailbox can't be looked into any more: ${channelSentence(problem)}`,
      do: `Run this again. ${later}`,
    };
  }
  return {
    says: `${host} accepted it, but within ${seconds} s it was neither in ${inbound.folder} nor in spam.`,
    do: `Look for a returned email in the mailbox. Check that ${host} delivers emails to ${address} (MX record of ${domain}, rules and forwarding of the mailbox). ${later}`,
  };
}

function taken(name: string, { afterMs }: Outcome<"taken">, { inbound }: Settings): Check {
  const how =
    inbound.kind === "http"
      ? "It came in"
      : "It came in, but not in its mailbox (by LMTP or HTTP, or a rule has moved it there),";
  const says = `${how} ${inTime(afterMs)}. What is handed over isn't kept, so SPF, DKIM and DMARC weren't looked at.`;
  return { name, state: "ok", says };
}

function found(name: string, { afterMs, copy, removal }: Outcome<"found">, { inbound }: Settings): Check {
  const { kind, folder } = copy;
  const after = inTime(afterMs);
  const gone = removalIn(removal);
  if (kind === "junk") {
    return {
      ...{ name, state: "warning", says: `It was in spam (${folder}) ${after}. ${gone}` },
      do: "Your replies may land in spam too. Correct what else is found about this address. If nothing is, mark the address as not spam in the mailbox.",
    };
  }
  if (kind === "inbox" && inbound.kind === "imap") {
    return {
      ...{
        name,
        state: "warning",
        says: `It was in ${folder} ${after}, but Frontdesk reads ${inbound.folder}. ${gone}`,
      },
      do: `Choose ${folder} as the folder in Settings > Channels, or let a rule of the mailbox move emails to ${inbound.folder}.`,
    };
  }
  return { name, state: "ok", says: `It was in ${folder} ${after}. ${gone}` };
}

function removalIn(removal: Outcome<"found">["removal"]): string {
  switch (removal) {
    case "deleted":
      return "It has been deleted there.";
    case "marked":
      return "It's marked as deleted there.";
    case "left":
      return `It couldn't be deleted there: its subject is "${TEST_SUBJECT}".`;
    default:
      return removal satisfies never;
  }
}

const inTime = (ms: number): string => (ms < 1_000 ? "within a second" : `after ${(ms / 1_000).toFixed(1)} s`);
