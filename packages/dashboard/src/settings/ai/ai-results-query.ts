import type { AiReport } from "@frontdesk/core/contract/rest/ai-reports";
import { queryOptions } from "@tanstack/react-query";
import { rest } from "../../service/rest.ts";

const DAY_MS = 86_400_000;

export type Results = AiReport["attributes"];

/** How far back the results can go, in days. */
export const periods = [7, 30, 90] as const;
export type Period = (typeof periods)[number];

/** Days in UTC, as the service counts them; today is the last one. */
export const aiResultsQuery = (days: Period) =>
  queryOptions({
    queryKey: ["ai-results", days],
    queryFn: () => rest.getAiReport({ query: { from: beginOf(days) } }).then(({ data }) => data.attributes),
    staleTime: 0,
  });

const beginOf = (days: Period) => new Date((Math.floor(Date.now() / DAY_MS) - days + 1) * DAY_MS).toISOString();

/** In the order of their meaning: the first is the surest success. The colors are those of the chart. */
export const outcomes = [
  { name: "confirmed", color: "text-success" },
  { name: "assumed", color: "text-accent" },
  { name: "handed_over", color: "text-info" },
  { name: "abandoned", color: "text-warning" },
  { name: "reopened", color: "text-danger" },
  { name: "open", color: "text-control" },
] as const satisfies { name: keyof Results; color: string }[];
