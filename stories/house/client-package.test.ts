/** The client as others install it: packed, and used without the rest of this repository. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "./source-files.ts";

const TSC = join(root, "node_modules/typescript/bin/tsc");
const folder = mkdtempSync(join(tmpdir(), "frontdesk-client-"));
const inFolder = (program: string, ...args: string[]) =>
  execFileSync(program, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

beforeAll(() => {
  execFileSync(process.execPath, [join(root, "packages/client/build-client.ts"), join(folder, "built")]);
  inFolder("npm", "pack", "--silent", "./built");
  const [packed] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  inFolder("tar", "-xzf", packed as string);
  mkdirSync(join(folder, "node_modules/@frontdesk"), { recursive: true });
  cpSync(join(folder, "package"), join(folder, "node_modules/@frontdesk/client"), { recursive: true });
  symlinkSync(join(root, "node_modules/typebox"), join(folder, "node_modules/typebox"));
  write("package.json", JSON.stringify({ type: "module" }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("it is plain JavaScript, which loads nothing besides itself", () => {
  const files = readdirSync(join(folder, "package"), { recursive: true, encoding: "utf8" });
  expect(files).toEqual(expect.arrayContaining(["README.md", "LICENSE", "package.json"]));
  expect(files.filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))).toEqual([]);
  const scripts = files.filter((name) => name.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(10);
  for (const name of scripts) {
    const text = readFileSync(join(folder, "package", name), "utf8");
    const imports = [...text.matchAll(/^(?:import|export) [\s\S]*? from "([^"]+)";$/gm)].map(([, from]) => from);
    for (const from of imports) expect(from, name).toMatch(/^\.{1,2}\/[\w./-]+\.js$/);
  }
});

test("each of its doors can be imported, and a delivery be verified", () => {
  write(
    "use.mjs",
    `import { createHmac } from "node:crypto";
    import { createClient, verifyWebhook } from "@frontdesk/client";
    import { createVisitorChat } from "@frontdesk/client/visitor";
    import { createAgentInbox } from "@frontdesk/client/agent";
    const { createMessage } = createClient({ baseUrl: "https://chat.test/api/v1", apiKey: "key" });
    const secret = "whsec_" + Buffer.from("x".repeat(32)).toString("base64");
    const body = JSON.stringify({ id: "evt_1", event: "message.received", data: {} });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = "sha256=" + createHmac("sha256", secret).update(timestamp + "." + body).digest("hex");
    const headers = { "X-Service-Timestamp": timestamp, "X-Service-Signature": signature };
    const { id } = await verifyWebhook({ body, headers, secret });
    console.log([createMessage, createVisitorChat, createAgentInbox].map((it) => typeof it).join(), id);`,
  );
  expect(inFolder(process.execPath, "use.mjs")).toBe("function,function,function evt_1\n");
});

test("its types say what a program may send and what it gets", () => {
  write(
    "use.ts",
    `import { createClient, eachItem } from "@frontdesk/client";
      import { createVisitorChat } from "@frontdesk/client/visitor";
      export const chat: typeof createVisitorChat = createVisitorChat;
      const frontdesk = createClient({ baseUrl: "https://chat.test/api/v1", apiKey: "key" });
      // @ts-expect-error The content is a text.
      await frontdesk.createMessage({ body: { conversation_id: "x", content: 7 } });
      for await (const contact of eachItem(frontdesk.listContacts, { query: { limit: 5 } })) {
        const id: string = contact.id;
        console.log(id);
        // @ts-expect-error A contact has no such attribute.
        contact.attributes.shoe_size;
      }`,
  );
  const compilerOptions = {
    ...{ target: "es2022", lib: ["es2022", "dom"], module: "nodenext" },
    // The package's own types are checked; the compiler's are not.
    ...{ strict: true, noEmit: true, skipLibCheck: false, skipDefaultLibCheck: true, types: [] },
  };
  write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["use.ts"] }));
  expect(inFolder(process.execPath, TSC, "-p", join(folder, "tsconfig.json"))).toBe("");
});
