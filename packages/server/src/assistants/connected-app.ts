import type { AppResource } from "@frontdesk/core/domain/app-resource";

/** The app that a connection is of (docs/decisions/0068-authorization-server.md), as its row stores it in JSON. */
export interface ConnectedApp {
  /** What it calls itself. */
  name: string;
  /** The host that vouches for the name; null for an app that has only said it. */
  host: string | null;
  /** Where the browser was sent back to. */
  redirectUri: string;
  resource: AppResource;
  /** When we ended a grant because an old code or token was used again; null after the next consent. */
  endedAt: number | null;
}

export function readApp(app: string | null): ConnectedApp | undefined {
  return app === null ? undefined : (JSON.parse(app) as ConnectedApp);
}
