/** The REST operations on widgets (spec, "Endpoints"). */
import { Type } from "typebox";
import { listOfOne, widget } from "../examples.ts";
import { pageQuery } from "../fields.ts";
import type { RestOperation } from "../operation.ts";
import { listOf, Widget } from "../resources.ts";

export const listWidgets = {
  id: "listWidgets",
  performs: "list-widgets",
  method: "GET",
  path: "/widgets",
  tag: "Widgets",
  summary: "List widgets",
  description: "The chat widgets of the team, oldest first.",
  query: Type.Object(pageQuery({ default: 20, max: 100 })),
  responses: { 200: { description: "A page of widgets.", body: listOf(Widget) } },
  errors: [422],
  example: { query: { page: 1, limit: 20 }, response: listOfOne("/widgets", widget, 20) },
} as const satisfies RestOperation;
