/** A position in an event log: everything up to `number` has been applied. `epoch` names the log. */
export interface LogPosition {
  readonly number: number;
  readonly epoch: string;
}

/** What every event of the log has; the rest depends on who receives it (docs/decisions/0020-live-stream.md). */
export interface LoggedEvent {
  readonly number: number;
}

export interface LogFollower<Event extends LoggedEvent> {
  /** Null until the first fetch. */
  readonly position: LogPosition | null;
  /** Whether everything is being fetched again; events that arrive meanwhile wait. */
  readonly fetching: boolean;
  /**
   * Applies an event once: a repeated one is dropped. The position moves only after it was applied. Returns false when the
   * event carries too little; then `reset` is due.
   */
  event(event: Event): boolean;
  /** Everything up to here was sent, so there is nothing between the position and it. */
  ready(to: LogPosition): void;
  /**
   * Fetches everything again and goes on from there. Resolves to false when the fetch failed; the position is then unchanged.
   */
  reset(): Promise<boolean>;
  /** Called after each step from `after` to the position, with the event that was applied; null for `ready` and `reset`. */
  onStep: (after: number, event: Event | null) => void;
}

/** Keeps a state in sync with an event log: events in order, each once, and a full fetch where the log was cut. */
export function followLog<Event extends LoggedEvent, Fresh extends LogPosition>({
  fetch,
  replace,
  apply,
}: {
  /** Undefined when the fetch failed. */
  fetch(): Promise<Fresh | undefined>;
  /** Replaces the state with what was fetched. */
  replace(fresh: Fresh): void;
  /** Returns false for an event that carries too little. */
  apply(event: Event): boolean;
}): LogFollower<Event> {
  let resets = 0;
  let waiting: Event[] = [];
  const follower = { position: null as LogPosition | null, fetching: false, event, ready, reset, onStep() {} };
  return follower;

  function event(event: Event): boolean {
    if (follower.fetching) return waiting.push(event) > 0;
    const { position } = follower;
    if (!position || event.number <= position.number) return true;
    if (!apply(event)) return false;
    step(position, event.number, event);
    return true;
  }

  function ready({ number }: LogPosition): void {
    const { position, fetching } = follower;
    if (!fetching && position && number > position.number) step(position, number, null);
  }

  function step({ number: after, epoch }: LogPosition, number: number, event: Event | null): void {
    follower.position = { number, epoch };
    (follower as LogFollower<Event>).onStep(after, event);
  }

  async function reset(): Promise<boolean> {
    // Only a fetch that began after the latest `reset` is new enough.
    const mine = ++resets;
    follower.fetching = true;
    const fresh = await fetch();
    if (mine !== resets) return true;
    const came = waiting;
    waiting = [];
    follower.fetching = false;
    if (!fresh) return false;
    replace(fresh);
    step(fresh, fresh.number, null);
    return came.every(event) || reset();
  }
}
