import { storageOf, storedValues } from "@frontdesk/client/visitor";

/** Values that last as long as the tab, across the pages of a site. */
export const tabValues = storedValues(storageOf(window, "sessionStorage"));

/** Values that this browser stores. */
export const browserValues = storedValues(storageOf(window, "localStorage"));
