import type { Actor } from "../access/actor.ts";
import type { SilenceAfter } from "../ai/turn/resolve-on-silence.ts";
import type { ReportedTrouble } from "../channels/report-trouble.ts";
import type { FoldedSoFar } from "../contacts/fold-search-texts.ts";
import type { Operation } from "../context.ts";
import type { Storage } from "../storage/database.ts";

/** The data stored with a timer of each kind, besides its subject; JSON-able, null for none. */
export interface TimerPayloads {
  "end-snooze": null;
  "mail-replies": null;
  "fold-search-texts": FoldedSoFar | null;
  "send-held-reply": null;
  "apply-retention": null;
  "expire-export": null;
  "read-site": null;
  "report-channel-trouble": ReportedTrouble | null;
  "resolve-ai-silence": SilenceAfter;
}

export type TimerKind = keyof TimerPayloads;

/** Something that happens at a given time. A subject has at most one timer of a kind: setting it again moves it. */
export type TimerRequest = { [Kind in TimerKind]: TimerRequestOf<Kind> }[TimerKind];

type TimerRequestOf<Kind extends TimerKind> = {
  kind: Kind;
  /** The id of its subject. */
  subjectId: string;
  /** Ms since the epoch. */
  dueAt: number;
  /** Does not move a timer that is already set. */
  unlessSet?: boolean;
} & (TimerPayloads[Kind] extends null ? { data?: null } : { data: TimerPayloads[Kind] });

/** A timer that fires. */
export interface FiredTimer<Kind extends TimerKind = TimerKind> {
  subjectId: string;
  /** The time that it was set for. */
  armedFor: number;
  data: TimerPayloads[Kind];
}

/**
 * What happens when a timer fires: an operation, performed in the commit that deletes the timer. A Refusal ends the timer: its
 * subject is gone.
 */
export interface TimerHandler<Kind extends TimerKind> extends Operation<FiredTimer<Kind>, void> {
  /** Who performs it; the system when it is left out. A Refusal here counts as one of the operation. */
  actor?(storage: Pick<Storage, "first">, timer: { team_id: string; subject_id: string }): Promise<Actor>;
  /** Performed by the system after a Refusal, in the commit that deletes the timer. */
  refused?: Operation<FiredTimer<Kind>, void>;
}

/** What happens when a timer of each kind fires. */
export type TimerHandlers = { [Kind in TimerKind]: TimerHandler<Kind> };
