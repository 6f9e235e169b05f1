/**
 * `npm start`: installs and builds what a fresh copy of the sources needs, which is fast when nothing is missing. Runs on any
 * Node from 20 on; the server runs on the project's own Node.
 */
import { runMain } from "../packages/server/bin/pinned-node.mjs";
import { buildWhatIsStale } from "./build-what-is-stale.mjs";
import { ensureDependencies } from "./ensure-dependencies.mjs";

try {
  await ensureDependencies("production");
  await buildWhatIsStale();
  process.exitCode = await runMain(["serve", ...process.argv.slice(2)], { readsTerminal: false });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
