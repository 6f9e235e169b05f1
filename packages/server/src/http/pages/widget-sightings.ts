import { canonicalId } from "@frontdesk/core/domain/id";
import type { FastifyRequest } from "fastify";

/** A loaded widget is noted at most this often by a process: a visit costs the database nothing. */
export const SIGHTING_STEP_MS = 5 * 60_000;
/** Widgets that are remembered at a time. */
const MOST_REMEMBERED = 10_000;

/** The site of a page; `site` null when the browser does not send it. */
export interface Sighting {
  site: string | null;
}

/** Which pages have loaded a widget. */
export interface WidgetSightings {
  /** Called with every request that loads a widget. It does not slow the request. */
  look(request: SightedRequest, widgetId: string): void;
}

type SightedRequest = Pick<FastifyRequest, "headers" | "protocol" | "host">;

/**
 * @param parts.publicUrl address of our own pages, without a slash at the end
 * @param parts.now a monotonic time, in ms
 * @param parts.note stores it; what it throws is passed to `onTrouble`, and it is tried again with the next visit
 */
export function widgetSightings(parts: {
  publicUrl: string;
  now(): number;
  note(widgetId: string, sighting: Sighting): Promise<void>;
  onTrouble(error: unknown): void;
}): WidgetSightings {
  const { publicUrl, now, note, onTrouble } = parts;
  const noted = new Map<string, number>();

  return {
    look(request, widgetId) {
      // An invalid id is not remembered: an address may have 15 kB of it.
      const id = canonicalId(widgetId);
      if (id === undefined) return;
      const sighting = sightingIn(request, publicUrl);
      const before = noted.get(id);
      if (!sighting || (before !== undefined && now() - before < SIGHTING_STEP_MS)) return;
      if (noted.size >= MOST_REMEMBERED) noted.clear();
      noted.set(id, now());
      note(id, sighting).catch((error) => {
        noted.delete(id);
        onTrouble(error);
      });
    },
  };
}

/** Undefined for a page of our own, and without a page. */
export function sightingIn(request: SightedRequest, publicUrl: string): Sighting | undefined {
  const { headers } = request;
  const page = URL.parse(headers.referer ?? "");
  if (page && /^https?:$/.test(page.protocol))
    return isOurs(page, request, publicUrl) ? undefined : { site: page.origin };
  const from = headers["sec-fetch-site"];
  return from === "cross-site" || from === "same-site" ? { site: null } : undefined;
}

/** A Frontdesk below a path of the owner's own site has other pages beside it. */
function isOurs(page: URL, { protocol, host }: SightedRequest, publicUrl: string): boolean {
  const ours = new URL(publicUrl);
  const path = ours.pathname.replace(/\/$/, "");
  const isHere = page.origin === ours.origin || page.origin === `${protocol}://${host}`;
  return isHere && OWN_PAGES.some((own) => page.pathname.startsWith(`${path}/${own}/`));
}

const OWN_PAGES = ["demo", "app", "frame"];
