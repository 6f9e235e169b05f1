/** The verifiers of `docs/guide/webhooks`, each run by its own language over recorded requests. */
import { execFile, spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@frontdesk/testing/free-port";
import { expect, onTestFinished } from "vitest";
import { findGo, findPhp, findPython, findRuby } from "../scripts/system-programs.mjs";
import { root } from "./house/source-files.ts";

export const guideFolder = join(root, "docs/guide/webhooks");

/** A request as received: header names and values in order, and the bytes of the body. */
export interface Received {
  headers: [name: string, value: string][];
  body: Buffer;
}

/** The id of the accepted event, or the refusal's text. */
export type Verdict = { id: string } | { refused: string };

export interface Verifier {
  /** A file of the guide. */
  file: string;
  /** The missing program on this machine, if any. */
  missing: string | undefined;
  /** How it reports a refusal; any other error is a failure. */
  refusal: RegExp;
  judge(received: readonly Received[], secret: string): Promise<Verdict[]>;
}

const OUR_REFUSAL = /^the (signature does not fit|delivery is too old)\.?$/i;

const [go, php, python, ruby] = [findGo(), findPhp(), findPython(), findRuby()];

export const verifiers: readonly Verifier[] = [
  { file: "receive.mjs", missing: undefined, refusal: /^401 \S/, judge: judgeByReceiver },
  {
    file: "standard-webhooks.mjs",
    missing: undefined,
    refusal: /^WebhookVerificationError: /,
    judge: (...sent) => run(process.execPath, ["--input-type=module", "--eval", STANDARD], ...sent),
  },
  {
    file: "verify.py",
    missing: python ? undefined : "Python",
    refusal: OUR_REFUSAL,
    judge: (...sent) => run(python, ["-B", "-c", PYTHON], ...sent),
  },
  {
    file: "verify.rb",
    missing: ruby ? undefined : "Ruby",
    refusal: OUR_REFUSAL,
    judge: (...sent) => run(ruby, ["-e", RUBY], ...sent),
  },
  {
    file: "verify.php",
    missing: php ? undefined : "PHP",
    refusal: OUR_REFUSAL,
    judge: (...sent) => run(php, ["-r", PHP, "--"], ...sent),
  },
  { file: "verify.go", missing: go ? undefined : "Go", refusal: OUR_REFUSAL, judge: judgeByGo },
];

/** Runs a program that reads requests as JSON, passes each to the guide's file, and prints the verdicts as JSON. */
function run(
  program: string | undefined,
  args: string[],
  received: readonly Received[],
  secret: string,
  cwd = root,
): Promise<Verdict[]> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, FRONTDESK_WEBHOOK_SECRET: secret };
    const child = execFile(String(program), [...args, secret, guideFolder], { cwd, env }, (error, stdout) =>
      error ? reject(error) : resolve(JSON.parse(stdout)),
    );
    // The exit code explains why a program ended before it had read everything.
    child.stdin?.on("error", () => {});
    child.stdin?.end(JSON.stringify(received.map(({ headers, body }) => ({ headers, body: body.toString("base64") }))));
  });
}

const STANDARD = `
import { json } from "node:stream/consumers";
const { verify } = await import(process.argv[2] + "/standard-webhooks.mjs");
const verdicts = (await json(process.stdin)).map(({ headers, body }) => {
  try {
    return { id: verify(Buffer.from(body, "base64"), Object.fromEntries(headers)).id };
  } catch (error) {
    return { refused: error.name + ": " + error.message };
  }
});
console.log(JSON.stringify(verdicts));
`;

/** With the headers as Python's own server has them. */
const PYTHON = `
import base64, email.message, json, sys
secret, folder = sys.argv[1:]
sys.path.insert(0, folder)
from verify import verify

def judge(received):
    headers = email.message.Message()
    for name, value in received["headers"]:
        headers[name] = value
    try:
        return {"id": verify(base64.b64decode(received["body"]), headers, secret)["id"]}
    except ValueError as error:
        return {"refused": str(error)}

print(json.dumps([judge(received) for received in json.load(sys.stdin)]))
`;

/** With case-insensitive headers, as those of Rails and of Net::HTTP are. */
const RUBY = `
require "json"
require "net/http"
secret, folder = ARGV
require File.join(folder, "verify.rb")
verdicts = JSON.parse($stdin.read).map do |received|
  headers = Net::HTTP::Post.new("/")
  received["headers"].each { |name, value| headers[name] = value }
  { id: verify(received["body"].unpack1("m0"), headers, secret)["id"] }
rescue ArgumentError => error
  { refused: error.message }
end
puts JSON.generate(verdicts)
`;

/** With the headers as $_SERVER has them. */
const PHP = `
[, $secret, $folder] = $argv;
require "$folder/verify.php";
$verdicts = array_map(function ($received) use ($secret) {
    $server = [];
    foreach ($received['headers'] as [$name, $value]) $server['HTTP_' . strtoupper(strtr($name, '-', '_'))] = $value;
    try {
        return ['id' => verify(base64_decode($received['body']), $server, $secret)['id']];
    } catch (RuntimeException $error) {
        return ['refused' => $error->getMessage()];
    }
}, json_decode(file_get_contents('php://stdin'), true));
echo json_encode($verdicts);
`;

const GO = `package main

import (
	"encoding/json"
	"net/http"
	"os"

	"receiver/webhooks"
)

func main() {
	var all []struct {
		Headers [][2]string
		Body    []byte
	}
	if err := json.NewDecoder(os.Stdin).Decode(&all); err != nil {
		panic(err)
	}
	verdicts := []map[string]string{}
	for _, received := range all {
		header := http.Header{}
		for _, each := range received.Headers {
			header.Add(each[0], each[1])
		}
		if err := webhooks.Verify(received.Body, header, os.Args[1]); err != nil {
			verdicts = append(verdicts, map[string]string{"refused": err.Error()})
			continue
		}
		var event struct{ ID string }
		if err := json.Unmarshal(received.Body, &event); err != nil {
			panic(err)
		}
		verdicts = append(verdicts, map[string]string{"id": event.ID})
	}
	json.NewEncoder(os.Stdout).Encode(verdicts)
}
`;

function judgeByGo(received: readonly Received[], secret: string): Promise<Verdict[]> {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-go-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "webhooks"));
  writeFileSync(join(folder, "go.mod"), "module receiver\n\ngo 1.19\n");
  writeFileSync(join(folder, "main.go"), GO);
  copyFileSync(join(guideFolder, "verify.go"), join(folder, "webhooks/verify.go"));
  return run(go, ["run", "."], received, secret, folder);
}

/** Sends each request again to the guide's receiver, byte for byte. */
async function judgeByReceiver(received: readonly Received[], secret: string): Promise<Verdict[]> {
  const receiver = await startReceiver(secret);
  const verdicts: Verdict[] = [];
  for (const { headers, body } of received) {
    const before = receiver.printed();
    const status = await post(receiver.url, Object.fromEntries(headers), body);
    // Its output may arrive after its answer.
    await expect.poll(() => receiver.printed()).toMatch(/\n$/);
    await expect.poll(() => receiver.printed()).not.toBe(before);
    const line = receiver.printed().slice(before.length).trim();
    verdicts.push(status === 204 ? { id: String(line.split(" ")[0]) } : { refused: `${status} ${line}` });
  }
  return verdicts;
}

/** `receive.mjs` as a separate process, ended when the test is finished. */
export async function startReceiver(secret: string): Promise<{ url: string; printed(): string }> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(guideFolder, "receive.mjs")], {
    env: { PATH: process.env.PATH, PORT: String(port), FRONTDESK_WEBHOOK_SECRET: secret },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill());
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  }
  const url = `http://127.0.0.1:${port}/`;
  // An empty request is refused as soon as it listens.
  await expect.poll(() => fetch(url).then(({ status }) => status, String)).toBe(401);
  await expect.poll(() => printed).toMatch(/\n$/);
  return { url, printed: () => printed };
}

/** Sends bytes unchanged; resolves to the status. */
export function post(url: string, headers: Record<string, string>, body: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", headers }, (response) => {
      response.resume().on("end", () => resolve(Number(response.statusCode)));
    });
    sent.on("error", reject).end(body);
  });
}
