/** Makes what agents' browsers load: `dist/index.html`, and beside it files under names of their content. */
import { build } from "vite";
import { dashboardConfig } from "./vite.config.ts";

await build(dashboardConfig);
