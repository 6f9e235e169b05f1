import type { RetentionSettings } from "@frontdesk/core/domain/retention";
import { queryOptions } from "@tanstack/react-query";
import { askSession } from "../../service/ask-session.ts";
import { rest } from "../../service/rest.ts";

export const privacyQuery = queryOptions({
  queryKey: ["privacy"],
  queryFn: () => rest.getPrivacy({}).then(({ data }) => data.attributes),
});

/** What the settings would erase now. */
export const previewQuery = (settings: RetentionSettings) =>
  queryOptions({
    queryKey: ["privacy-preview", settings],
    queryFn: () => askSession("previewRetention", { body: bodyOf(settings) }).then(({ data }) => data.attributes),
  });

export const dataRequestsQuery = queryOptions({
  queryKey: ["data-requests"],
  queryFn: () => askSession("getDataRequests"),
});

export const holdsQuery = queryOptions({
  queryKey: ["holds"],
  queryFn: () => askSession("listHolds").then(({ holds }) => holds),
});

/** How often is looked how far a running one has come. */
const LOOK_EVERY_MS = 3_000;

export const erasuresQuery = queryOptions({
  queryKey: ["erasures"],
  queryFn: () => askSession("listErasures").then(({ erasures }) => erasures),
  refetchInterval: ({ state }) => (state.data?.some((each) => each.state === "running") ? LOOK_EVERY_MS : false),
});

/** As a request has it. */
export const bodyOf = ({ widgets, channels, ...rules }: RetentionSettings) => ({
  ...rules,
  widgets: widgets.map((each) => ({ ...each })),
  channels: channels.map((each) => ({ ...each })),
});
