import type { Context } from "../context.ts";
import type { ContactRow } from "../storage/tables.ts";
import { type ContactDevice, updateContactDevice } from "./contact-store.ts";

/**
 * Stores the browser, the system and the time zone that a known visitor writes from: they may have changed since the last
 * message. What is unknown now stays as it was. It is no event: no program is told of it.
 */
export function noteDevice(ctx: Context, contact: ContactRow, seen: ContactDevice): ContactRow {
  const { browser_type, operating_system } = seen;
  const knowsDevice = browser_type !== null || operating_system !== null;
  const device: ContactDevice = {
    // Together: a new browser is not on the system of the old one.
    browser_type: knowsDevice ? browser_type : contact.browser_type,
    operating_system: knowsDevice ? operating_system : contact.operating_system,
    timezone: seen.timezone || contact.timezone,
  };
  const isSame = Object.entries(device).every(([name, value]) => contact[name as keyof ContactDevice] === value);
  if (isSame) return contact;
  ctx.write(updateContactDevice, { team_id: ctx.teamId, id: contact.id, ...device });
  return { ...contact, ...device };
}
