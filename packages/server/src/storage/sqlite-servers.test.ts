/** Which server is the only one on an SQLite file, however the others have ended (docs/decisions/0014). */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { sqliteServers } from "./sqlite-servers.ts";

const folder = mkdtempSync(join(tmpdir(), "frontdesk-servers-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MODULE = new URL("./sqlite-servers.ts", import.meta.url).href;
/** Joins, says whether it was alone, and stays until its input ends. */
const PROGRAM = `
  const { sqliteServers } = await import(${JSON.stringify(MODULE)});
  const servers = sqliteServers(process.argv[1]);
  let alone = false;
  await servers.join(async () => { alone = true; });
  console.log(alone ? "alone" : "among others");
  process.stdin.once("end", () => servers.close()).resume();
`;

/** A server in a process of its own; answers it when it serves, with what it has found. */
async function server(file: string): Promise<{ found: string; child: ChildProcess }> {
  const args = ["--input-type=module", "--eval", PROGRAM, file];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [found] = await once(createInterface(child.stdout), "line");
  return { found, child };
}

async function killed(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

test("a server is alone when all others were killed, and not as long as one of them runs", async () => {
  const file = join(folder, "killed");
  const first = await server(file);
  const second = await server(file);
  expect([first.found, second.found]).toEqual(["alone", "among others"]);
  await killed(first.child);
  const third = await server(file);
  expect(third.found).toBe("among others");
  await killed(second.child);
  await killed(third.child);
  expect((await server(file)).found).toBe("alone");
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("no other server starts while the only one clears up, and all do afterwards", async () => {
  const file = join(folder, "at-once");
  const [one, two] = [sqliteServers(file), sqliteServers(file)];
  onTestFinished(() => {
    one.close();
    two.close();
  });
  const { promise: cleared, resolve: clear } = Promise.withResolvers<void>();
  const steps: string[] = [];
  const first = one.join(() => cleared).then(() => steps.push("the first serves"));
  const second = two.join(async () => steps.push("the second is alone")).then(() => steps.push("the second serves"));
  // As long as the first holds the lock a process of its own is refused it as well.
  const third = server(file);
  steps.push("cleared");
  clear();
  await Promise.all([first, second]);
  expect(steps[0]).toBe("cleared");
  expect(steps.toSorted()).toEqual(["cleared", "the first serves", "the second serves"]);
  expect((await third).found).toBe("among others");
});

test("what clears up may fail: the server joins all the same, and the next is not alone", async () => {
  const file = join(folder, "failing");
  const servers = sqliteServers(file);
  await expect(servers.join(() => Promise.reject(new Error("The disk is full.")))).rejects.toThrow("The disk is full.");
  expect((await server(file)).found).toBe("among others");
  servers.close();
});
