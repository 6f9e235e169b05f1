import type { Migration } from "./migration.ts";

/**
 * What one connection has queued, in its order. The call log needs no other index than its key: it stands in order by
 * connection, both for reading it and for finding what has had its time.
 */
export const queuedChangesInOrder: Migration = {
  number: 7,
  name: "queued-changes-in-order",
  breaking: false,
  statements: () => ["CREATE INDEX queued_changes_in_order ON queued_changes (team_id, assistant_id, queued_at, id)"],
};
