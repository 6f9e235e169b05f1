/** The guide on signed identities: its code is the code in the files beside it, and the identities it signs are accepted. */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { newVisitorToken } from "@frontdesk/testing/browser-visitor";
import { newInstallation } from "@frontdesk/testing/installation";
import { expect, test } from "vitest";
import { findPhp, findPython, findRuby } from "../scripts/system-programs.mjs";
import { root } from "./house/source-files.ts";

const folder = join(root, "docs/guide/identity");
const guide = readFileSync(join(root, "docs/guide/widget.md"), "utf8");

/** A program that signs the claims it is given as JSON, and prints the identity. */
const signers: Record<string, { program: string | undefined; args: string[] }> = {
  "sign.mjs": {
    program: process.execPath,
    args: [
      "--input-type=module",
      "--eval",
      `const [, claims, secret, folder] = process.argv;
       const { signIdentity } = await import(folder + "/sign.mjs");
       console.log(signIdentity(JSON.parse(claims), secret));`,
      "--",
    ],
  },
  "sign.py": {
    program: findPython(),
    args: [
      "-B",
      "-c",
      `import json, sys
claims, secret, folder = sys.argv[1:]
sys.path.insert(0, folder)
from sign import sign_identity
print(sign_identity(json.loads(claims), secret))`,
    ],
  },
  "sign.php": {
    program: findPhp(),
    args: [
      "-r",
      '[, $claims, $secret, $folder] = $argv; require "$folder/sign.php"; echo sign_identity(json_decode($claims, true), $secret);',
      "--",
    ],
  },
  "sign.rb": {
    program: findRuby(),
    args: [
      "-e",
      'require "json"; claims, secret, folder = ARGV; require File.join(folder, "sign.rb"); puts sign_identity(JSON.parse(claims), secret)',
    ],
  },
};

test("the code of the guide is the code of its files", () => {
  const files = readdirSync(folder);
  expect(files.toSorted()).toEqual(Object.keys(signers).toSorted());
  const languages: Record<string, string> = { ".mjs": "js", ".py": "python", ".php": "php", ".rb": "ruby" };
  for (const file of files) {
    const code = readFileSync(join(folder, file), "utf8");
    expect(guide, file).toContain(`\`\`\`${languages[extname(file)]}\n${code}\`\`\``);
  }
});

test("an identity that any of its programs signs is taken, with letters of every kind", async () => {
  const frontdesk = await newInstallation("sqlite");
  await frontdesk.start();
  const made = await frontdesk.command(
    ...["setup", "--team", "Acme", "--name", "Ada", "--email", "ada@acme.test", "--password", "correct horse"],
    ...["--widget", "Website", "--api-key", "main"],
  );
  const { identity_secret: secret } = await frontdesk.command("widget", "identity", "--widget", `${made.widget_id}`);

  const tried: string[] = [];
  for (const [file, { program, args }] of Object.entries(signers)) {
    if (!program) continue;
    const claims = {
      sub: file,
      name: `Véra 王 👩🏽‍🚀 of ${file}`,
      email: "vera@acme.test",
      data: { plan: "Größe / M" },
    };
    const { stdout } = await promisify(execFile)(program, [...args, JSON.stringify(claims), `${secret}`, folder]);
    const response = await fetch(`${frontdesk.origin}/visitor/${made.widget_id}/messages`, {
      method: "POST",
      headers: { authorization: `Bearer ${newVisitorToken()}`, "content-type": "application/json" },
      body: JSON.stringify({ client_id: randomUUID(), content: "Hello", identity: stdout.trim() }),
    });
    const { contact } = (await response.json()) as { contact: { id: string } };
    expect({ file, status: response.status }).toEqual({ file, status: 201 });
    const read = await fetch(`${frontdesk.origin}/api/v1/contacts/${contact.id}`, {
      headers: { "x-api-key": `${made.api_key}` },
    });
    const { data } = (await read.json()) as { data: { attributes: object } };
    expect(data.attributes).toMatchObject({ name: claims.name, verified_id: file, verified_email: claims.email });
    tried.push(file);
  }
  expect(tried).toContain("sign.mjs");
});
