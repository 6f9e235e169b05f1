/**
 * A value that is changed in parts and stored as a whole. A change is shown at once; one request at a time stores the latest
 * value, because the service may perform the older of two concurrent requests last.
 *
 *   idle -- choose --> storing -- stored, refused --> idle
 *                       |   ^
 *                       '---' chosen meanwhile: the latest value is stored next
 */
export interface OptimisticValue<Value> {
  /** The service's value; the shown one if it was changed or stored during the request, which the answer may not contain. */
  fetch(): Promise<Value>;
  /** Shows and stores it. */
  choose(value: Value): void;
}

export function optimisticValue<Value>({
  get,
  put,
  shown,
  show,
  onRefused,
}: {
  get(): Promise<Value>;
  put(value: Value): Promise<unknown>;
  /** Undefined before the first fetch. */
  shown(): Value | undefined;
  show(value: Value): void;
  /** The latest value could not be stored. */
  onRefused(): void;
}): OptimisticValue<Value> {
  let isWaiting = false;
  let isStoring = false;
  /** How often a value was chosen, or a request to store it has ended. */
  let steps = 0;

  return {
    async fetch() {
      const before = steps;
      const fetched = await get();
      return (before === steps && !isStoring ? undefined : shown()) ?? fetched;
    },
    choose(value) {
      steps += 1;
      isWaiting = true;
      show(value);
      void store();
    },
  };

  async function store(): Promise<void> {
    if (isStoring) return;
    isStoring = true;
    let isLost = false;
    while (isWaiting) {
      isWaiting = false;
      const value = shown();
      // The agent has signed out meanwhile.
      if (value === undefined) break;
      const isStored = await put(value).then(
        () => true,
        () => false,
      );
      steps += 1;
      isLost = !isStored;
    }
    isStoring = false;
    // A later value contains the earlier changes.
    if (isLost) onRefused();
  }
}
