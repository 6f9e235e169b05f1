import { foundation } from "./0001-foundation.ts";
import type { Migration } from "./migration.ts";

/** Every migration, oldest first. Append only: a number that was released never changes. */
export const migrations: readonly Migration[] = [foundation];
