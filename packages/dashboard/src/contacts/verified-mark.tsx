import { BadgeCheck } from "lucide-react";
import { t } from "../texts/texts.ts";

/** The owner's server has vouched for this contact, or for this detail. */
export function VerifiedMark({ size = 14 }: { size?: number }) {
  const label = t("verified.identity");
  return (
    <span role="img" aria-label={label} title={label} className="relative z-10 shrink-0 text-info">
      <BadgeCheck size={size} />
    </span>
  );
}
