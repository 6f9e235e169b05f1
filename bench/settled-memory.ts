/**
 * Loaded into a server beside its own program (`--import`): at SIGUSR2 it throws away what is garbage, and writes what is left to the file
 * MEMORY_FILE. That is the same in each start of a version, while the resident memory depends on when V8 last did so.
 */
import { renameSync, writeFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const { MEMORY_FILE } = process.env;

process.on("SIGUSR2", () => {
  if (MEMORY_FILE === undefined) throw new Error("MEMORY_FILE is not set.");
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  writeFileSync(`${MEMORY_FILE}.part`, JSON.stringify({ heapUsed, external }));
  renameSync(`${MEMORY_FILE}.part`, MEMORY_FILE);
});
