/**
 * The line of HTML that puts a widget on a page.
 *
 * @param address of the installation, without a slash at the end
 */
export function widgetTag(address: string, widgetId: string): string {
  return `<script async src="${address}/widget.js?widget=${widgetId}" data-widget="${widgetId}"></script>`;
}
