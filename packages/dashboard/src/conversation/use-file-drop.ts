import { useEffect, useRef, useState } from "react";

/** Who accepts files, the last one of them: a dialog stands before the reply that is open behind it. */
const takers: symbol[] = [];

/**
 * Accepts files dropped anywhere in the window: otherwise the browser would open them instead of the page.
 *
 * @returns whether files are being dragged over the window
 */
export function useFileDrop(onFiles: (files: File[]) => void): boolean {
  const [over, setOver] = useState(false);
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useEffect(() => {
    const me = Symbol();
    takers.push(me);
    const hold = (event: DragEvent) => {
      if (takers.at(-1) !== me || !event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (takers.at(-1) !== me || files.length === 0) return;
      event.preventDefault();
      latest.current(files);
    };
    addEventListener("dragover", hold);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      takers.splice(takers.indexOf(me), 1);
      removeEventListener("dragover", hold);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, []);
  return over;
}
