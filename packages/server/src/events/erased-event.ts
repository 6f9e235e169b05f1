import type { EventRow } from "../storage/tables.ts";

/** The data of an event whose contact or conversation was erased: the log keeps no more than its number, name and time. */
export const ERASED_DATA = "{}";

export const isErased = ({ data }: Pick<EventRow, "data">): boolean => data === ERASED_DATA;
