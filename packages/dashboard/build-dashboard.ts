/**
 * Builds what agents' browsers load: `dist/index.html`, and files under content hashes. Built in another folder that then
 * replaces `dist` atomically: a server that starts meanwhile finds one or the other.
 */
import { existsSync, renameSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { dashboardConfig } from "./vite.config.ts";

const place = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const [dist, next, last] = [place("dist"), place("dist-next"), place("dist-last")];

await build({ ...dashboardConfig, build: { ...dashboardConfig.build, outDir: next } });
rmSync(last, { recursive: true, force: true });
if (existsSync(dist)) renameSync(dist, last);
renameSync(next, dist);
rmSync(last, { recursive: true, force: true });
