import { useState } from "react";
import { problemText } from "../ui/problem-text.ts";
import { leaveFor } from "./leave-for.ts";

/** One answer: once the service has taken it, the browser leaves, and a link stays for one that does not. */
export function useAnswer(): {
  busy: boolean;
  problem: string | undefined;
  /** Where the browser goes. */
  leaving: string | undefined;
  answer(ask: () => Promise<{ redirect_to: string }>): Promise<void>;
} {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [leaving, setLeaving] = useState<string>();
  return {
    ...{ busy, problem, leaving },
    async answer(ask) {
      setBusy(true);
      setProblem(undefined);
      try {
        const { redirect_to: url } = await ask();
        setLeaving(url);
        leaveFor(url);
      } catch (error) {
        setProblem(problemText(error));
        setBusy(false);
      }
    },
  };
}
