/**
 * `npm run bench:mail`: the e-mail channel on a real Dovecot, on each engine. How many mails a second come in, on an idle server and on one
 * that has other work; what idle mailboxes cost; how long the event loop waits while hostile mails come in.
 *
 * --quick   fewer of everything, for scripts
 * --json    one JSON document instead of lines
 * --engine  sqlite or postgres alone
 * --only    import, idle or bombs
 * --bomb    of the bombs those whose names have this in them
 */
import { measureIdle, printIdle } from "./idle-mailboxes.ts";
import { measureBombs, printBomb } from "./mail-bombs.ts";
import { measureImport, printImport } from "./mail-import.ts";
import { readOptions } from "./options.ts";
import { onEachEngine } from "./processes.ts";

const options = readOptions(["quick", "json", "engine", "only"], { bomb: { type: "string", default: "" } });
const isWanted = (name: string) => name.includes(options.only);
const results: object[] = [];

await onEachEngine(options.engine, async (place) => {
  if (isWanted("import")) note(await measureImport(place, options.quick), printImport);
  if (isWanted("idle")) note(await measureIdle(place, options.quick), printIdle);
  if (isWanted("bombs")) for await (const bomb of measureBombs(place, options.bomb)) note(bomb, printBomb);
});
if (options.json) console.log(JSON.stringify(results, null, 2));

function note<Result extends object>(result: Result, print: (result: Result) => void): void {
  results.push(result);
  if (!options.json) print(result);
}
