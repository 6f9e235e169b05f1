import { FrontdeskError } from "@frontdesk/client";
import { QueryClient } from "@tanstack/react-query";
import { ServiceError } from "./service-error.ts";

/** Cached answers that no live stream keeps up to date. They are shown at once and fetched again in the background. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      gcTime: 30 * 60_000,
      // A refused request would be refused again.
      retry: (failures, error) => failures < 2 && !isRefusal(error),
    },
  },
});

/** From either of the two clients. */
function isRefusal(error: unknown): boolean {
  return (error instanceof ServiceError || error instanceof FrontdeskError) && error.status in REFUSALS;
}

const REFUSALS = { 400: true, 401: true, 403: true, 404: true, 409: true, 422: true };
