import type { ColumnTypes, Migration } from "./migration.ts";

/** The way of events to the subscriptions: queues, deliveries, attempts; a second signing secret while one is replaced. */
export const webhookDeliveries: Migration = {
  number: 3,
  name: "webhook-deliveries",
  breaking: false,
  statements: (types) => tables(types),
};

const tables = ({ id, text, integer, clustered }: ColumnTypes): string[] => [
  // The payload's version belongs to the event: a later program must not send old events with new numbers.
  `ALTER TABLE events ADD COLUMN version ${text} NOT NULL DEFAULT '2026-09'`,
  `ALTER TABLE webhooks ADD COLUMN next_secret_sealed ${text}`,
  `ALTER TABLE webhooks ADD COLUMN next_secret_at ${integer}`,

  // No foreign key to webhooks or events: what a removed subscription leaves behind is cleared away in small batches, and
  // an event for 10,000 subscriptions has 10,000 rows in its commit.
  `CREATE TABLE delivery_queues (
    team_id ${id} NOT NULL REFERENCES teams,
    webhook_id ${id} NOT NULL,
    owner_id ${id},
    lease_until ${integer} NOT NULL,
    failures ${integer} NOT NULL,
    failing_since ${integer},
    last_error ${text},
    last_delivered_at ${integer},
    PRIMARY KEY (team_id, webhook_id)
  ) ${clustered}`,

  `CREATE TABLE deliveries (
    team_id ${id} NOT NULL,
    webhook_id ${id} NOT NULL,
    event_number ${integer} NOT NULL,
    event_id ${text} NOT NULL,
    event_name ${text} NOT NULL,
    conversation_id ${id},
    state ${text} NOT NULL,
    attempt ${integer} NOT NULL,
    last_attempt ${integer} NOT NULL,
    run_at ${integer} NOT NULL,
    claim_id ${id},
    created_at ${integer} NOT NULL,
    ended_at ${integer},
    PRIMARY KEY (team_id, webhook_id, event_number)
  ) ${clustered}`,
  `CREATE INDEX deliveries_due ON deliveries (team_id, webhook_id, run_at, event_number, conversation_id)
    WHERE state = 'waiting'`,
  // The event before the subscription: begun like the key, it would be taken for the key by a planner without statistics.
  "CREATE INDEX deliveries_by_id ON deliveries (team_id, event_id, webhook_id)",
  "CREATE INDEX deliveries_ended ON deliveries (team_id, state, ended_at) WHERE ended_at IS NOT NULL",

  `CREATE TABLE delivery_attempts (
    team_id ${id} NOT NULL,
    webhook_id ${id} NOT NULL,
    event_number ${integer} NOT NULL,
    id ${text} NOT NULL,
    attempt ${integer} NOT NULL,
    endpoint_url ${text} NOT NULL,
    started_at ${integer} NOT NULL,
    duration_ms ${integer},
    outcome ${text},
    error ${text},
    status ${integer},
    response_head ${text},
    response_body ${text},
    PRIMARY KEY (team_id, webhook_id, event_number, id),
    FOREIGN KEY (team_id, webhook_id, event_number) REFERENCES deliveries ON DELETE CASCADE
  ) ${clustered}`,
];
