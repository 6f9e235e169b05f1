import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Mail, Plus } from "lucide-react";
import { useState } from "react";
import { ago } from "../../texts/dates.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Section } from "../../ui/page.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { ChannelBadge, ChannelTrouble } from "./channel-state.tsx";
import { channelName, channelsQuery, LOOK_AGAIN_MS, type ShownChannel } from "./channels-query.ts";
import { ConnectMailbox } from "./connect-mailbox.tsx";

/** The channel accounts: mailboxes whose mails are conversations. */
export function ChannelsPart() {
  const found = useQuery({ ...channelsQuery, refetchInterval: LOOK_AGAIN_MS });
  const [connecting, setConnecting] = useState(false);
  const navigate = useNavigate();
  const connect = (
    <Button look="primary" onClick={() => setConnecting(true)}>
      <Plus size={14} aria-hidden="true" />
      {t("channels.connect")}
    </Button>
  );
  return (
    <Section title={t("settings.channels")} text={t("channels.text")} actions={connect}>
      {found.isPending && <SkeletonRows rows={3} height={60} />}
      {found.isError && !found.data && (
        <EmptyState icon={Mail} title={t("trouble.title")} text={problemText(found.error)}>
          <Button onClick={() => found.refetch()}>{t("tryAgain")}</Button>
        </EmptyState>
      )}
      {found.data?.length === 0 && <EmptyState icon={Mail} title={t("channels.none")} text={t("channels.noneText")} />}
      <ul>
        {found.data?.map((channel) => (
          <Row key={channel.id} channel={channel} />
        ))}
      </ul>
      {connecting && (
        <ConnectMailbox
          onClose={() => setConnecting(false)}
          onMade={(id) => {
            setConnecting(false);
            void navigate({ to: "/settings/$part/$item", params: { part: "channels", item: id } });
          }}
        />
      )}
    </Section>
  );
}

function Row({ channel }: { channel: ShownChannel }) {
  const { id, attributes } = channel;
  const { last_received_at: received, last_sent_at: sent } = attributes;
  return (
    <li className="relative flex flex-wrap items-start gap-x-4 gap-y-1 border-line border-t py-3 first:border-t-0 hover:bg-hover md:px-2">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex items-center gap-2">
          <Link
            to="/settings/$part/$item"
            params={{ part: "channels", item: id }}
            dir="auto"
            className="-outline-offset-2 min-w-0 truncate font-medium after:absolute after:inset-0"
          >
            {channelName(channel)}
          </Link>
          <ChannelBadge channel={channel} />
        </p>
        {attributes.name !== null && (
          <p dir="ltr" className="aligned truncate text-meta text-muted">
            {attributes.address}
          </p>
        )}
        {attributes.state !== "active" && (
          <p className="mt-0.5 text-meta text-muted">
            <ChannelTrouble channel={channel} />
          </p>
        )}
      </div>
      <p className="flex shrink-0 flex-col items-end gap-0.5 text-meta text-subtle max-md:w-full max-md:items-start">
        {received !== null && <span className="numbers">{t("channels.received", { when: ago(received) })}</span>}
        {sent !== null && <span className="numbers">{t("channels.sent", { when: ago(sent) })}</span>}
      </p>
    </li>
  );
}
