import type { ChatState } from "@frontdesk/client/visitor";
import { isEmojiOnly, linkedText } from "@frontdesk/client/visitor";
import { Avatar } from "./avatar.tsx";
import type { Child } from "./draw.ts";
import type { Parts } from "./frame-state.ts";
import { fileIcon, icon } from "./icons.tsx";
import { link } from "./link.tsx";

/** A message, sent or waiting. `id` stays the same after sending. */
export interface Line {
  id: string;
  by_ai?: boolean | undefined;
  at: number;
  content: string;
  attachments: readonly { url: string; name?: string | null; mime?: string | null; size?: number | null }[];
  /** Null for the visitor's own. */
  agent: { id: string; name: string | null; photo_url: string | null } | null;
  from: "visitor" | "agent";
  /** An agent has read it, and no later message of the visitor. */
  seen?: boolean;
  waiting?: ChatState["outbox"][number];
}

/** A message unconfirmed for this long is shown as waiting for the network, even if the browser is online. */
const SLOW_MS = 8_000;

export function Message({
  config,
  t,
  time,
  size,
  chat,
  reachable,
  line: { id, at, content, attachments, agent, from, seen, waiting, by_ai },
  first,
  last,
  children,
}: Parts & { line: Line; first: boolean; last: boolean; children: Child }) {
  const own = from === "visitor";
  const name = agent?.name ?? config.team;
  const sending = reachable && waiting && Date.now() - waiting.written_at < SLOW_MS;
  return (
    <div
      key={id}
      class={["message", own && "own", first && "first", last && "last", waiting && "waiting"]
        .filter(Boolean)
        .join(" ")}
    >
      {!own && last && <Avatar name={name} photo={agent?.photo_url ?? null} ai={by_ai} />}
      <p class={first && !own ? "who" : "aside"} dir="auto">
        {own ? t.$you : name}
        {by_ai && [" ", <b class="ai">{t.$aiLabel}</b>]}
      </p>
      {content && (
        <p class={isEmojiOnly(content) ? "bubble emoji" : "bubble"} dir="auto">
          {linkedText(content).map(({ text, href }) => (href ? link(href, text) : text))}
        </p>
      )}
      {!content && !attachments.length && (
        <p class="bubble">
          <em>{t.$redacted}</em>
        </p>
      )}
      {attachments.map(({ url, name, mime, size: bytes }) =>
        isPicture(url, mime) ? (
          <p class="picture">{link(url, <img src={url} alt={name ?? ""} loading="lazy" />)}</p>
        ) : (
          <p class="bubble">
            {link(url, [icon(fileIcon), <bdi>{name ?? url}</bdi>])} {bytes && <small>{size(bytes)}</small>}
          </p>
        ),
      )}
      {children}
      {waiting?.refused ? (
        <p class="meta wrong" role="alert">
          {t.$failed}
          <button type="button" class="text" onClick={() => chat.retry(id)}>
            {t.$retry}
          </button>
          <button type="button" class="text" onClick={() => chat.discard(id)}>
            {t.$discard}
          </button>
        </p>
      ) : (
        last && (
          <p class="meta">
            {waiting ? (sending ? t.$sending : t.$waiting) : time(at)}
            {seen && ` · ${t.$seen}`}
          </p>
        )
      )}
    </div>
  );
}

/** Images are shown; one on another server is loaded only on a click. */
function isPicture(url: string, mime: string | null | undefined): boolean {
  return /^image.(png|jpeg|gif|webp|avif)$/.test(mime ?? "") && url.startsWith(`${location.origin}/`);
}
