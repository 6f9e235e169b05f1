import { storageOf, storedValues } from "@frontdesk/client/visitor";

/** Kept as long as the tab, over all pages of a site. */
export const tabValues = storedValues(storageOf(window, "sessionStorage"));

/** Kept by this browser. */
export const browserValues = storedValues(storageOf(window, "localStorage"));
