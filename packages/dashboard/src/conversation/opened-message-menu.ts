/** The open message menu: one for the whole thread. */
import type { LiveMessage } from "@frontdesk/core/contract/live";
import { createOpened } from "./opened.ts";

export interface OpenedMessageMenu {
  message: LiveMessage;
  /** Its button: the menu is anchored to it, and the focus returns to it. */
  button: HTMLElement;
}

export const [openMessageMenu, useOpenedMessageMenu] = createOpened<OpenedMessageMenu>();
