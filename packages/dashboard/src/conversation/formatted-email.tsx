import type { MailHtml } from "@frontdesk/core/contract/session-mail";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { askSession } from "../service/ask-session.ts";
import { ROOT } from "../service/send.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { type HarmlessEmail, harmlessEmail } from "./harmless-email.ts";

/** Longer emails scroll in their frame: a style can make one as high as it likes. */
const HEIGHT_MAX = 10_000;
const KEPT_MS = 60_000;

/** The emails whose remote images the agent has asked for. A row of the thread is not kept once it is scrolled away. */
const withImages = new Set<string>();

interface Of {
  messageId: string;
  /** Called before the height changes (`hold-position.ts`). */
  holdPosition(): void;
}

/** An email as its sender has formatted it. */
export function FormattedEmail({ messageId, holdPosition }: Of) {
  const { data, isError } = useQuery({
    queryKey: ["mail-html", messageId],
    queryFn: ({ signal }) => askSession("getMailHtml", { params: { id: messageId }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
  });
  if (isError) return <p className="py-2 text-meta text-muted">{t("email.problem")}</p>;
  if (!data) return <div aria-hidden="true" className="h-40 animate-pulse rounded-menu bg-hover" />;
  return <Email messageId={messageId} holdPosition={holdPosition} mail={data} />;
}

function Email({ messageId, holdPosition, mail }: Of & { mail: MailHtml }) {
  const [isRemote, setRemote] = useState(withImages.has(messageId));
  const [shown, setShown] = useState<HarmlessEmail>();
  return (
    <div className="flex flex-col gap-2">
      {shown?.hasRemote && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-meta text-muted">
          <p className="min-w-0 flex-1 basis-60">{t("email.blocked")}</p>
          <Button
            size="compact"
            onClick={() => {
              holdPosition();
              withImages.add(messageId);
              setRemote(true);
            }}
          >
            {t("email.images")}
          </Button>
        </div>
      )}
      <Frame messageId={messageId} holdPosition={holdPosition} mail={mail} isRemote={isRemote} onShown={setShown} />
      {shown && shown.otherImages.length > 0 && (
        <ul aria-label={t("email.more")} className="flex flex-wrap gap-2">
          {shown.otherImages.map((url) => (
            <li key={url}>
              <img
                src={url}
                alt={t("picture")}
                className="h-40 max-w-full rounded-menu border border-line object-contain"
              />
            </li>
          ))}
        </ul>
      )}
      {mail.is_cut && <p className="text-meta text-muted">{t("email.cut")}</p>}
    </div>
  );
}

const remoteImage = (messageId: string, url: string): string =>
  `${ROOT}/app/api/messages/${encodeURIComponent(messageId)}/remote-image?url=${encodeURIComponent(url)}`;

/** Its page runs no script, and has a policy of its own (`http/pages/mail-frame-routes.ts`). */
function Frame({
  messageId,
  holdPosition,
  mail,
  isRemote,
  onShown,
}: Of & {
  mail: MailHtml;
  isRemote: boolean;
  onShown(email: HarmlessEmail): void;
}) {
  const stop = useRef(() => {});
  useEffect(() => () => stop.current(), []);
  return (
    <iframe
      title={t("email.frame")}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
      src={`${ROOT}/app/mail-frame${isRemote ? "?images=remote" : ""}`}
      onLoad={({ currentTarget }) => {
        const page = currentTarget.contentWindow;
        if (!page) return;
        stop.current();
        holdPosition();
        const remote = isRemote ? (url: string) => remoteImage(messageId, url) : undefined;
        const email = harmlessEmail(page as Window & typeof globalThis, mail, remote);
        stop.current = fill(currentTarget, email, holdPosition);
        onShown(email);
      }}
      className="h-40 w-full rounded-menu border border-line bg-white"
    />
  );
}

/** Puts the email into its page; the frame's height then follows it, until the returned function is called. */
function fill(frame: HTMLIFrameElement, { content }: HarmlessEmail, holdPosition: () => void): () => void {
  const page = frame.contentDocument;
  if (!page?.head) return () => {};
  page.head.append(...content.querySelectorAll("head style"));
  const body = content.querySelector("body");
  if (body) page.body.replaceWith(body);
  const dir = content.getAttribute("dir");
  if (dir) page.documentElement.setAttribute("dir", dir);
  const adjust = () => {
    const height = Math.max(page.documentElement.offsetHeight, page.body.scrollHeight);
    const next = `${Math.min(height + FRAME_BORDERS, HEIGHT_MAX)}px`;
    if (frame.style.height === next) return;
    holdPosition();
    frame.style.height = next;
  };
  const observer = new ResizeObserver(adjust);
  observer.observe(page.documentElement);
  observer.observe(page.body);
  adjust();
  return () => observer.disconnect();
}

const FRAME_BORDERS = 2;
