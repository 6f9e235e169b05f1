/**
 * A value that is chosen in parts and stored as a whole. What is chosen is shown at once; one request stores at a time, always
 * the latest value, because of two at once the service may perform the older one last.
 *
 *   idle -- choose --> storing -- stored, refused --> idle
 *                       |   ^
 *                       '---' chosen meanwhile: the latest value is stored next
 */
export interface OptimisticValue<Value> {
  /** What the service has; what is shown where something was chosen or stored meanwhile, which the answer may not have. */
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
  /** Undefined while nothing is known. */
  shown(): Value | undefined;
  show(value: Value): void;
  /** The latest value could not be stored. */
  onRefused(): void;
}): OptimisticValue<Value> {
  let isWaiting = false;
  let isStoring = false;
  /** How often something was chosen, or a request to store it has ended. */
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
      // They have signed out meanwhile.
      if (value === undefined) break;
      const isStored = await put(value).then(
        () => true,
        () => false,
      );
      steps += 1;
      isLost = !isStored;
    }
    isStoring = false;
    // A later value has all that an earlier one had.
    if (isLost) onRefused();
  }
}
