/**
 * What belongs to a conversation with the AI, besides the label of its messages: the line that says so, the sources of its
 * answers, and the way to a person. A script of its own with its style and texts. It must not import what keeps state.
 */
import type { ChatState } from "@frontdesk/client/visitor";
import { standingDraft } from "@frontdesk/client/visitor";
import ar from "../languages/ai/ar.json" with { type: "json" };
import de from "../languages/ai/de.json" with { type: "json" };
import en from "../languages/ai/en.json" with { type: "json" };
import es from "../languages/ai/es.json" with { type: "json" };
import fr from "../languages/ai/fr.json" with { type: "json" };
import hi from "../languages/ai/hi.json" with { type: "json" };
import ja from "../languages/ai/ja.json" with { type: "json" };
import pt from "../languages/ai/pt-BR.json" with { type: "json" };
import ru from "../languages/ai/ru.json" with { type: "json" };
import zh from "../languages/ai/zh-CN.json" with { type: "json" };
import css from "./ai.css";
import type { Parts } from "./frame-state.ts";
import { link } from "./link.tsx";
import type { Line } from "./message.tsx";

type Message = ChatState["messages"][number];
type Source = NonNullable<Message["sources"]>[number];

const languages: Record<string, typeof en> = { ar, de, en, es, fr, hi, ja, "pt-BR": pt, ru, "zh-CN": zh };
/** Screen readers announce changes of a region only if they have seen it before. */
const ANNOUNCE_MS = 200;

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);

let isHelloSaid = false;
/** What was pressed and is not answered yet, and what could not be sent. */
let asking: "person" | "helped" | undefined;
let failed: typeof asking;
/** The answer that has helped: its id. */
let thanked = "";
/** Articles that could not be opened here: ids. */
const closed = new Set<string>();

const textsOf = ({ config }: Parts) => languages[config.language] ?? en;

/** Says with whom the visitor chats, from the first look on. */
function Hello(parts: Parts) {
  const { config, state, fill, frame, change } = parts;
  const spoke = state.messages.findLast(({ by_ai }) => by_ai);
  if (!spoke && !answers(parts)) return null;
  const hello = fill(textsOf(parts).hello, { name: spoke?.agent?.name ?? config.ai?.name ?? config.team });
  if (frame.open && !isHelloSaid) {
    isHelloSaid = true;
    setTimeout(() => change({ announcement: [hello, frame.announcement].filter(Boolean).join("\n") }), ANNOUNCE_MS);
  }
  return (
    <p class="hello" dir="auto">
      {hello}
    </p>
  );
}

/** Whether it is the AI that answers what the visitor writes now, as far as the page knows. */
function answers({ config: { ai }, state: { conversation }, open, here }: Parts): boolean {
  if (conversation) return conversation.speaker === "ai";
  if (ai?.when === "outside-hours") return !open;
  return ai?.when === "nobody-online" ? !here : !!ai;
}

/** What it is about to say, in the place of its message */
function draftLines(state: ChatState): Line[] | undefined {
  const draft = standingDraft(state.draft, state.conversation, state.messages.at(-1)?.sort_number ?? 0);
  if (!draft) return undefined;
  const { text, agent } = draft;
  return [
    {
      ...{ id: "draft", content: `${text} …`, attachments: [], agent, from: "agent", by_ai: true },
      at: Date.now(),
    },
  ];
}

/** Below an answer: the articles that it is taken from, and below the newest one whether it helped. */
function Sources(parts: Parts & { id: string }) {
  const { state, id } = parts;
  const texts = textsOf(parts);
  const { messages, outbox, conversation } = state;
  const message = messages.find((each) => (each.client_id ?? each.id) === id);
  const { sources } = message ?? {};
  if (!message || !sources) return null;
  const isNewest = message === messages.at(-1) && outbox.length === 0;
  return [
    <ul class="sources" aria-label={texts.sources}>
      {sources.map((source, place) => (
        <li key={place} dir="auto">
          <Cited {...parts} source={source} />
        </li>
      ))}
    </ul>,
    isNewest && conversation?.speaker === "ai" && !conversation.is_resolved && (
      <p class="helped">
        {thanked === id ? (
          parts.t.$thanks
        ) : (
          <button type="button" class="text" aria-disabled={asking === "helped"} onClick={() => help(id, parts)}>
            {texts.helped}
          </button>
        )}
        <Failed {...parts} what="helped" />
      </p>
    ),
  ];
}

/** The article here, else its address, else its title. */
function Cited({ source, ...parts }: Parts & { source: Source }) {
  const { title, url, article_id } = source;
  const articles = article_id && !closed.has(article_id) && parts.onDemand?.articlesScript(parts);
  if (!articles) return url ? link(url, title) : title;
  return (
    <button
      type="button"
      onClick={async () => {
        if (await articles.openFromChat(article_id, parts, textsOf(parts).leave)) return;
        closed.add(article_id);
        parts.change({});
      }}
    >
      {title}
    </button>
  );
}

/** The way to a person, at all times while the AI speaks; then what comes next. */
function Person(parts: Parts) {
  const { state, back } = parts;
  const texts = textsOf(parts);
  const speaker = state.conversation?.is_resolved ? "human" : state.conversation?.speaker;
  if (speaker === "waiting") return <p class="person">{[texts.handed, back].filter(Boolean).join(" ")}</p>;
  if (speaker !== "ai") return null;
  return (
    <p class="person">
      <button type="button" class="text" aria-disabled={asking === "person"} onClick={() => send("person", parts)}>
        {texts.person}
      </button>
      <Failed {...parts} what="person" />
    </p>
  );
}

function Failed({ what, ...parts }: Parts & { what: typeof asking }) {
  return (
    failed === what && (
      <span class="problem" role="alert">
        {textsOf(parts).failed}
      </span>
    )
  );
}

/** The owner may have chosen that it does not resolve the conversation. */
async function help(id: string, parts: Parts): Promise<void> {
  if (!(await send("helped", parts))) return;
  thanked = id;
  parts.change({ announcement: parts.t.$thanks });
}

/** Whether it was sent. */
async function send(what: "person" | "helped", parts: Parts): Promise<boolean> {
  const { chat, change } = parts;
  if (asking) return false;
  [asking, failed] = [what, undefined];
  change({});
  const isSent = await (what === "person" ? chat.askForPerson() : chat.confirmHelped());
  asking = undefined;
  if (!isSent) failed = what;
  change(isSent && what === "person" ? { announcement: textsOf(parts).handed } : {});
  return isSent;
}

export default { answers, Hello, draftLines, Sources, Person };
