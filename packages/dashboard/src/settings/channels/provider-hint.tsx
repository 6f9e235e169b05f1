import type { FoundMailServers } from "@frontdesk/core/contract/session-channels";
import { ExternalLink, Info } from "lucide-react";
import { t } from "../../texts/texts.ts";
import type { MailboxDraft, ServerDraft } from "./mailbox-draft.ts";

/** What a provider wants before a mailbox can be connected; nothing for one that takes the usual password. */
export function ProviderHint({ servers }: { servers: FoundMailServers | undefined }) {
  if (!servers?.provider) return null;
  const { provider, sign_in, imap_is_off, app_password_url, oauth } = servers;
  const texts = [
    ...(sign_in === "none" && oauth ? [t("channels.hint.oauth", { provider })] : []),
    ...(sign_in === "none" && !oauth
      ? [t("channels.hint.none", { provider }), t("channels.hint.instead", { provider })]
      : []),
    ...(sign_in === "app-password" ? [t("channels.hint.appPassword", { provider })] : []),
    ...(imap_is_off ? [t("channels.hint.imapOff", { provider })] : []),
  ];
  if (texts.length === 0) return null;
  return (
    <div className="flex items-start gap-2.5 rounded-control border border-note-line bg-note px-3 py-2 text-note-ink">
      <Info size={16} className="mt-0.5 shrink-0" aria-hidden="true" />
      <div className="flex min-w-0 flex-col gap-1">
        {texts.map((text) => (
          <p key={text}>{text}</p>
        ))}
        {app_password_url && (
          <a
            href={app_password_url}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-6 items-center gap-1.5 font-medium underline"
          >
            {t("channels.hint.create")}
            <ExternalLink size={14} aria-hidden="true" />
          </a>
        )}
      </div>
    </div>
  );
}

/** Which servers a password goes to, and how they were found. */
export function FoundServers({ draft, servers }: { draft: MailboxDraft; servers: FoundMailServers }) {
  const { provider, is_known } = servers;
  const receives = serverText(draft.inbound);
  const isGuess = !is_known && draft.inbound.host === servers.inbound.host;
  return (
    <div className="text-meta text-muted">
      <p className="break-words">
        {draft.sendsItself
          ? t("channels.servers", { receives, sends: serverText(draft.outbound) })
          : t("channels.serverReceives", { receives })}
      </p>
      {provider && <p>{t("channels.foundProvider", { provider })}</p>}
      {isGuess && <p>{t("channels.guessed")}</p>}
    </div>
  );
}

const serverText = ({ host, port }: ServerDraft): string => `${host}:${port}`;
