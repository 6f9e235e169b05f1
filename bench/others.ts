/** Another team at work while something large is done for one team: how long its `POST /messages` waits, before and meanwhile. */
import { type Api, startConversation } from "./call-api.ts";
import { type Env, setUpTeam, startBeside } from "./processes.ts";
import { quantile } from "./quantile.ts";
import type { Sent, SteadyLoadCommands } from "./steady-load.ts";

/** Enough for a p99, too few to be the load itself. */
const RATE = 100;
const CONNECTIONS = 16;

/** Waits, ms. */
export interface Spread {
  p50: number;
  p99: number;
  most: number;
}

export interface OthersWait {
  before: Spread;
  meanwhile: Spread;
  /** p99 meanwhile to p99 before. */
  ratio: number;
}

/** Another team, set up before the server starts. */
export async function setUpOthers(env: Env) {
  const { apiKey, widgetId } = await setUpTeam(env, "olga@other.test");
  return {
    /** Measures the other team's waits for `beforeSeconds`, then during the work. */
    async waitDuring(port: number, beforeSeconds: number, work: () => Promise<void>): Promise<OthersWait> {
      const load = startBeside<SteadyLoadCommands>("steady-load.ts");
      const request = await requestOf({ port, apiKey }, widgetId);
      const steady = (count: number) =>
        load.ask("run", { port, connections: CONNECTIONS, rate: RATE, count, requests: [request] });
      // The first second warms the server up.
      await steady(RATE);
      const before = spreadOf(await steady(RATE * beforeSeconds));
      const running = steady(Number.MAX_SAFE_INTEGER);
      await work();
      await load.ask("stop");
      const meanwhile = spreadOf(await running);
      return { before, meanwhile, ratio: meanwhile.p99 / before.p99 };
    },
  };
}

async function requestOf(api: Api, widgetId: string) {
  const conversation_id = await startConversation(api, widgetId, { name: "Nora" });
  const body = JSON.stringify({ conversation_id, content: "Message {n}" });
  const headers = { "X-API-KEY": api.apiKey, "Content-Type": "application/json" };
  return { method: "POST", path: "/api/v1/messages", headers, body };
}

function spreadOf(sent: readonly Sent[]): Spread {
  if (sent.some(({ status }) => status !== 201)) throw new Error("A request of the other team was refused.");
  const waits = sent.map(({ dueAt, answeredAt }) => answeredAt - dueAt);
  return { p50: quantile(waits, 0.5), p99: quantile(waits, 0.99), most: Math.max(...waits) };
}

/** One line for people. `aim` is the highest ratio that is aimed for. */
export function othersLine({ before, meanwhile, ratio }: OthersWait, aim: number): string {
  const figures = ({ p50, p99, most }: Spread) =>
    `p50 ${p50.toFixed(1)}  p99 ${p99.toFixed(1)}  most ${most.toFixed(1)} ms`;
  return (
    `         another team, before: ${figures(before)}   meanwhile: ${figures(meanwhile)}` +
    `   p99 ×${ratio.toFixed(2)} (aim: ${aim})`
  );
}
