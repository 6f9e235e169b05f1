import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMay } from "../../service/me.ts";
import { Section } from "../../ui/page.tsx";
import { privacyQuery } from "./privacy-queries.ts";
import { retentionAnchor } from "./retention-anchor.ts";

/** Whether a widget or a channel has its own settings of retention, and the way to them. */
export function RetentionLink({
  id,
  title,
  own,
  inherited,
  link,
}: {
  id: string;
  title: string;
  /** Shown if it has. */
  own: string;
  /** Shown if it has none. */
  inherited: string;
  link: string;
}) {
  const may = useMay("update-retention");
  const { data: privacy } = useQuery({ ...privacyQuery, enabled: may });
  if (!may) return null;
  const isOwn =
    privacy?.widgets.some(({ widget_id }) => widget_id === id) ||
    privacy?.channels.some(({ channel_id }) => channel_id === id);
  return (
    <Section title={title} text={privacy && (isOwn ? own : inherited)}>
      <Link
        to="/settings/$part"
        params={{ part: "privacy" }}
        hash={retentionAnchor(id)}
        className="inline-flex min-h-6 items-center text-accent-text hover:underline pointer-coarse:min-h-11"
      >
        {link}
      </Link>
    </Section>
  );
}
