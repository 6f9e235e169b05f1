import type { WholeWidget } from "@frontdesk/core/contract/resources";
import { t } from "../../texts/texts.ts";
import { RetentionLink } from "../privacy/retention-link.tsx";

/** Whether the widget has its own settings of retention, and the way to them. */
export function WidgetRetentionSection({ widget: { id } }: { widget: WholeWidget }) {
  return (
    <RetentionLink
      id={id}
      title={t("widget.keep")}
      own={t("widget.keepOwn")}
      inherited={t("widget.keepTeam")}
      link={t("widget.keepLink")}
    />
  );
}
