/** What an image host may do, and how it is handled (`http/session/mail-routes.test.ts` has redirects and addresses). */
import { sharedAuthority } from "@frontdesk/testing/certificates";
import {
  type Answer,
  drip,
  flood,
  hang,
  hangUp,
  namesOf,
  startReceiver,
  status,
} from "@frontdesk/testing/https-receiver";
import { expect, onTestFinished, test } from "vitest";
import { createOutbound } from "./outbound.ts";

const authority = sharedAuthority();
const { lookup } = namesOf({ "receiver.test": ["127.0.0.1"] });

async function got(answer: Answer, change: (url: URL) => URL = (url) => url) {
  const receiver = await startReceiver({ authority });
  const outbound = createOutbound({ allowedNetworks: ["127.0.0.0/8"], extraCa: authority.ca, lookup, timeoutMs: 300 });
  onTestFinished(async () => {
    outbound.close();
    await receiver.close();
  });
  receiver.answers(answer);
  const received = await outbound.get({ url: change(receiver.url()), headers: { Accept: "image/*" }, maxBytes: 1_000 });
  return { content: received?.content.toString(), receiver };
}

test("the body of an answer 200 is given whole", async () => {
  expect((await got(status(200, {}, "x".repeat(1_000)))).content).toHaveLength(1_000);
  expect((await got(status(200))).content).toBe("");
});

test.each<[string, Answer]>([
  ["another status", status(206, {}, "x")],
  ["a body that is longer than it may be", status(200, {}, "x".repeat(1_001))],
  ["a body that comes too slowly", drip("HTTP/1.1 200 OK\r\n\r\n")],
  ["no answer", hang],
  ["a connection that is closed", hangUp],
  ["a redirect to nowhere", status(302, { Location: "http://" })],
  ["a redirect to itself", status(302, { Location: "/hook" })],
])("%s is no answer", async (_what, answer) => {
  expect((await got(answer)).content).toBeUndefined();
});

test("of a body that is too long, no more is read", async () => {
  const read = Promise.withResolvers<number>();
  expect((await got(flood(100_000_000, read.resolve))).content).toBeUndefined();
  expect(await read.promise).toBeLessThan(100_000_000);
});

test("nothing is asked without TLS", async () => {
  const plain = await got(status(200, {}, "x"), (url) => new URL(url.href.replace("https:", "http:")));
  expect([plain.content, plain.receiver.connections.opened]).toEqual([undefined, 0]);
});
