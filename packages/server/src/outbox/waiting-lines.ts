/** Something of a team that waits. */
interface OfTeam {
  teamId: string;
}

/** A fair queue: the entries of a team in the order in which they were added, the teams in rotation. */
export interface WaitingLines<Waiting extends OfTeam> {
  /** An entry that waits already keeps its position. */
  add(waiting: Waiting): void;
  delete(waiting: Waiting): void;
  /** Removes and returns the first entry of the next team that `mayTake`. */
  next(mayTake: (teamId: string) => boolean): Waiting | undefined;
}

export function waitingLines<Waiting extends OfTeam>(): WaitingLines<Waiting> {
  const lines = new Map<string, Set<Waiting>>();
  return {
    add(waiting) {
      const line = lines.get(waiting.teamId);
      if (line) line.add(waiting);
      else lines.set(waiting.teamId, new Set([waiting]));
    },
    delete: remove,
    next(mayTake) {
      for (const [teamId, line] of lines) {
        if (!mayTake(teamId)) continue;
        const [first] = line;
        lines.delete(teamId);
        if (line.size > 1) lines.set(teamId, line);
        if (first) line.delete(first);
        return first;
      }
      return undefined;
    },
  };

  function remove(waiting: Waiting): void {
    const line = lines.get(waiting.teamId);
    line?.delete(waiting);
    if (line?.size === 0) lines.delete(waiting.teamId);
  }
}
