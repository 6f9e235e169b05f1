/**
 * `npm run soak`: the attacks that take too long for every run; each checks that the service withstands it.
 *
 *   npm run soak -- [kill stop power outage slow key-timing audit
 *                    delivery-kill delivery-stop unanswered paused clock two-senders
 *                    chat chat-two-servers flood] [--scale 0.1] [--seed 7]
 *
 * Without names all of them. `--scale` shortens each by that factor. Exits with 1 when one has failed.
 */
import { parseArgs } from "node:util";
import { type Attack, attacks } from "./attacks.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scale: { type: "string", default: "1" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
});

const chosen = positionals.length > 0 ? positionals : Object.keys(attacks);
for (const name of chosen) {
  const attack: Attack | undefined = attacks[name];
  if (!attack) throw new Error(`There is no attack ${name}. There are: ${Object.keys(attacks).join(", ")}.`);
  console.log(`\n${name} (seed ${values.seed}): ${attack.promise}`);
  const from = performance.now();
  const say = (text: string) => console.log(`  ${text}`);
  const problems = await attack
    .run({ scale: Number(values.scale), seed: Number(values.seed), say })
    .catch((error) => [`It broke off: ${(error as Error).stack}`]);
  for (const problem of problems) say(`FAILED: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
  else say(`held, after ${Math.round((performance.now() - from) / 1_000)} s`);
}
