import type { Tables } from "./tables.ts";

/**
 * - `team`: rows of one team. `team_id` is the first column of every key, so that the rows can be distributed by it.
 * - `directory`: finds the team of something by its external name. Its keys do not begin with the team, and it has no foreign
 *   keys: on a cluster every node has all of it.
 * - `installation`: the installation's own, without a team.
 */
export type TableKind = "team" | "directory" | "installation";

const OTHER_KINDS: Partial<Record<keyof Tables, TableKind>> = {
  sign_ins: "directory",
  widget_directory: "directory",
  channel_directory: "directory",
  channel_doors: "directory",
  sso_domain_directory: "directory",
  installation: "installation",
  mail_readers: "installation",
  schema_migrations: "installation",
};

/** A table is a team's unless it is listed here; `keys.test.ts` checks the keys. */
export function tableKind(name: string): TableKind {
  return OTHER_KINDS[name as keyof Tables] ?? "team";
}
