/** A place in an event log: everything up to `number` has been applied. `epoch` names the log. */
export interface LogPosition {
  readonly number: number;
  readonly epoch: string;
}

/** What every event of the log has; what else it carries depends on who sees it (docs/decisions/0020-live-stream.md). */
export interface LoggedEvent {
  readonly number: number;
}

export interface LogFollower<Event extends LoggedEvent> {
  /** Null until something was fetched. */
  readonly position: LogPosition | null;
  /** Whether everything is being fetched anew at this moment; events that come meanwhile wait. */
  readonly fetching: boolean;
  /**
   * Applies an event, once: what was applied before is dropped. The position moves only after it was applied.
   * Answers false when the event says too little; then `reset` is due.
   */
  event(event: Event): boolean;
  /** Everything up to here was sent, so there is nothing between the position and it. */
  ready(to: LogPosition): void;
  /** Fetches everything anew and goes on from there. Answers false when it could not be fetched; the position is then as it was. */
  reset(): Promise<boolean>;
  /** Called after each step from `after` to the position, with the event that was applied; null for `ready` and `reset`. */
  onStep: (after: number, event: Event | null) => void;
}

/** Keeps a state in step with an event log: events in their order, each once, and all of it anew where the log was cut. */
export function followLog<Event extends LoggedEvent, Fresh extends LogPosition>({
  fetch,
  replace,
  apply,
}: {
  /** Undefined when nothing could be fetched. */
  fetch(): Promise<Fresh | undefined>;
  /** The state becomes what was fetched. */
  replace(fresh: Fresh): void;
  /** Answers false for an event that says too little. */
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
    // The latest counts: only a fetch that began after a `reset` is as new as it asks for.
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
