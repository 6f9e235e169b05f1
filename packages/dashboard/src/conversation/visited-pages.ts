/** The pages of a visitor who is online: those that are stored, and those seen since on the live stream. */
import { useEffect, useState } from "react";
import { useInboxState } from "../inbox/live-inbox.ts";

export interface PageVisit {
  page: string;
  /** ISO 8601. */
  date: string;
}

/** The stored visits and the later ones that are not among them, oldest first. */
export function withLiveVisits(stored: readonly PageVisit[], live: readonly PageVisit[]): PageVisit[] {
  const last = stored.at(-1);
  const later = live.filter(({ date }) => date > (last?.date ?? ""));
  // The visitor may be on the page of the last stored visit still.
  const [first, ...others] = later;
  return [...stored, ...(first && first.page !== last?.page ? [first] : []), ...others];
}

/** Give the component the contact's id as its key: visits of one contact must not be added to another's. */
export function useVisits(contactId: string, stored: readonly PageVisit[]): PageVisit[] {
  const page = useInboxState(({ presence }) => presence.contacts.get(contactId)?.page?.url);
  const [live, setLive] = useState<readonly PageVisit[]>([]);
  useEffect(() => {
    if (page) setLive((before) => [...before, { page, date: new Date().toISOString() }]);
  }, [page]);
  return withLiveVisits(stored, live);
}
