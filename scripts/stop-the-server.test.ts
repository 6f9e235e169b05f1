import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const BIN = new URL("../packages/server/bin/", import.meta.url);

/** Prints what it receives, and exits with code 7 on request. */
const SERVER = `
  process.on("SIGINT", () => console.log("SIGINT"));
  process.on("SIGTERM", () => { console.log("SIGTERM"); process.exit(7); });
  setInterval(() => {}, 1000);
  console.log("up");`;

it("a Ctrl-C that arrives twice reaches the server once, and its exit code is passed on", async () => {
  const watcher = spawn(process.execPath, ["--input-type=module", "-e", watcherOf(SERVER)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = once(watcher, "exit");
  const heard: string[] = [];
  for await (const line of createInterface(watcher.stdout)) {
    heard.push(line);
    // On a busy machine the server may be up before the process that started it forwards signals.
    if (heard.length === 2) {
      watcher.kill("SIGINT");
      watcher.kill("SIGINT");
    }
    if (line === "SIGINT") watcher.kill("SIGTERM");
  }
  expect(heard.toSorted()).toEqual(["SIGINT", "SIGTERM", "forwards", "up"]);
  expect(await exit).toEqual([7, null]);
});

it("the server stops when the process that started it is killed", async () => {
  const endWithParent = new URL("end-with-parent.mjs", BIN).href;
  const server = spawn(process.execPath, ["--import", endWithParent, "-e", SERVER], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const exit = once(server, "exit");
  await once(createInterface(server.stdout as NodeJS.ReadableStream), "line");
  server.disconnect();
  expect(await exit).toEqual([7, null]);
});

function watcherOf(server: string): string {
  return `
    import { spawn } from "node:child_process";
    const { exitCodeOf, forwardSignals } = await import(${JSON.stringify(fileURLToPath(new URL("pinned-node.mjs", BIN)))});
    const child = spawn(process.execPath, ["-e", ${JSON.stringify(server)}], { stdio: "inherit", detached: true });
    forwardSignals(child, { interrupts: true });
    console.log("forwards");
    process.exitCode = await exitCodeOf(child);`;
}
