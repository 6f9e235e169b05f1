/**
 * The layer of each folder of `packages/server/src`, which decides the rules for its files. An unlisted folder fails
 * `import-directions.test.ts`: a new one is guarded from its first commit.
 */
import { type SourceFile, sourceFiles } from "./source-files.ts";

/**
 * - `product`: runs inside a transaction. No network; clock, ids and random numbers come from `ctx`.
 * - `surface`: translates between the outside and operations. No storage, no store.
 * - `worker`: runs beside requests, in its own transactions. No network except by `outbound` and `mail`.
 * - `outside`: limits and network access. No data: no storage, no store.
 * - `command`: what an operator runs.
 * - `storage`: the port and its engines.
 */
export type FolderKind = "product" | "surface" | "worker" | "outside" | "command" | "storage";

export const FOLDERS: Record<string, FolderKind> = {
  access: "product",
  agents: "product",
  ai: "product",
  assistants: "product",
  authorization: "product",
  audit: "product",
  backup: "worker",
  channels: "product",
  cli: "command",
  contacts: "product",
  conversations: "product",
  "custom-data": "product",
  demo: "worker",
  doctor: "command",
  email: "product",
  events: "product",
  factors: "product",
  files: "product",
  http: "surface",
  idempotency: "product",
  inbox: "product",
  jobs: "worker",
  knowledge: "product",
  privacy: "product",
  limits: "outside",
  lists: "product",
  live: "surface",
  mail: "outside",
  mcp: "surface",
  outbound: "outside",
  outbox: "worker",
  sessions: "product",
  setup: "product",
  sso: "product",
  storage: "storage",
  tags: "product",
  teams: "product",
  timers: "worker",
  tools: "surface",
  webhooks: "product",
  widgets: "product",
};

export const server = sourceFiles("packages/server/src");

/** The folder of a server file; undefined for one at the top, where the parts are composed. */
export function folderOf(path: string): string | undefined {
  return /^packages\/server\/src\/([^/]+)\//.exec(path)?.[1];
}

/** The files of all folders of some kinds. */
export function filesOf(...kinds: FolderKind[]): SourceFile[] {
  return server.filter(({ path }) => {
    const kind = FOLDERS[folderOf(path) ?? ""];
    return kind !== undefined && kinds.includes(kind);
  });
}
