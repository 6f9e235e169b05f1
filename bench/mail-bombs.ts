/** How long the event loop of the server waits, and what its memory grows by, while hostile mails come in through IMAP. */
import { startDovecot } from "@frontdesk/testing/dovecot";
import { connectMailbox, conversationsOf, firstMail, NEAR, untilConversations, untilRead } from "./mailboxes.ts";
import { type Place, pidOf, setUpTeam, startOurs, stopAll } from "./processes.ts";
import { multipart, wrapped } from "./sample-mails.ts";
import { forgetPeak, metricsOf, peakOf } from "./server-metrics.ts";

const MB = 1_048_576;
/** Ms of the event loop; MB of memory. */
const AIM = { loop: 100, memory: 300 };

export interface BombResult {
  engine: string;
  bomb: string;
  seconds: number;
  loopP99: number;
  loopMost: number;
  /** MB, above what the process had before. */
  memory: number;
}

const TEXT = "Content-Type: text/plain\r\n\r\nHello\r\n";
const html = (content: string) => `Content-Type: text/html; charset=utf-8\r\n\r\n${content}\r\n`;
const file = (bytes: number) =>
  `Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="a.bin"\r\n\r\n${wrapped(Buffer.alloc(bytes, 7).toString("base64"))}`;
/** Each part within the one before it. */
function nested(depth: number): string {
  const open = Array.from(
    { length: depth },
    (_, n) => `Content-Type: multipart/mixed; boundary="b${n}"\r\n\r\n--b${n}\r\n`,
  );
  return `${open.join("")}${TEXT}`;
}

const bombs: Record<string, () => string> = {
  "an ordinary mail": () => TEXT,
  "10,000 parts": () => multipart("mixed", Array<string>(10_000).fill(TEXT)),
  "900 parts, which are within the bounds": () => multipart("mixed", Array<string>(900).fill(TEXT)),
  "nested 10,000 deep": () => nested(10_000),
  "nested 45 deep, which is within the bounds": () => nested(45),
  "a header of 40 MB": () => `X-Long: ${"a".repeat(40 * MB)}\r\n${TEXT}`,
  "200,000 headers": () => `${"X-Short: a\r\n".repeat(200_000)}${TEXT}`,
  "5,000 addresses": () => `Cc: ${"<a@b.example>, ".repeat(5_000)}<c@d.example>\r\n${TEXT}`,
  "a file of 25 MB": () => multipart("mixed", [TEXT, file(25 * MB)]),
  "a file of 35 MB": () => multipart("mixed", [TEXT, file(35 * MB)]),
  "text of 45 MB": () =>
    `Content-Type: text/plain\r\n\r\n${"a line of text that is quite long\r\n".repeat((45 * MB) / 35)}`,
  "HTML of 8 MB, 400,000 elements": () => html("<p>a <b>b</b></p>".repeat(470_000)),
  "HTML of 40 MB": () => html("<p>a <b>b</b></p>".repeat(2_400_000)),
  "HTML nested 100,000 deep": () => html("<div>".repeat(100_000)),
  "HTML of 500,000 open brackets": () => html("<".repeat(500_000)),
  "HTML of nested quotes": () => html("<blockquote type=cite>".repeat(20_000)),
  "HTML of 2 MB of attributes": () => html(`<p ${'a="b" '.repeat(350_000)}>a</p>`),
  "a quote of 200,000 lines": () => `Content-Type: text/plain\r\n\r\nHello\r\n${"> a\r\n".repeat(200_000)}`,
  "40 million empty lines": () => `Content-Type: text/plain\r\n\r\n${"\n".repeat(40_000_000)}`,
};

/** @param wanted what the names of the bombs have in them */
export async function* measureBombs({ engine, newEnv }: Place, wanted: string): AsyncGenerator<BombResult> {
  const env = { ...(await newEnv()), ...NEAR };
  const { apiKey, widgetId } = await setUpTeam(env);
  const dovecot = await startDovecot();
  try {
    const port = await startOurs(env);
    const api = { port, apiKey };
    dovecot.deliver("shop", firstMail("shop", 0));
    const mailbox = await connectMailbox(api, dovecot, { user: "shop", widgetId });
    await untilRead(api, dovecot, mailbox);
    for (const [bomb, content] of Object.entries(bombs).filter(([name]) => name.includes(wanted))) {
      const head = `From: bomb@${bomb.length}${Math.floor(performance.now())}.example\r\nSubject: ${bomb}\r\nMessage-ID: <${performance.now()}@bombs.example>\r\n`;
      const count = await conversationsOf(api);
      const before = await metricsOf(port);
      forgetPeak(pidOf(port));
      const began = performance.now();
      dovecot.deliver("shop", head + content());
      await untilConversations(api, count + 1);
      const seconds = (performance.now() - began) / 1_000;
      const { loopP99, loopMost } = await metricsOf(port);
      yield { engine, bomb, seconds, loopP99, loopMost, memory: peakOf(pidOf(port)) - before.memory };
    }
  } finally {
    await stopAll();
    await dovecot.stop();
  }
}

export function printBomb({ engine, bomb, seconds, loopP99, loopMost, memory }: BombResult): void {
  const isMissed = loopMost > AIM.loop || memory > AIM.memory;
  console.log(
    `${engine.padEnd(9)}${bomb.padEnd(45)}in after ${seconds.toFixed(1).padStart(5)} s  event loop p99 ${loopP99.toFixed(1).padStart(6)}` +
      `  most ${loopMost.toFixed(1).padStart(6)} ms (aim: ${AIM.loop})  memory +${memory.toFixed(0)} MB (aim: ${AIM.memory})${isMissed ? "  MISSED" : ""}`,
  );
}
