/** What a server says of itself at /metrics, and its system of it. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

const MB = 1_000_000;
/** The histogram counts the interval of its own timer as well. */
const TIMER_SECONDS = 0.01;

export interface ServerMetrics {
  /** Resident memory, MB. */
  memory: number;
  /** Processor time since its start, ms. */
  cpu: number;
  /** How much later than due its event loop came to a timer, since the last reading: ms. */
  loopP99: number;
  loopMost: number;
}

export async function metricsOf(port: number): Promise<ServerMetrics> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const value = (name: string) => Number(new RegExp(`^frontdesk_${name} (\\S+)`, "m").exec(text)?.[1]);
  const late = (name: string) => Math.max(0, value(name) - TIMER_SECONDS) * 1_000;
  return {
    memory: value("process_resident_memory_bytes") / MB,
    cpu: value("process_cpu_seconds_total") * 1_000,
    loopP99: late("nodejs_eventloop_lag_p99_seconds"),
    loopMost: late("nodejs_eventloop_lag_max_seconds"),
  };
}

/** Begins to count the most resident memory of a process anew. Linux only. */
export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, "5");

/** The most resident memory since then, MB. */
export function peakOf(pid: number): number {
  const kib = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return (Number(kib) * 1_024) / MB;
}

const PROGRAM = import.meta.resolve("./settled-memory.ts");
const SETTLED_MS = 20_000;

/** Settings of a server whose settled memory is asked for. @param file one of its own, which is not there yet */
export const settlingEnv = (file: string): Record<string, string> => ({
  NODE_OPTIONS: `--import ${PROGRAM}`,
  MEMORY_FILE: file,
});

/** What JavaScript holds in a process without what is garbage, MB. */
export async function settledMemoryOf(pid: number, file: string): Promise<number> {
  process.kill(pid, "SIGUSR2");
  for (const until = Date.now() + SETTLED_MS; !existsSync(file); await wait(20)) {
    if (Date.now() > until) throw new Error(`The process ${pid} did not say what it holds.`);
  }
  const { heapUsed, external } = JSON.parse(readFileSync(file, "utf8"));
  rmSync(file);
  return (heapUsed + external) / MB;
}
