/** Something of a team that waits. */
interface OfTeam {
  teamId: string;
}

/** What waits: of a team in the order in which it was added, the teams one after the other. */
export interface WaitingLines<Waiting extends OfTeam> {
  /** What waits already keeps its place. */
  add(waiting: Waiting): void;
  delete(waiting: Waiting): void;
  /** Takes out the first one of the next team that `mayTake`. */
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
