#!/usr/bin/env node
/** The `frontdesk` command: runs `main.ts` on the project's own Node, whichever Node it was called with. */
import * as module from "node:module";
import { isatty } from "node:tty";
import { pathToFileURL } from "node:url";
import { COMPILE_CACHE, canRunHere, MAIN_FILE, runMain } from "./pinned-node.mjs";

const args = process.argv.slice(2);

if (!dependenciesAreInstalled()) {
  fail("Frontdesk's dependencies are not installed. Run: npm ci");
} else if (canRunHere()) {
  process.argv[1] = MAIN_FILE;
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE ?? COMPILE_CACHE);
  await import(pathToFileURL(MAIN_FILE).href);
} else {
  try {
    process.exitCode = await runMain(args, { readsTerminal: isatty(0) });
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
}

/** Whether npm has been here at all; one package that nothing works without stands for all. */
function dependenciesAreInstalled() {
  try {
    module.createRequire(import.meta.url).resolve("fastify");
    return true;
  } catch {
    return false;
  }
}

/** @param {string} message */
function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
