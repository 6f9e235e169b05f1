import { queryOptions } from "@tanstack/react-query";
import { rest } from "../../service/rest.ts";

export const widgetsQuery = queryOptions({
  queryKey: ["widgets"],
  queryFn: () => rest.listWidgets({ query: { limit: 100 } }).then(({ data }) => data),
});

/** One widget with its settings. */
export const widgetQuery = (id: string) =>
  queryOptions({
    queryKey: ["widget", id],
    queryFn: () => rest.getWidget({ params: { widget: id } }).then(({ data }) => data),
  });

/** The widget that the set-up has created, with its settings; null when the team has removed its last one. */
export const firstWidgetQuery = queryOptions({
  queryKey: ["first-widget"],
  async queryFn() {
    const [first] = (await rest.listWidgets({ query: { limit: 1 } })).data;
    if (!first) return null;
    return (await rest.getWidget({ params: { widget: first.id } })).data;
  },
});
