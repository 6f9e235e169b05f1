import type { EventFacts } from "./event.ts";
import { type DoerKey, doerFields, payloads } from "./payloads.ts";

/** An entry of the table, its parts taking the facts of any event. */
interface AnyRow {
  parts: readonly ((facts: EventFacts) => object)[];
  doer?: DoerKey;
}

/**
 * The payload (`data`) of an event by the table of `payloads.ts`. Made once, at the commit, and stored: every delivery and every
 * reader of the log sees the same bytes.
 */
export function presentEvent(facts: EventFacts): object {
  const { parts, doer } = payloads[facts.name] as AnyRow;
  const payload: Record<string, unknown> = {};
  for (const part of parts) Object.assign(payload, part(facts));
  if (doer !== undefined) payload[doer] = (facts as Record<string, unknown>)[doerFields[doer]];
  return payload;
}
