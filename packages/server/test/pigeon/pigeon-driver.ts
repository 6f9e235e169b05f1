/**
 * How a pigeon carries letters away: each part of a message is a line of JSON to a real server, which accepts it with a number
 * of its own. The server runs on this machine, at the port in the account's settings.
 */
import type { AttemptProblem } from "@frontdesk/core/domain/channel-reason";
import { sendLine } from "@frontdesk/testing/line-receiver";
import { PIGEON_CHANNEL } from "@frontdesk/testing/pigeon";
import type { ChannelDriver, ChannelDrivers, OutgoingPart } from "../../src/channels/channel-driver.ts";

/** What one pigeon carries. */
const MAX_CHARACTERS = 40;

/** A line as the server reads it. */
export interface SentLetter {
  ring: string;
  seal: string;
  number: number;
  content: string;
  attachments: OutgoingPart["attachments"];
}

export const pigeonDriver: ChannelDriver = {
  channel: PIGEON_CHANNEL,
  identityKinds: ["ring", "tattoo"],
  limits: () => ({
    text: { max: MAX_CHARACTERS, unit: "characters" },
    media: { "*/*": { maxBytes: 1_000 } },
    windowMs: null,
    can: { quote: false, react: false, edit: false, read: false, typing: false, templates: false },
  }),
  split({ content, attachments }, { text }) {
    const contents: string[] = [];
    for (let at = 0; at < content.length || at === 0; at += text.max) contents.push(content.slice(at, at + text.max));
    return contents.map((part, index) => ({
      number: index + 1,
      content: part,
      attachments: index === contents.length - 1 ? attachments : [],
    }));
  },
  async send({ settings, secrets }, { number, content, attachments }, { value }, signal) {
    const letter: SentLetter = { ring: value, seal: secrets.seal ?? "", number, content, attachments };
    const { outcome, error, answer } = await sendLine(Number(settings.port), JSON.stringify(letter), signal);
    if (outcome === "accepted") return { outcome, externalId: JSON.parse(answer?.result ?? "").answer.slice(2) };
    // The words of the wire are its own.
    const reason = error as AttemptProblem;
    return { outcome: outcome === "aborted" || outcome === "postponed" ? "retry" : outcome, reason };
  },
  describe: async () => undefined,
  check: async () => [],
};

export const pigeonDrivers: ChannelDrivers = new Map([[PIGEON_CHANNEL, pigeonDriver]]);
