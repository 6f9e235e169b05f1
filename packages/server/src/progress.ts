/** Tells how far a long piece of work has come. */
export interface Progress {
  /** False: nobody looks, so it is not worth counting what there is to do. */
  wanted: boolean;
  begin(total: number): void;
  /** So many are done. */
  at(done: number): void;
  end(): void;
}

/** For whoever has nobody to tell. */
export const silent: Progress = { wanted: false, begin: () => {}, at: () => {}, end: () => {} };
