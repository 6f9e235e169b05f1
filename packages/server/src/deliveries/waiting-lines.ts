/** Something of a team that waits for its turn. */
interface OfTeam {
  teamId: string;
}

/** Who waits: those of a team in the order in which they asked, the teams one after the other. */
export interface WaitingLines<Waiting extends OfTeam> {
  /** Whoever stands in line already keeps the place. */
  add(waiting: Waiting): void;
  delete(waiting: Waiting): void;
  /** Takes out the first one of the next team that may have a turn. */
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
