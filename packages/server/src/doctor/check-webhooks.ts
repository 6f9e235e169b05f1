import type { Storage } from "../storage/database.ts";
import { allTeams } from "../teams/team-store.ts";
import { isoTime } from "../timestamp.ts";
import type { Check } from "./check.ts";
import { failingWebhooks } from "./doctor-store.ts";

/** From this many failed attempts in a row an endpoint counts as failing: fewer are an endpoint that is being restarted. */
const MANY_FAILURES = 4;

/** Whether the endpoints of webhooks accept what is sent to them. */
export async function checkWebhooks(storage: Storage): Promise<Check> {
  const name = "webhooks";
  const failing: string[] = [];
  for (const { team_id } of await storage.read((db) => db.all(allTeams, {}))) {
    for (const webhook of await storage.read((db) => db.all(failingWebhooks, { team_id, failures: MANY_FAILURES }))) {
      const since = webhook.failing_since === null ? "" : ` since ${isoTime(webhook.failing_since)}`;
      failing.push(
        `${webhook.name} (${new URL(webhook.endpoint_url).host}): ${webhook.failures} failed attempts in a row${since}, most recently: ${webhook.last_error}`,
      );
    }
  }
  if (failing.length === 0) return { name, state: "ok", says: "No webhook endpoints are failing." };
  return {
    name,
    state: "warning",
    says: `Failing endpoints: ${failing.join("; ")}.`,
    do: "Fix them, or turn the subscription off. To resend failed deliveries: POST /api/v1/webhooks/{id}/replay.",
  };
}
