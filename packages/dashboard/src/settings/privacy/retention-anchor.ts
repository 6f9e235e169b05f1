/** Where the settings of a widget are on the page of privacy. */
export const retentionAnchor = (widgetId: string): string => `widget-${widgetId}`;
