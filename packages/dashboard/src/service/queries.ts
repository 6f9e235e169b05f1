import { FrontdeskError } from "@frontdesk/client";
import { QueryClient } from "@tanstack/react-query";
import { ServiceError } from "./service-error.ts";

/** Answers of the service that no live stream keeps up to date. What was seen once is shown at once, and fetched anew behind it. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      gcTime: 30 * 60_000,
      // What the service refuses, it refuses again.
      retry: (failures, error) => failures < 2 && !isRefusal(error),
    },
  },
});

/** By whichever of the two clients it was asked. */
function isRefusal(error: unknown): boolean {
  return (error instanceof ServiceError || error instanceof FrontdeskError) && error.status in REFUSALS;
}

const REFUSALS = { 400: true, 401: true, 403: true, 404: true, 409: true, 422: true };
