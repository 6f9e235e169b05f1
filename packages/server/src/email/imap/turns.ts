/** Turns for so many at once; the others wait in their order. The function that a turn resolves to ends it. */
export function createTurns(atOnce: number): () => Promise<() => void> {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  return async () => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => void waiting.push(resolve));
    let over = false;
    return () => {
      if (over) return;
      over = true;
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    };
  };
}
