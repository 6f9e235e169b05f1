import type { AppReachProblem } from "@frontdesk/core/domain/app-reach";
import { CircleCheck, CircleX, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { askSession } from "../../service/ask-session.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { problemText } from "../../ui/problem-text.ts";

interface Shown {
  text: string;
  look: keyof typeof looks;
}
const looks = {
  good: [CircleCheck, "text-success"],
  unclear: [TriangleAlert, "text-warning"],
  bad: [CircleX, "text-danger"],
} as const;

/** From here these say nothing certain: a network may not reach its own address. */
const UNCLEAR: ReadonlySet<AppReachProblem> = new Set(["private-address", "no-answer"]);

/** Whether apps on the internet can connect, as far as the server can tell from inside. */
export function AppReach() {
  const [busy, setBusy] = useState(false);
  const [shown, setShown] = useState<Shown>();
  const check = async () => {
    setBusy(true);
    try {
      const { problem, url, detail } = await askSession("checkAppReach");
      const text = t(`apps.reach.${problem ?? "ok"}`, { url, detail, host: new URL(url).host });
      setShown({ text, look: problem === null ? "good" : UNCLEAR.has(problem) ? "unclear" : "bad" });
    } catch (error) {
      setShown({ text: problemText(error), look: "bad" });
    } finally {
      setBusy(false);
    }
  };
  const [Icon, tone] = looks[shown?.look ?? "good"];
  return (
    <div className="mb-6 flex flex-col items-start gap-3">
      <Button disabled={busy} onClick={() => void check()}>
        {t("apps.reach.check")}
      </Button>
      <div role="status">
        {shown && (
          <p className="flex items-start gap-2.5">
            <Icon size={16} className={cx("mt-0.5 shrink-0", tone)} aria-hidden="true" />
            <span className="wrap-anywhere min-w-0">{shown.text}</span>
          </p>
        )}
      </div>
    </div>
  );
}
