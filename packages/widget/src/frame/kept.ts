import { keptValues, storageOf } from "@frontdesk/client/visitor";

/** Kept as long as the tab, over all pages of a site. */
export const tabValues = keptValues(storageOf(window, "sessionStorage"));

/** Kept by this browser. */
export const browserValues = keptValues(storageOf(window, "localStorage"));
