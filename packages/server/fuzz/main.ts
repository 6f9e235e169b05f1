/**
 * `npm run fuzz`: 100,000 requests against each engine, unless told otherwise.
 *
 *   npm run fuzz -- [--requests 100000] [--seed 7] [--engine sqlite|postgres]
 *
 * Prints the seed, how far it is, and a table of operations and statuses; ends with 1 when anything failed.
 */
import { parseArgs } from "node:util";
import { startPostgres } from "@frontdesk/testing/postgres-cluster";
import { newServerProcess } from "../test/attack/server-process.ts";
import { type FuzzReport, fuzz } from "./fuzz.ts";

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "100000" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
    engine: { type: "string" },
  },
});
const PROGRESS_STEP = 2_000;
const MIB = 1_048_576;

for (const engine of ["sqlite", "postgres"]) {
  if (values.engine !== undefined && values.engine !== engine) continue;
  const postgres = engine === "postgres" ? await startPostgres() : undefined;
  const server = await newServerProcess(postgres?.url);
  try {
    const team = await server.team("Acme");
    await server.start();
    console.log(`${engine}: seed ${values.seed}, ${values.requests} requests`);
    const from = performance.now();
    const report = await fuzz(server, team, {
      seed: Number(values.seed),
      requests: Number(values.requests),
      progress(done) {
        if (done % PROGRESS_STEP === 0) console.log(`  ${done} after ${seconds(performance.now() - from)} s`);
      },
    });
    show(report, performance.now() - from);
  } finally {
    await server.remove();
    await postgres?.stop();
  }
}

function show(report: FuzzReport, milliseconds: number): void {
  const statuses = [...new Set(Object.values(report.answers).flatMap((answers) => Object.keys(answers)))].sort();
  const table = Object.entries(report.answers).map(([operation, answers]) => [
    operation,
    Object.fromEntries(statuses.map((status) => [status, answers[status] ?? 0])),
  ]);
  console.table(Object.fromEntries(table));
  const { memory } = report;
  const grown = memory && `, memory ${Math.round(memory.before / MIB)} to ${Math.round(memory.after / MIB)} MiB`;
  console.log(
    `${report.requests} requests in ${seconds(milliseconds)} s, slowest ${Math.round(report.slowestMs)} ms${grown ?? ""}`,
  );
  for (const failure of report.failures) console.log(`\n${failure}`);
  console.log(report.failures.length === 0 ? "All as documented.\n" : `\n${report.failures.length} failures.\n`);
  if (report.failures.length > 0) process.exitCode = 1;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(1);
}
