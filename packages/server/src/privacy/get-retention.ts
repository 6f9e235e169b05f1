import type { Operation } from "../context.ts";
import { type Retention, readRetention } from "./retention.ts";

/** How long the team keeps what it has stored. */
export const getRetention: Operation<Record<string, never>, Retention> = {
  name: "get-retention",
  mode: "read",
  run: (ctx) => readRetention(ctx),
};
