import { t } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { channelReason } from "./channel-reasons.ts";
import type { ShownChannel } from "./channels-query.ts";

const TONES = { active: "success", paused: "neutral", "needs-sign-in": "danger", failing: "warning" } as const;

export function ChannelBadge({ channel: { attributes } }: { channel: ShownChannel }) {
  const { state } = attributes;
  return <Badge tone={TONES[state]}>{t(`channels.state.${state}`)}</Badge>;
}

/** What is wrong and what to do; undefined for an account that works. */
export function ChannelTrouble({ channel: { attributes, named_reason } }: { channel: ShownChannel }) {
  const { state, state_reason: sentence, settings } = attributes;
  if (state === "active") return null;
  const reason = channelReason(named_reason);
  const isOAuth = state === "needs-sign-in" && settings.inbound?.auth === "oauth";
  const isService = isOAuth && !signsInAtProvider({ attributes });
  const meaning = isService ? t("why.service") : isOAuth ? t("why.signInOver") : t(`channels.why.${state}`);
  switch (named_reason?.reason) {
    case "smtp.says":
      // A server's words don't say what to do.
      return (
        <>
          {meaning}
          <span className="block break-words text-meta">{reason}</span>
        </>
      );
    case "imap.refused":
      // There may be no password to enter.
      return <>{meaning}</>;
    default:
      return <>{reason ?? <Unnamed text={meaning} sentence={sentence} />}</>;
  }
}

/** An admin signs in as the mailbox. An app that needs no person is changed in its place. */
export const signsInAtProvider = ({ attributes: { settings } }: Pick<ShownChannel, "attributes">): boolean =>
  settings.inbound?.auth === "oauth" && settings.oauth?.grant !== "service";

/** What a state means, and below what the service says of it in English. */
function Unnamed({ text, sentence }: { text: string; sentence: string | null }) {
  return (
    <>
      {text}
      {sentence && <EnglishSentence text={sentence} />}
    </>
  );
}

/** A sentence of the service that is known in no other language. */
export function EnglishSentence({ text }: { text: string }) {
  return (
    <span lang="en" dir="ltr" className="aligned block break-words text-meta">
      {text}
    </span>
  );
}
