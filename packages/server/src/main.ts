/**
 * The `frontdesk` program: `serve` and every other command. `bin/frontdesk.mjs` and `npm start` run it with the project's own
 * Node.
 */
import { runCommand } from "./cli/run-command.ts";

process.exitCode = await runCommand(process.argv.slice(2), process.env);
