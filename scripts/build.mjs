/**
 * `npm run build`: builds what browsers load, for an installation that is not started by `npm start`. A repeat without a change
 * in the sources builds nothing. Runs on any Node from 20 on.
 */
import { buildWhatIsStale } from "./build-what-is-stale.mjs";

try {
  await buildWhatIsStale();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
