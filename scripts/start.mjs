/**
 * `npm start`: makes a fresh copy of the sources run, and costs next to nothing when there is nothing to do.
 * Runs on any Node from 20 on; what it starts runs on the project's own Node.
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
