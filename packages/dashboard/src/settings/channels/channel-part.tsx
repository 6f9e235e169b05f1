import type { MailboxUse, NamedFinding } from "@frontdesk/core/contract/session-channels";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowLeft, CircleAlert } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { askSession } from "../../service/ask-session.ts";
import { rest } from "../../service/rest.ts";
import { NotFound } from "../../shell/not-found.tsx";
import { ago, dateOf, numberOf } from "../../texts/dates.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { CodeToCopy } from "../../ui/copy-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Section } from "../../ui/page.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { showProblem } from "../../ui/toast.ts";
import { RetentionLink } from "../privacy/retention-link.tsx";
import { widgetsQuery } from "../widgets/widgets-query.ts";
import { ChangeMailbox } from "./change-mailbox.tsx";
import { ChannelAcknowledgementForm } from "./channel-acknowledgement-form.tsx";
import { ChannelActions, resumeChannel } from "./channel-actions.tsx";
import { ChannelRepliesForm } from "./channel-replies-form.tsx";
import { ChannelBadge, ChannelTrouble, signsInAtProvider } from "./channel-state.tsx";
import {
  CHECK_TIMEOUT_MS,
  channelName,
  channelQuery,
  channelsChanged,
  LOOK_AGAIN_MS,
  mailboxUseQuery,
  type ShownChannel,
  USE_LOOK_AGAIN_MS,
} from "./channels-query.ts";
import { CheckFindings } from "./check-findings.tsx";
import { SignInPart } from "./sign-in-part.tsx";
import { signInToMailbox } from "./sign-in-to-mailbox.ts";
import { SuppressedAddresses } from "./suppressed-addresses.tsx";

const NOT_FOUND = 404;

/** One account: its state, its settings, and the addresses that it sends nothing to; or the end of a sign-in. */
export function ChannelPart({ id }: { id: string }) {
  return id === "sign-in" ? <SignInPart /> : <KnownChannel id={id} />;
}

function KnownChannel({ id }: { id: string }) {
  const { data, error, isPending, refetch } = useQuery({ ...channelQuery(id), refetchInterval: LOOK_AGAIN_MS });
  if (data) return <OneChannel channel={data} />;
  if (isPending) return <SkeletonRows rows={5} height={60} />;
  if (error && "status" in error && error.status === NOT_FOUND) return <NotFound />;
  return (
    <EmptyState icon={CircleAlert} title={t("trouble.title")} text={problemText(error)}>
      <Button onClick={() => refetch()}>{t("tryAgain")}</Button>
    </EmptyState>
  );
}

function OneChannel({ channel }: { channel: ShownChannel }) {
  const { id, attributes } = channel;
  const { findings, isChecking, check } = useCheck(id);
  return (
    <>
      <Link
        to="/settings/$part"
        params={{ part: "channels" }}
        className="mb-4 inline-flex items-center gap-1.5 text-muted hover:text-ink pointer-coarse:min-h-11"
      >
        <ArrowLeft size={14} className="rtl:rotate-180" aria-hidden="true" />
        {t("settings.channels")}
      </Link>
      <section className="mb-6 flex flex-col gap-4">
        <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
          <div className="min-w-0 flex-1 basis-64">
            <div className="flex items-center gap-2">
              <Heading text={channelName(channel)} />
              <ChannelBadge channel={channel} />
            </div>
            {attributes.name !== null && (
              <p dir="ltr" className="aligned break-all text-meta text-muted">
                {attributes.address}
              </p>
            )}
          </div>
          <ChannelActions channel={channel} isChecking={isChecking} onCheck={check} />
        </div>
        <Trouble channel={channel} onCheck={check} />
        <div role="status" className="empty:hidden">
          {isChecking && <p className="text-muted">{t("channels.testing")}</p>}
          {!isChecking && findings && <CheckFindings findings={findings} />}
        </div>
        <Facts channel={channel} />
      </section>
      {attributes.callback_url !== null && (
        <Section title={t("channels.callback")} text={t("channels.callbackText")}>
          <CodeToCopy label={t("channels.callback")} text={attributes.callback_url} />
        </Section>
      )}
      <ChannelRepliesForm key={id} channel={channel} />
      <ChannelAcknowledgementForm key={`acknowledgement ${id}`} channel={channel} />
      <RetentionLink
        id={id}
        title={t("channels.keep")}
        own={t("channels.keepOwn")}
        inherited={t("channels.keepInherited")}
        link={t("channels.keepLink")}
      />
      <SuppressedAddresses channel={channel} />
    </>
  );
}

/** Tries the account now. What is found is shown until it is tried again. */
function useCheck(id: string) {
  const [findings, setFindings] = useState<readonly NamedFinding[]>();
  const [isChecking, setChecking] = useState(false);
  const check = async () => {
    setChecking(true);
    try {
      setFindings((await askSession("checkChannel", { params: { id }, timeoutMs: CHECK_TIMEOUT_MS })).findings);
    } catch (error) {
      showProblem(problemText(error));
    }
    setChecking(false);
    await channelsChanged();
  };
  return { findings, isChecking, check: () => void check() };
}

function Trouble({ channel, onCheck }: { channel: ShownChannel; onCheck(): void }) {
  const { id, attributes } = channel;
  const [changing, setChanging] = useState(false);
  return (
    <>
      {attributes.state !== "active" && (
        <div className="flex flex-wrap items-center gap-3 rounded-control border border-note-line bg-note px-3 py-2 text-note-ink">
          <CircleAlert size={16} className="shrink-0" aria-hidden="true" />
          <p className="min-w-0 flex-1 basis-48">
            <ChannelTrouble channel={channel} />
          </p>
          {attributes.state === "paused" && <Button onClick={() => resumeChannel(id)}>{t("channels.resume")}</Button>}
          {attributes.state === "needs-sign-in" && (
            <SignInButton channel={channel} onChange={() => setChanging(true)} onCheck={onCheck} />
          )}
        </div>
      )}
      {changing && <ChangeMailbox channel={channel} onSaved={onCheck} onClose={() => setChanging(false)} />}
    </>
  );
}

/** What ends a missing sign-in: one at the provider, the password, or what an administrator has done at the provider. */
function SignInButton({ channel, onChange, onCheck }: { channel: ShownChannel; onChange(): void; onCheck(): void }) {
  const { id, attributes } = channel;
  if (signsInAtProvider(channel)) {
    return (
      <Button onClick={() => signInToMailbox(id).catch((error) => showProblem(problemText(error)))}>
        {t("channels.oauth.begin")}
      </Button>
    );
  }
  if (attributes.settings.inbound?.auth !== "oauth") {
    return <Button onClick={onChange}>{t("channels.enterPassword")}</Button>;
  }
  const tryAgain = () => rest.updateChannel({ params: { id }, body: { state: "active" } }).then(onCheck);
  return <Button onClick={() => tryAgain().catch((error) => showProblem(problemText(error)))}>{t("tryAgain")}</Button>;
}

function Facts({ channel: { id, attributes } }: { channel: ShownChannel }) {
  const { settings, last_received_at, last_sent_at, created_at, widget_id } = attributes;
  const { data: widgets } = useQuery(widgetsQuery);
  const { data: use } = useQuery({ ...mailboxUseQuery(id), refetchInterval: USE_LOOK_AGAIN_MS });
  const { inbound, outbound } = settings;
  const server = (of: { host?: string; port?: number }) => (
    <bdi dir="ltr" className="break-all">
      {of.host}:{of.port}
    </bdi>
  );
  const facts: [string, ReactNode][] = [
    [t("channels.lastReceived"), last_received_at ? ago(last_received_at) : t("channels.notYet")],
    [t("channels.lastSent"), last_sent_at ? ago(last_sent_at) : t("channels.notYet")],
    [t("channels.sentOfDay"), use ? usedText(use) : "…"],
    [t("channels.widget"), widgets?.find(({ id }) => id === widget_id)?.attributes.name ?? "…"],
    [t("channels.receiving"), inbound?.kind === "imap" ? server(inbound) : t("channels.kind.http")],
    [t("channels.sending"), outbound ? server(outbound) : t("channels.sendsBy.installation")],
    [t("channels.connectedOn"), dateOf(created_at)],
  ];
  return (
    <dl className="grid gap-x-6 gap-y-3 md:grid-cols-3">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt className="text-meta text-subtle">{label}</dt>
          <dd className="numbers break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What waits is said only when something does. */
function usedText({ sent, limit, waiting }: MailboxUse): string {
  const used = t("channels.sentOf", { sent: numberOf(sent), limit: numberOf(limit) });
  return waiting === 0 ? used : `${used} · ${t("channels.mailsWaiting", { waiting: numberOf(waiting) })}`;
}

/** The link that led here is gone: focus the heading. */
function Heading({ text }: { text: string }) {
  const place = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) place.current?.focus();
  }, []);
  return (
    <h2 ref={place} tabIndex={-1} dir="auto" className="min-w-0 truncate font-semibold text-message outline-none">
      {text}
    </h2>
  );
}
