import { t } from "../texts/texts.ts";
import { type AskedRun, openRun } from "./opened-run.ts";

/** Opens what the AI did, and why. */
export function WhyButton({ run }: { run: AskedRun }) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={() => openRun(run)}
      className="inline-flex min-h-6 shrink-0 items-center rounded-control px-1 underline underline-offset-2 hover:bg-hover hover:text-ink pointer-coarse:min-h-11"
    >
      {t("ai.why")}
    </button>
  );
}
