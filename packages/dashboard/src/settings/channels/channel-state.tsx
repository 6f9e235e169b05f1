import type { Channel } from "@frontdesk/core/contract/rest/channels";
import { language, t } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";

const TONES = { active: "success", paused: "neutral", "needs-sign-in": "danger", failing: "warning" } as const;

export function ChannelBadge({ channel: { attributes } }: { channel: Channel }) {
  const { state } = attributes;
  return <Badge tone={TONES[state]}>{t(`channels.state.${state}`)}</Badge>;
}

/** What is wrong and what to do; undefined for an account that works. */
export function ChannelTrouble({ channel: { attributes } }: { channel: Channel }) {
  const { state, state_reason: reason, settings } = attributes;
  if (state === "active") return null;
  const isOAuth = state === "needs-sign-in" && settings.inbound?.auth === "oauth";
  return <ServiceWords text={isOAuth ? t("channels.oauth.why") : t(`channels.why.${state}`)} details={reason} />;
}

/**
 * The service's sentences are in English, and say more than their translations: in English they are shown alone, in another
 * language below.
 */
export function ServiceWords({ text, details }: { text: string; details: string | null }) {
  if (language === "en") return <>{details ?? text}</>;
  return (
    <>
      {text}
      {details && (
        <span lang="en" dir="ltr" className="aligned block break-words text-meta">
          {details}
        </span>
      )}
    </>
  );
}
