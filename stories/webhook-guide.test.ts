/**
 * The guide on webhooks: its commands work, its code is the code in the files beside it, and that code accepts only genuine
 * deliveries.
 */
import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { verifyWebhook } from "@frontdesk/client";
import { DeliveryHeaders, deliverySchema } from "@frontdesk/core/contract";
import { problemsOf } from "@frontdesk/testing/ajv";
import { newInstallation } from "@frontdesk/testing/installation";
import { expect, onTestFinished, test } from "vitest";
import { guideFolder, post, type Received, startReceiver, verifiers } from "./guide-verifiers.ts";
import { root } from "./house/source-files.ts";

const guide = readFileSync(join(root, "docs/guide/webhooks.md"), "utf8");

const SECRET = `whsec_${Buffer.alloc(32, "the secret of this receiver").toString("base64")}`;
const ANOTHER_SECRET = `whsec_${Buffer.alloc(32, "the secret of another one").toString("base64")}`;
const EVENT_ID = "evt_01980c611c0e7a558b9de04f6a27c30a";

/** No serializer would write it this way: unusual order, spaces, escapes, a line separator, an emoji. */
const BODY = `{"version":"2026-09", "data":{"visitor":{"phone":null,"email":"vera@example.com","name":"V\\u00e9ra 👩🏽‍🚀"},
"message":{"content":"Do you ship to Portugal?\u2028Caf\u00e9 \\/ 1.50 €","attachments":[],"size":1.0}},
"occurred_at":"2026-09-14T09:26:52.500Z","event":"message.received","id":"${EVENT_ID}"}`;

interface Signing {
  secret: string;
  /** During a rotation of the secret. */
  nextSecret?: string;
  /** Unix seconds. */
  timestamp: number;
  body: string;
}

/** The headers of a delivery, only from the specification ("Delivery request headers", "Authentication"; decisions 42, 43). */
function signedHeaders({ secret, nextSecret, timestamp, body }: Signing): Record<string, string> {
  const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text, "utf8");
  const service = (key: string) => `sha256=${hmac(Buffer.from(key, "utf8"), `${timestamp}.${body}`).digest("hex")}`;
  const standard = (key: string) =>
    `v1,${hmac(Buffer.from(key.replace(/^whsec_/, ""), "base64"), `${EVENT_ID}.${timestamp}.${body}`).digest("base64")}`;
  const secrets = nextSecret === undefined ? [secret] : [secret, nextSecret];
  return {
    "Content-Type": "application/json",
    "X-Service-Event": "message.received",
    "X-Service-Webhook-Id": "01980c60-5d70-7ac9-b8e3-1f602d7e9a08",
    "X-Service-Delivery-Id": "del_01980c611c1174c2a0d34b5c6d7e8f90",
    "X-Service-Delivery-Attempt": "1",
    "X-Service-Timestamp": String(timestamp),
    "X-Service-Signature": service(secret),
    ...(nextSecret !== undefined && { "X-Service-Signature-Next": service(nextSecret) }),
    "webhook-id": EVENT_ID,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": secrets.map(standard).join(" "),
  };
}

/** Requests that may come to a receiver whose secret is SECRET, and whether each has to be accepted. */
function requests(): { what: string; accepted: boolean; headers: Record<string, string>; body: string }[] {
  const timestamp = Math.floor(Date.now() / 1000);
  const genuine = signedHeaders({ secret: SECRET, timestamp, body: BODY });
  const signedAt = (time: number) => signedHeaders({ secret: SECRET, timestamp: time, body: BODY });
  const { "X-Service-Signature": _, "webhook-signature": __, ...unsigned } = genuine;
  const aMinuteLater = { "X-Service-Timestamp": String(timestamp + 60), "webhook-timestamp": String(timestamp + 60) };
  return [
    { what: "a delivery as Frontdesk signs it", accepted: true, headers: genuine, body: BODY },
    {
      what: "one that the old secret signed first and the receiver's, the new one, second",
      accepted: true,
      headers: signedHeaders({ secret: ANOTHER_SECRET, nextSecret: SECRET, timestamp, body: BODY }),
      body: BODY,
    },
    {
      what: "one that the receiver's secret, the old one, signed first and the new one second",
      accepted: true,
      headers: signedHeaders({ secret: SECRET, nextSecret: ANOTHER_SECRET, timestamp, body: BODY }),
      body: BODY,
    },
    { what: "one signed four minutes ago", accepted: true, headers: signedAt(timestamp - 240), body: BODY },
    { what: "one with a byte changed", accepted: false, headers: genuine, body: BODY.replace("Portugal", "Portugak") },
    { what: "one parsed and written anew", accepted: false, headers: genuine, body: JSON.stringify(JSON.parse(BODY)) },
    {
      what: "one signed with another secret",
      accepted: false,
      headers: signedHeaders({ secret: ANOTHER_SECRET, timestamp, body: BODY }),
      body: BODY,
    },
    { what: "one signed six minutes ago", accepted: false, headers: signedAt(timestamp - 360), body: BODY },
    { what: "one signed six minutes ahead", accepted: false, headers: signedAt(timestamp + 360), body: BODY },
    { what: "one with another time", accepted: false, headers: { ...genuine, ...aMinuteLater }, body: BODY },
    { what: "one without a signature", accepted: false, headers: unsigned, body: BODY },
  ];
}

test.for(verifiers)(
  "$file of the guide accepts what Frontdesk signs, and nothing else",
  async ({ missing, refusal, judge }, { skip }) => {
    if (missing) skip(`${missing} is not on this machine.`);
    const sent = requests();
    expect(JSON.stringify(JSON.parse(BODY))).not.toBe(BODY);
    const received = await sentOverHttp(sent);
    expect(received.map(({ body }) => body.toString())).toEqual(sent.map(({ body }) => body));

    const verdicts = await judge(received, SECRET);
    expect(verdicts).toHaveLength(sent.length);
    for (const [index, verdict] of verdicts.entries()) {
      const { what, accepted } = sent[index] as (typeof sent)[number];
      const expected = accepted ? { id: EVENT_ID } : { refused: expect.stringMatching(refusal) };
      expect(verdict, what).toEqual(expected);
    }
  },
);

test("the command of the guide for trying a receiver sends a delivery that the receiver accepts", async () => {
  const receiver = await startReceiver(SECRET);
  const env = { PATH: process.env.PATH, RECEIVER: receiver.url };
  const send = (secret: string) =>
    promisify(execFile)("bash", [join(guideFolder, "send-one.sh")], {
      env: { ...env, FRONTDESK_WEBHOOK_SECRET: secret },
    });
  expect((await send(SECRET)).stdout).toBe("204\n");
  expect((await send(ANOTHER_SECRET)).stdout).toBe("401\n");
});

test("the code in the guide is the code of the files beside it", () => {
  const languages = { ".mjs": "js", ".py": "python", ".rb": "ruby", ".php": "php", ".go": "go", ".sh": "sh" } as const;
  const files = readdirSync(guideFolder);
  expect(files).toEqual(expect.arrayContaining(verifiers.map(({ file }) => file)));
  const blocks = files.map((file) => {
    const language = languages[extname(file) as keyof typeof languages];
    return `\`\`\`${language}\n${readFileSync(join(guideFolder, file), "utf8")}\`\`\``;
  });
  for (const block of blocks) expect(guide).toContain(block);
  const code = [...guide.matchAll(/^```(js|python|ruby|php|go)\n[\s\S]*?^```/gm)].map(([block]) => block);
  for (const block of code) expect(blocks).toContain(block);
});

test("the delivery in the guide is signed with the secret in the guide, and is as the contract says", async () => {
  const [, head = "", body = ""] = /^```http\nPOST .*\n([\s\S]*?)\n\n(.*)\n```/m.exec(guide) ?? [];
  const headers = Object.fromEntries(head.split("\n").map((line) => line.split(": ") as [string, string]));
  const timestamp = Number(headers["X-Service-Timestamp"]);
  const secret = secretIn(guide);
  expect(headers).toEqual({
    ...signedHeaders({ secret, timestamp, body }),
    "X-Service-Webhook-Id": headers["X-Service-Webhook-Id"],
    "X-Service-Delivery-Id": headers["X-Service-Delivery-Id"],
  });
  expect(problemsOf(DeliveryHeaders, headers)).toEqual([]);
  const event = await verifyWebhook({ body, headers, secret, now: new Date(timestamp * 1000) });
  expect(problemsOf(deliverySchema("message.received"), event)).toEqual([]);
});

test("the command of the guide subscribes, and prints what the guide says", async () => {
  const frontdesk = await newInstallation("sqlite");
  await frontdesk.start();
  const made = await frontdesk.command(
    ...["setup", "--team", "Acme", "--name", "Ada", "--email", "ada@acme.test", "--password", "correct horse"],
    ...["--widget", "Website", "--api-key", "main"],
  );
  const [, command = "", output = ""] = /^```console\n\$ (curl .*)\n([\s\S]*?)^```/m.exec(guide) ?? [];
  const { stdout } = await promisify(execFile)("bash", ["-c", command], {
    env: { ...frontdesk.env, API: `${frontdesk.origin}/api/v1`, FRONTDESK_API_KEY: String(made.api_key) },
  });
  expect(withoutChanging(stdout)).toBe(withoutChanging(output));
  for (const text of [stdout, output]) {
    expect(Buffer.from(secretIn(text).slice("whsec_".length), "base64")).toHaveLength(32);
  }
});

function secretIn(text: string): string {
  return /whsec_[\w+/=]+/.exec(text)?.[0] ?? "";
}

/** Ids, secrets and times differ in every run. */
function withoutChanging(text: string): string {
  const changing =
    /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|whsec_[\w+/=]+|\d{4}-\d\d-\d\dT[\d:.]+Z/g;
  return text.trim().replaceAll(changing, "…");
}

/** Sends each to a receiver that only records requests. */
async function sentOverHttp(sent: readonly { headers: Record<string, string>; body: string }[]): Promise<Received[]> {
  const received: Received[] = [];
  const receiver = createServer(async (request, response) => {
    const raw = request.rawHeaders;
    const headers = raw.flatMap((name, index) =>
      index % 2 === 0 ? [[name, String(raw[index + 1])] as [string, string]] : [],
    );
    received.push({ headers, body: await buffer(request) });
    response.writeHead(204).end();
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  onTestFinished(() => void receiver.close());
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  for (const { headers, body } of sent) {
    expect(await post(url, headers, Buffer.from(body))).toBe(204);
  }
  return received;
}
