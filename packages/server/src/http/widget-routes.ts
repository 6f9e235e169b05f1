import { rest } from "@frontdesk/core/contract";
import { listWidgets } from "../widgets/list-widgets.ts";
import { presentWidget } from "../widgets/present-widget.ts";
import { listBody, pageOf } from "./list-body.ts";
import { endpoint } from "./rest-endpoint.ts";

export const widgetRoutes = [
  endpoint(
    rest.listWidgets,
    listWidgets,
    ({ query }) => pageOf(query),
    (listed, { url, query }) => listBody(url, pageOf(query), listed, presentWidget),
  ),
];
