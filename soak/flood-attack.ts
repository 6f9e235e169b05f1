/** One address floods a team through every visitor interface for a minute (docs/decisions/0028-bounds-for-strangers.md). */
import { floodWhile, percentile } from "../packages/server/test/attack/flood.ts";
import { newServerProcess } from "../packages/server/test/attack/server-process.ts";
import type { Attack } from "./attacks.ts";

const FLOOD_MS = 60_000;
const CALM_MS = 15_000;
const WARM_MEGABYTES = 300;
const MB = 1_000_000;
const MOST_DISK_BYTES = 30 * MB;
const MOST_MEMORY_BYTES = 50 * MB;
const LONGEST_P95_MS = 100;
const LONGEST_STOP_MS = 15_000;

export const floodAttacks: Record<string, Attack> = {
  flood: {
    promise: "one address that sends all it can by every visitor's door takes little, and another team hardly notices",
    async run({ scale, say }) {
      const server = await newServerProcess(undefined, { TRUST_PROXY: "loopback" });
      try {
        const [flooded, other] = [await server.team("Acme"), await server.team("Sams")];
        await server.start();
        const report = await floodWhile(
          server,
          { flooded, other },
          { milliseconds: FLOOD_MS * scale, calmMs: CALM_MS * scale, warmMegabytes: WARM_MEGABYTES, say },
        );
        const { diskBytes, memoryBytes, calm, answers, presence, streamsLeft, stop } = report;
        const p95 = percentile(answers.times, 95);
        say(
          `disk +${inMb(diskBytes)}, memory +${inMb(memoryBytes.most)} at most, +${inMb(memoryBytes.after)} afterwards`,
        );
        say(
          `the other team: p95 ${p95.toFixed(0)} ms of ${answers.times.length}, ${percentile(calm.times, 95).toFixed(0)} ms before`,
        );
        say(`presence: ${presence.heard} of ${presence.came}; stopped in ${stop.ms.toFixed(0)} ms with ${stop.code}`);
        return [
          diskBytes >= MOST_DISK_BYTES && `the disk grew by ${inMb(diskBytes)}`,
          memoryBytes.most >= MOST_MEMORY_BYTES && `the process grew by ${inMb(memoryBytes.most)}`,
          p95 >= LONGEST_P95_MS && `the other team's visitors waited ${p95.toFixed(0)} ms (p95)`,
          answers.failed > 0 && `${answers.failed} answers to the other team's visitors failed`,
          presence.heard < presence.came &&
            `the agent missed ${presence.came - presence.heard} of ${presence.came} who came`,
          streamsLeft > 0 && `${streamsLeft} streams were left`,
          stop.code !== 0 && `the server ended with ${stop.code}: ${server.log().slice(-500)}`,
          stop.ms >= LONGEST_STOP_MS && `the stop took ${stop.ms.toFixed(0)} ms`,
        ].filter((problem) => problem !== false);
      } finally {
        await server.remove();
      }
    },
  },
};

const inMb = (bytes: number) => `${(bytes / MB).toFixed(1)} MB`;
