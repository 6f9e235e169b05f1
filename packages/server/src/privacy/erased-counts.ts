/** How much an erasure has erased, by kind. */
export interface ErasedCounts {
  contacts: number;
  conversations: number;
  messages: number;
  files: number;
  events: number;
  /** Erased on their own, by retention. */
  page_visits: number;
  ip_addresses: number;
}

export const NOTHING_ERASED: ErasedCounts = {
  contacts: 0,
  conversations: 0,
  messages: 0,
  files: 0,
  events: 0,
  page_visits: 0,
  ip_addresses: 0,
};

export const erasedCounts = (stored: string): ErasedCounts => ({ ...NOTHING_ERASED, ...JSON.parse(stored) });
