import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Check, ExternalLink, MessageCircle } from "lucide-react";
import { type ReactNode, useState } from "react";
import { queryOf } from "../inbox/inbox-search.ts";
import { useInboxList } from "../inbox/live-inbox.ts";
import { useMe } from "../service/me.ts";
import { queries } from "../service/queries.ts";
import { rest } from "../service/rest.ts";
import { usePageTitle } from "../shell/page-title.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { ColorField } from "../ui/color-field.tsx";
import { CodeToCopy } from "../ui/copy-button.tsx";
import { Field, TextInput } from "../ui/field.tsx";
import { problemText } from "../ui/problem-text.ts";
import { showProblem } from "../ui/toast.ts";
import { NoWidget } from "./widgets/add-widget.tsx";
import { WidgetPreview } from "./widgets/widget-preview.tsx";
import { WidgetSeen } from "./widgets/widget-seen.tsx";
import { demoAddress, widgetSnippet } from "./widgets/widget-snippet.ts";
import { firstWidgetQuery } from "./widgets/widgets-query.ts";

const EVERYTHING = queryOf({ view: "all" });
/** Polling interval until a page has loaded the widget. */
const LOOK_EVERY_MS = 2_500;

/** The first run: how the widget looks, where it is placed, and its first message. No step needs a manual. */
export function StartPage() {
  const { team } = useMe();
  const { data: widget } = useQuery({
    ...firstWidgetQuery,
    refetchInterval: ({ state }) => (state.data?.attributes.first_seen_at === null ? LOOK_EVERY_MS : false),
  });
  const { conversations } = useInboxList(EVERYTHING);
  const [changed, setChanged] = useState<{ name?: string; color?: string }>({});
  const [step, setStep] = useState(0);
  usePageTitle("screen", t("nav.start"));
  if (widget === null) return <NoWidget />;
  if (!widget) return null;
  const name = changed.name ?? widget.attributes.name ?? "";
  const color = changed.color ?? widget.attributes.settings.color;
  const [first] = conversations;

  const save = async () => {
    try {
      const body = { name: name.trim() || t("start.website"), settings: { color } };
      const { data } = await rest.updateWidget({ params: { widget: widget.id }, body });
      queries.setQueryData(firstWidgetQuery.queryKey, data);
      setStep(1);
    } catch (error) {
      showProblem(problemText(error));
    }
  };
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto grid max-w-5xl gap-10 px-4 py-10 lg:grid-cols-[1fr_22rem] lg:px-8">
        <div>
          <h1 className="font-semibold text-welcome">{t("start.title", { team: team.name })}</h1>
          <p className="mt-1 text-muted">{t("start.text")}</p>
          <ol className="mt-8 flex flex-col">
            <Step number={1} title={t("start.look")} state={step > 0 ? "done" : "now"} onOpen={() => setStep(0)}>
              <div className="flex flex-col gap-4">
                <Field label={t("widget.name")} hint={t("widget.nameHint")}>
                  <TextInput
                    value={name}
                    onValueChange={(next) => setChanged({ ...changed, name: String(next) })}
                    className="max-w-sm"
                  />
                </Field>
                <ColorField
                  label={t("widget.color")}
                  value={color}
                  onChange={(next) => setChanged({ ...changed, color: next })}
                />
                <Button look="primary" className="self-start" onClick={save}>
                  {t("next")}
                </Button>
              </div>
            </Step>
            <Step
              number={2}
              title={t("start.place")}
              state={step > 1 ? "done" : step === 1 ? "now" : "later"}
              onOpen={() => setStep(1)}
            >
              <p className="mb-3 text-muted">{t("start.placeText")}</p>
              <CodeToCopy label={t("start.place")} text={widgetSnippet(widget.id)} />
              <WidgetSeen widget={widget} />
              <Button className="mt-4" onClick={() => setStep(2)}>
                {t("next")}
              </Button>
            </Step>
            <Step
              number={3}
              title={t("start.try")}
              state={first ? "done" : step === 2 ? "now" : "later"}
              onOpen={() => setStep(2)}
              last
            >
              <p className="mb-3 text-muted">{t("start.tryText")}</p>
              <a
                href={demoAddress(widget.id)}
                target="_blank"
                rel="noreferrer"
                className="inline-flex h-9 items-center gap-2 rounded-control border border-line px-4 font-medium hover:bg-hover"
              >
                <ExternalLink size={14} aria-hidden="true" />
                {t("start.demo")}
              </a>
              <Waiting first={first} />
            </Step>
          </ol>
          <p className="border-line border-t pt-4 text-muted">
            {t("settings.developer")}:{" "}
            <Link to="/settings/$part" params={{ part: "api-keys" }} className="text-accent-text underline">
              {t("apiKeys.title")}
            </Link>
          </p>
        </div>
        <div className="lg:sticky lg:top-10 lg:self-start">
          <WidgetPreview
            color={color}
            position={widget.attributes.settings.position}
            teamName={team.name}
            greeting={widget.attributes.settings.greetings.en}
          />
        </div>
      </div>
    </div>
  );
}

/** Turns green with the first message, without a reload. */
function Waiting({ first }: { first: { id: string; last_message: { content: string } | null } | undefined }) {
  return (
    <div
      role="status"
      className={cx(
        "mt-4 flex items-center gap-3 rounded-control border p-3",
        first ? "border-success text-success" : "border-line text-muted",
      )}
    >
      {first ? (
        <Check size={16} aria-hidden="true" />
      ) : (
        <MessageCircle size={16} className="animate-pulse" aria-hidden="true" />
      )}
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {first ? t("start.came", { text: first.last_message?.content ?? "" }) : t("start.waiting")}
      </span>
      {first && (
        <Link
          to="/inbox/$conversationId"
          params={{ conversationId: first.id }}
          className="shrink-0 rounded-control bg-accent px-3 py-1.5 font-medium text-on-accent hover:bg-accent-hover"
        >
          {t("start.answer")}
        </Link>
      )}
    </div>
  );
}

function Step({
  number,
  title,
  state,
  last,
  onOpen,
  children,
}: {
  number: number;
  title: string;
  state: "done" | "now" | "later";
  last?: boolean;
  onOpen(): void;
  children: ReactNode;
}) {
  const open = state === "now" || (last && state === "done");
  return (
    <li
      className={cx(
        "relative ps-11 pb-8",
        !last && "before:absolute before:start-3.5 before:top-8 before:bottom-0 before:w-px before:bg-line",
      )}
    >
      <span
        aria-hidden="true"
        className={cx(
          "numbers absolute start-0 top-0 flex size-7 items-center justify-center rounded-full font-semibold",
          state === "done" && "bg-success text-surface",
          state === "now" && "bg-accent text-on-accent",
          state === "later" && "bg-active text-muted",
        )}
      >
        {state === "done" ? <Check size={14} strokeWidth={3} /> : number}
      </span>
      <h2>
        <button
          type="button"
          aria-expanded={open}
          onClick={onOpen}
          className="flex h-7 items-center font-semibold text-message"
        >
          {title}
        </button>
      </h2>
      {open && <div className="mt-3">{children}</div>}
    </li>
  );
}
