/**
 * Articles before the first message: a search, up to three that fit what the visitor types, and the one that they read. A script
 * of its own with its style, loaded where a widget suggests articles. It must not import what keeps state.
 */
import type { ArticlePart, ArticleToRead, SuggestedArticle, TextPiece } from "@frontdesk/client/visitor";
import css from "./articles.css";
import type { Child } from "./draw.ts";
import type { Parts } from "./frame-state.ts";
import { icon } from "./icons.tsx";
import { link } from "./link.tsx";

/** The debounce before a search. */
const PAUSE_MS = 400;
/** `SEARCH_MAX` of the contract. */
const SEARCH_MAX = 255;
const SEARCH_MIN = 2;
const BACK = "M12 5l-5 5 5 5";

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);

/** What the visitor has typed in the search field. */
let typed = "";
/** What was searched last, and what it has found; undefined while it runs. */
let searched = "";
let found: readonly SuggestedArticle[] | undefined = [];
let pause: ReturnType<typeof setTimeout> | undefined;
let reading: ArticleToRead | undefined;
let isUnreachable = false;
/** What the button says that leaves an article which was opened from a conversation. */
let leave: string | undefined;
/** What was pressed there. */
let opener: HTMLElement | undefined;

function Articles(parts: Parts): Child {
  const { config, frame, change } = parts;
  const texts = config.articles?.texts;
  if (!texts) return null;
  if (reading) return <Reader {...parts} />;
  if (frame.reading) return null;
  lookFor((typed || frame.draft).trim().slice(0, SEARCH_MAX), parts);
  return (
    <form class="articles" onSubmit={() => search(searched, parts)}>
      <input
        type="search"
        aria-label={texts.search}
        placeholder={texts.search}
        enterkeyhint="search"
        maxlength={SEARCH_MAX}
        value={typed}
        onInput={({ target }: { target: HTMLInputElement }) => {
          typed = target.value;
          change({});
        }}
      />
      {found && found.length > 0 && (
        <ul aria-label={texts.found}>
          {found.map(({ id, question }) => (
            <li key={id}>
              <button type="button" id={id} dir="auto" onClick={() => open(id, parts)}>
                {question}
              </button>
            </li>
          ))}
        </ul>
      )}
      <p role="status">{isUnreachable ? texts.unreachable : typed && found?.length === 0 && searched && texts.none}</p>
    </form>
  );
}

function Reader(parts: Parts) {
  const { question, answer } = reading as ArticleToRead;
  const texts = parts.config.articles?.texts;
  return (
    <article
      class="article"
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== "Escape") return;
        // Closes the article, not the whole chat.
        event.stopPropagation();
        close(parts);
      }}
    >
      <button type="button" class="text" onClick={() => close(parts)}>
        {icon(BACK)}
        {leave ?? texts?.leave}
      </button>
      <h2 tabindex="-1" dir="auto">
        {question}
      </h2>
      {answer.map(Part)}
      {leave === undefined && (
        <button type="button" class="again" onClick={() => document.querySelector("textarea")?.focus()}>
          {texts?.write}
        </button>
      )}
    </article>
  );
}

function Part(part: ArticlePart) {
  if (part.type === "list") {
    return (
      <ul>
        {part.items.map(({ depth, number, text }) => (
          <li
            dir="auto"
            {...(number !== undefined && { value: number })}
            class={[depth > 0 && "deep", number !== undefined && "numbered"].filter(Boolean).join(" ")}
          >
            {text.map(Piece)}
          </li>
        ))}
      </ul>
    );
  }
  const content = part.text.map(Piece);
  if (part.type === "heading") return <h3 dir="auto">{content}</h3>;
  return part.type === "code" ? <pre dir="ltr">{content}</pre> : <p dir="auto">{content}</p>;
}

const Piece = ({ text, href }: TextPiece) => (href ? link(href, text) : text);

/** Searches once the visitor pauses. */
function lookFor(text: string, parts: Parts): void {
  const query = text.length < SEARCH_MIN ? "" : text;
  if (query === searched) return;
  searched = query;
  clearTimeout(pause);
  pause = setTimeout(() => search(query, parts), query ? PAUSE_MS : 0);
}

async function search(query: string, { config, change }: Parts): Promise<void> {
  clearTimeout(pause);
  const answer = query
    ? await ask<{ articles: SuggestedArticle[] }>(config.widget, `?${new URLSearchParams({ q: query })}`)
    : undefined;
  if (query !== searched) return;
  found = answer?.articles ?? (query ? undefined : []);
  isUnreachable = false;
  change({ announcement: typed ? (found ?? []).map(({ question }) => question).join("\n") : "" });
}

/** Opens an article from a conversation; resolves to false when it is not there. `leaves`: the way back. */
async function openFromChat(id: string, parts: Parts, leaves: string): Promise<boolean> {
  opener = document.activeElement as HTMLElement;
  await open(id, parts, leaves);
  return reading !== undefined;
}

async function open(id: string, { config, change }: Parts, leaves?: string): Promise<void> {
  const answer = await ask<{ article: ArticleToRead }>(config.widget, `/${id}`);
  reading = answer?.article;
  isUnreachable = !reading;
  leave = leaves;
  change({ reading: !!reading && leaves !== undefined });
  // Once it is drawn.
  if (reading) {
    setTimeout(() => {
      const title = document.querySelector<HTMLElement>(".article h2");
      title?.focus({ preventScroll: true });
      title?.closest(".log")?.scrollTo(0, 0);
    });
  }
}

function close({ change }: Parts): void {
  const id = reading?.id ?? "";
  reading = undefined;
  change({ reading: false });
  // Once it is drawn.
  setTimeout(() => (leave === undefined ? document.getElementById(id) : opener)?.focus());
}

/** Undefined when there is no answer: the chat goes on without articles. */
async function ask<Answer>(widget: string, path: string): Promise<Answer | undefined> {
  try {
    const response = await fetch(`../visitor/${widget}/articles${path}`);
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}

export default { Articles, openFromChat };
