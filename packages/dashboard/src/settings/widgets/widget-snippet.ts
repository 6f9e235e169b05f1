import { widgetTag } from "@frontdesk/core/domain/widget-tag";
import { ROOT } from "../../service/send.ts";

/** The HTML for an owner's pages. */
export function widgetSnippet(widgetId: string): string {
  return widgetTag(ROOT, widgetId);
}

export const demoAddress = (widgetId: string): string => `${ROOT}/demo/${widgetId}`;
