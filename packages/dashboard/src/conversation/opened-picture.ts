/** The image shown over the page. */
import { createOpened } from "./opened.ts";

export interface OpenedPicture {
  url: string;
  /** Where the focus returns to. */
  opener: HTMLElement;
}

export const [openPicture, useOpenedPicture] = createOpened<OpenedPicture>();

/** A message that is confirmed while its image is open is rendered anew, and so is the button that has opened it. */
export function focusAfter({ opener }: OpenedPicture): HTMLElement | undefined {
  if (opener.isConnected) return opener;
  const buttons = [...document.querySelectorAll<HTMLElement>("[data-picture]")];
  return buttons.find(({ dataset }) => dataset.picture === opener.dataset.picture);
}
