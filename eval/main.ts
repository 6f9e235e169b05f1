/**
 * `npm run eval`: how well the built-in AI answers, with the operator's model and articles (docs/guide/ai-eval.md). The turns are
 * those of the product, on a store that is thrown away. Prints a table; `--help` lists the options and exit codes.
 */
import { evalCommand } from "./eval-command.ts";

process.exitCode = await evalCommand(process.argv.slice(2), process.env, {
  say: (text) => console.log(text),
  complain: (text) => console.error(text),
  step(done, of) {
    // Elsewhere than on a terminal the lines would pile up.
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${of}${done === of ? "\n" : ""}`);
  },
});
