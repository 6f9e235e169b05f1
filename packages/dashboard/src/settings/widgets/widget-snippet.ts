import { ROOT } from "../../service/send.ts";

/** The HTML for an owner's pages. */
export function widgetSnippet(widgetId: string): string {
  return `<script async src="${ROOT}/widget.js?widget=${widgetId}" data-widget="${widgetId}"></script>`;
}

export const demoAddress = (widgetId: string): string => `${ROOT}/demo/${widgetId}`;
