import type { PresenceNote } from "../contacts/note-presence.ts";
import type { Timeouts } from "../timeouts.ts";
import { type PresenceNotes, presenceNotes } from "./presence-notes.ts";
import { emptyTeam, keyOf, personAt, type TeamPresence } from "./team-presence.ts";

/** The teams that this process keeps the presence of: those with a stream, a person or an unwritten note here. */
export interface PresenceTeams {
  find(teamId: string): TeamPresence | undefined;
  /** Creates it when there is none. */
  open(teamId: string): TeamPresence;
  all(): TeamPresence[];
  notesOf(team: TeamPresence): PresenceNotes;
  /** Removes a team that has nothing left here: what other processes publish of it is of no use. */
  removeIdle(team: TeamPresence): void;
}

export interface PresenceTeamsParts {
  note(teamId: string, note: PresenceNote): Promise<void>;
  /** Waits until the people left behind by an earlier process are offline: notes after that are valid. */
  begun(): Promise<void>;
  timeouts: Timeouts;
  onTrouble(error: unknown): void;
  onOpen(team: TeamPresence): void;
  onRemove(team: TeamPresence): void;
}

export function presenceTeams({
  note,
  begun,
  timeouts,
  onTrouble,
  onOpen,
  onRemove,
}: PresenceTeamsParts): PresenceTeams {
  const teams = new Map<string, TeamPresence>();
  const notes = new WeakMap<TeamPresence, PresenceNotes>();

  return {
    find: (teamId) => teams.get(teamId),
    open(teamId) {
      const known = teams.get(teamId);
      if (known) return known;
      const team = emptyTeam(teamId);
      teams.set(teamId, team);
      onOpen(team);
      return team;
    },
    all: () => [...teams.values()],
    notesOf,
    removeIdle,
  };

  function notesOf(team: TeamPresence): PresenceNotes {
    const known = notes.get(team);
    if (known) return known;
    const created = presenceNotes({
      write: (one) => note(team.teamId, one),
      before: begun(),
      statusOf(person) {
        const known = personAt(team, keyOf(person));
        return { online: known !== undefined, isAway: known?.isAway ?? false };
      },
      timeouts,
      onTrouble,
      onIdle: () => removeIdle(team),
    });
    notes.set(team, created);
    return created;
  }

  function removeIdle(team: TeamPresence): void {
    if (team.streams.size > 0 || team.here.size > 0 || !notesOf(team).isIdle()) return;
    if (teams.get(team.teamId) !== team) return;
    teams.delete(team.teamId);
    onRemove(team);
  }
}
