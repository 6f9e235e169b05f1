import type { ApiKeyScope } from "@frontdesk/core/domain/policy";
import { ROOT } from "../../service/send.ts";

/** A request that a key with read access can make. */
const readings: Partial<Record<ApiKeyScope, string>> = {
  "conversations:read": "/conversations/all?limit=1",
  "contacts:read": "/contacts?limit=1",
  "knowledge:read": "/articles?limit=1",
  "agents:read": "/agents?limit=1",
  "widgets:read": "/widgets?limit=1",
  "webhooks:read": "/webhooks?limit=1",
  "assistants:read": "/assistants?limit=1",
};

/** A first request with a key, to paste into a terminal; none for a key without read access. */
export function keyCommand(value: string, scopes: readonly ApiKeyScope[]): string | undefined {
  const [, path] = Object.entries(readings).find(([scope]) => scopes.includes(scope as ApiKeyScope)) ?? [];
  return path && `curl -s -H "X-API-KEY: ${value}" "${ROOT}/api/v1${path}"`;
}
