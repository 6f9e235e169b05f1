import type { ColumnTypes, Migration } from "./migration.ts";

/**
 * The queue of webhook deliveries becomes an outbox for every kind of receiver (docs/decisions/0037-outbox.md). The tables are
 * made anew, since a new NOT NULL column and new names of constraints need it, and their rows are copied.
 */
export const outbox: Migration = {
  number: 20,
  name: "outbox",
  breaking: true,
  statements: (types) => [...newTables(types), ...copied(types), ...dropped, ...indexes],
};

const newTables = ({ id, text, integer, clustered }: ColumnTypes): string[] => [
  // No foreign key to what a queue is of, or to events: what a removed queue leaves behind is deleted in small batches.
  `CREATE TABLE outbox_queues (
    team_id ${id} NOT NULL REFERENCES teams,
    queue_id ${id} NOT NULL,
    receiver ${text} NOT NULL,
    owner_id ${id},
    lease_until ${integer} NOT NULL,
    due_at ${integer},
    removed_at ${integer},
    failures ${integer} NOT NULL,
    failing_since ${integer},
    last_error ${text},
    last_delivered_at ${integer},
    PRIMARY KEY (team_id, queue_id)
  ) ${clustered}`,

  `CREATE TABLE outbox_items (
    team_id ${id} NOT NULL,
    queue_id ${id} NOT NULL,
    event_number ${integer} NOT NULL,
    receiver ${text} NOT NULL,
    event_id ${text} NOT NULL,
    event_name ${text} NOT NULL,
    order_key ${id},
    state ${text} NOT NULL,
    attempt ${integer} NOT NULL,
    last_attempt ${integer} NOT NULL,
    run_at ${integer} NOT NULL,
    claim_id ${id},
    created_at ${integer} NOT NULL,
    ended_at ${integer},
    PRIMARY KEY (team_id, queue_id, event_number)
  ) ${clustered}`,

  `CREATE TABLE outbox_attempts (
    team_id ${id} NOT NULL,
    queue_id ${id} NOT NULL,
    event_number ${integer} NOT NULL,
    id ${text} NOT NULL,
    attempt ${integer} NOT NULL,
    address ${text} NOT NULL,
    started_at ${integer} NOT NULL,
    duration_ms ${integer},
    outcome ${text},
    error ${text},
    status ${integer},
    response_head ${text},
    response_body ${text},
    result ${text},
    PRIMARY KEY (team_id, queue_id, event_number, id),
    FOREIGN KEY (team_id, queue_id, event_number) REFERENCES outbox_items ON DELETE CASCADE
  ) ${clustered}`,
];

/** Where something waits or was being sent, the queue is looked at once; the first claim settles when it is due. */
const copied = ({ id, text, integer }: ColumnTypes): string[] => [
  `INSERT INTO outbox_items (team_id, queue_id, event_number, receiver, event_id, event_name, order_key, state, attempt,
      last_attempt, run_at, claim_id, created_at, ended_at)
    SELECT team_id, webhook_id, event_number, 'webhook', event_id, event_name, conversation_id, state, attempt,
      last_attempt, run_at, claim_id, created_at, ended_at FROM deliveries`,
  `INSERT INTO outbox_attempts (team_id, queue_id, event_number, id, attempt, address, started_at, duration_ms, outcome,
      error, status, response_head, response_body, result)
    SELECT team_id, webhook_id, event_number, id, attempt, endpoint_url, started_at, duration_ms, outcome,
      error, status, response_head, response_body, NULL FROM delivery_attempts`,
  `INSERT INTO outbox_queues (team_id, queue_id, receiver, owner_id, lease_until, due_at, removed_at, failures,
      failing_since, last_error, last_delivered_at)
    SELECT team_id, webhook_id, 'webhook', owner_id, lease_until, NULL, NULL, failures, failing_since, last_error,
      last_delivered_at FROM delivery_queues`,
  `INSERT INTO outbox_queues (team_id, queue_id, receiver, owner_id, lease_until, due_at, removed_at, failures,
      failing_since, last_error, last_delivered_at)
    SELECT DISTINCT team_id, webhook_id, 'webhook', CAST(NULL AS ${id}), 0, CAST(NULL AS ${integer}), CAST(NULL AS ${integer}), 0,
      CAST(NULL AS ${integer}), CAST(NULL AS ${text}), CAST(NULL AS ${integer}) FROM deliveries
    WHERE NOT EXISTS (SELECT 1 FROM delivery_queues
      WHERE delivery_queues.team_id = deliveries.team_id AND delivery_queues.webhook_id = deliveries.webhook_id)`,
  `UPDATE outbox_queues SET due_at = 0 WHERE EXISTS (SELECT 1 FROM outbox_items
    WHERE outbox_items.team_id = outbox_queues.team_id AND outbox_items.queue_id = outbox_queues.queue_id
      AND outbox_items.state IN ('waiting', 'sending'))`,
  `UPDATE outbox_queues SET removed_at = 0 WHERE NOT EXISTS (SELECT 1 FROM webhooks
    WHERE webhooks.team_id = outbox_queues.team_id AND webhooks.id = outbox_queues.queue_id)`,
];

const dropped = ["DROP TABLE delivery_attempts", "DROP TABLE deliveries", "DROP TABLE delivery_queues"];

const indexes = [
  `CREATE INDEX outbox_items_due ON outbox_items (team_id, queue_id, run_at, event_number, order_key)
    WHERE state = 'waiting'`,
  // The event before the queue: begun like the key, it would be taken for the key by a planner without statistics.
  "CREATE INDEX outbox_items_by_id ON outbox_items (team_id, event_id, queue_id)",
  "CREATE INDEX outbox_items_ended ON outbox_items (team_id, state, ended_at) WHERE ended_at IS NOT NULL",
  // What the look over all teams reads: what is due, and what has an owner; and the clean-up, what was removed.
  "CREATE INDEX outbox_queues_due ON outbox_queues (due_at) WHERE due_at IS NOT NULL",
  // Without the end of the lease, so that its renewal changes no index.
  "CREATE INDEX outbox_queues_owned ON outbox_queues (team_id, queue_id) WHERE owner_id IS NOT NULL",
  "CREATE INDEX outbox_queues_removed ON outbox_queues (team_id, queue_id) WHERE removed_at IS NOT NULL",
];
