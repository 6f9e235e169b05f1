/** As much of the DOM as is used here: the server knows no browser's types. */
export interface HtmlNode {
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  querySelector(selector: string): HtmlNode | null;
  querySelectorAll(selector: string): Iterable<HtmlNode>;
  remove(): void;
}

export interface HtmlDocument extends HtmlNode {
  readonly body: HtmlNode;
  cloneNode(deep: boolean): unknown;
}
