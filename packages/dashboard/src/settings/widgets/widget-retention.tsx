import type { WholeWidget } from "@frontdesk/core/contract/resources";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMay } from "../../service/me.ts";
import { t } from "../../texts/texts.ts";
import { Section } from "../../ui/page.tsx";
import { privacyQuery } from "../privacy/privacy-queries.ts";
import { retentionAnchor } from "../privacy/retention-anchor.ts";

/** Whether the widget has its own settings of retention, and the way to them. */
export function WidgetRetentionSection({ widget: { id } }: { widget: WholeWidget }) {
  const may = useMay("update-retention");
  const { data: privacy } = useQuery({ ...privacyQuery, enabled: may });
  if (!may) return null;
  const isOwn = privacy?.widgets.some(({ widget_id }) => widget_id === id);
  return (
    <Section title={t("widget.keep")} text={privacy && t(isOwn ? "widget.keepOwn" : "widget.keepTeam")}>
      <Link
        to="/settings/$part"
        params={{ part: "privacy" }}
        hash={retentionAnchor(id)}
        className="inline-flex min-h-6 items-center text-accent-text hover:underline pointer-coarse:min-h-11"
      >
        {t("widget.keepLink")}
      </Link>
    </Section>
  );
}
