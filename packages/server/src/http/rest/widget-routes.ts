import { rest } from "@frontdesk/core/contract";
import { presentErasure } from "../../privacy/present-erasure.ts";
import { removeWidget } from "../../privacy/remove-widget.ts";
import { createWidget } from "../../widgets/create-widget.ts";
import { getWidget } from "../../widgets/get-widget.ts";
import { listWidgets } from "../../widgets/list-widgets.ts";
import { presentIdentitySecret, presentWholeWidget, presentWidget } from "../../widgets/present-widget.ts";
import { rotateIdentitySecret } from "../../widgets/rotate-identity-secret.ts";
import { updateWidget } from "../../widgets/update-widget.ts";
import { listBody, pageOf } from "./list-body.ts";
import { endpoint } from "./rest-endpoint.ts";

export const widgetRoutes = [
  endpoint(
    rest.listWidgets,
    listWidgets,
    ({ query }) => pageOf(query),
    (listed, { url, query }) => listBody(url, pageOf(query), listed, presentWidget),
  ),
  endpoint(
    rest.createWidget,
    createWidget,
    ({ body }) => ({ name: body.name }),
    (widget) => ({ message: "Widget created.", data: presentWholeWidget(widget) }),
  ),
  endpoint(
    rest.getWidget,
    getWidget,
    ({ params }) => ({ widgetId: params.widget }),
    (widget) => ({ data: presentWholeWidget(widget) }),
  ),
  endpoint(
    rest.updateWidget,
    updateWidget,
    ({ params, body }) => ({ widgetId: params.widget, change: body }),
    (widget) => ({ message: "Widget updated.", data: presentWholeWidget(widget) }),
  ),
  endpoint(
    rest.removeWidget,
    removeWidget,
    ({ params, body }) => ({
      widgetId: params.widget,
      conversations: body.conversations ?? undefined,
      reason: body.reason ?? undefined,
    }),
    (erasure) => ({ message: "Widget removed.", data: presentErasure(erasure) }),
  ),
  endpoint(
    rest.makeIdentitySecret,
    rotateIdentitySecret,
    ({ params }) => ({ widgetId: params.widget }),
    ({ widget, secret }) => ({
      message: "Identity secret created. A previous one no longer works.",
      data: presentIdentitySecret(widget, secret),
    }),
  ),
];
