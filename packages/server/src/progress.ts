/** Shows how far a long piece of work is. */
export interface Progress {
  /** False: it is not shown, so the total need not be counted. */
  wanted: boolean;
  begin(total: number): void;
  /** This many are done. */
  at(done: number): void;
  end(): void;
}

/** Shows nothing. */
export const silent: Progress = { wanted: false, begin: () => {}, at: () => {}, end: () => {} };
