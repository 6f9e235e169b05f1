import type { BusinessHours } from "@frontdesk/core/domain/business-hours";
import { inkOn, mix } from "@frontdesk/core/domain/readable-color";
import type { Asking, WidgetSettings } from "@frontdesk/core/domain/widget-settings";
import { Search } from "lucide-react";
import { useState } from "react";
import { useMe } from "../../service/me.ts";
import { locale, t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { hoursNow } from "./hours-now.ts";
import { emojiIcon, fileIcon, launcherIcon, sendIcon } from "./widget-icons.ts";

/**
 * The widget's own colors (`packages/widget/src/frame/frame.css`): a preview shows the visitor's colors, not the dashboard's.
 */
const LOOKS = {
  light: { ground: "#ffffff", ink: "#17181c", muted: "#545963", line: "#e2e3e8", page: "#f6f6f8", bar: "#e8e9ee" },
  dark: { ground: "#15171b", ink: "#edeef0", muted: "#a6abb6", line: "#2a2e36", page: "#0e0f12", bar: "#272b33" },
} as const;

/** The share of the background in the color of the visitor's bubbles. */
const SOFT = 0.88;
const BARS = [40, 90, 75, 82];

/**
 * A preview of the widget on a page, rendered here so that nothing has to be stored first. With hours and questions given, it
 * shows the current state within or outside of the hours.
 */
export function WidgetPreview({
  color,
  position,
  theme = "auto",
  teamName,
  greeting,
  hours = null,
  asks,
}: Pick<WidgetSettings, "color" | "position"> & {
  theme?: WidgetSettings["theme"];
  teamName: string;
  greeting: { title: string; text: string } | undefined;
  hours?: BusinessHours | null;
  /** What visitors are asked and offered; without it, only the appearance is shown. */
  asks?: { name: Asking; email: Asking; articles: boolean };
}) {
  const now = hours && hoursNow(hours);
  const [chosen, setChosen] = useState<boolean>();
  const here = chosen ?? now?.open ?? true;
  const accent = /^#[0-9a-f]{6}$/.test(color) ? color : "#4f46e5";
  const dark = theme === "dark" || (theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  const look = LOOKS[dark ? "dark" : "light"];
  const { sends_mail } = useMe();
  const awayText = sends_mail ? t("hours.awayText") : t("hours.awayTextWithoutMail");
  // Outside of the hours the visitor is asked for an e-mail, for the answer.
  const email = asks && (asks.email === "no" && !here && sends_mail ? "optional" : asks.email);
  return (
    <div className="flex flex-col gap-2">
      <div
        role="img"
        aria-label={t("widget.preview")}
        data-here={here}
        className="relative h-112 overflow-hidden rounded-card border border-line"
        style={{ backgroundColor: look.page, color: look.ink }}
      >
        <div className="flex h-8 items-center gap-1.5 border-b px-3" style={{ borderColor: look.line }}>
          {["a", "b", "c"].map((dot) => (
            <span key={dot} className="size-2.5 rounded-full" style={{ backgroundColor: look.bar }} />
          ))}
        </div>
        <div className="space-y-3 p-6">
          {BARS.map((width) => (
            <div
              key={width}
              className="h-3 rounded-tag"
              style={{ width: `${width / 2}%`, backgroundColor: look.bar }}
            />
          ))}
        </div>
        <div
          className={cx(
            "absolute bottom-4 flex w-64 max-w-[calc(100%-2rem)] flex-col gap-3",
            position === "end" ? "end-4 items-end" : "start-4 items-start",
          )}
        >
          <div
            className="w-full overflow-hidden rounded-bubble shadow-dialog outline-1"
            style={{ backgroundColor: look.ground, outlineColor: look.line }}
          >
            <div className="p-4" style={{ backgroundColor: accent, color: inkOn(accent) }}>
              <p dir="auto" className="aligned truncate font-semibold">
                {teamName}
              </p>
              <p className="text-meta">
                {here ? t("widget.previewOnline") : (backLine(now?.opens) ?? t("hours.away"))}
              </p>
            </div>
            <div className="space-y-2 p-4">
              <p dir="auto" className="aligned font-semibold text-message wrap-anywhere">
                {greeting?.title || t("widget.previewTitle")}
              </p>
              <p dir="auto" className="aligned wrap-anywhere" style={{ color: look.muted }}>
                {here ? greeting?.text || t("widget.previewText") : awayText}
              </p>
              {asks?.articles && <SearchBox look={look} />}
              {asks && asks.name !== "no" && <Asked label={t("name")} asking={asks.name} look={look} />}
              {email && email !== "no" && <Asked label={t("email")} asking={email} look={look} />}
              {!asks && (
                <p
                  className="ms-auto w-fit rounded-bubble px-3 py-1.5"
                  style={{ backgroundColor: mix(accent, look.ground, SOFT) }}
                >
                  {t("widget.previewMessage")}
                </p>
              )}
            </div>
            <PreviewField look={look} accent={accent} />
          </div>
          <span
            className="flex size-14 items-center justify-center rounded-full shadow-menu"
            style={{ backgroundColor: accent, color: inkOn(accent) }}
          >
            <Icon line={launcherIcon} of={24} size={26} />
          </span>
        </div>
      </div>
      {asks && (
        <fieldset aria-label={t("hours.shown")} className="flex gap-1">
          {[true, false].map((each) => (
            <Button
              key={String(each)}
              look="quiet"
              size="compact"
              aria-pressed={here === each}
              className="flex-1 aria-pressed:bg-active aria-pressed:text-ink"
              onClick={() => setChosen(each)}
            >
              {each ? t("hours.shownHere") : t("hours.shownAway")}
            </Button>
          ))}
        </fieldset>
      )}
    </div>
  );
}

/** The field for a message, and its buttons. */
function PreviewField({ look, accent }: { look: { line: string; muted: string }; accent: string }) {
  return (
    <div
      className="flex items-center gap-2 border-t py-2 ps-4 pe-2"
      style={{ borderColor: look.line, color: look.muted }}
    >
      <span className="min-w-0 flex-1 truncate">{t("widget.previewPlaceholder")}</span>
      <Icon line={emojiIcon} />
      <Icon line={fileIcon} />
      <span
        className="flex size-7 items-center justify-center rounded-full"
        style={{ backgroundColor: accent, color: inkOn(accent) }}
      >
        <Icon line={sendIcon} />
      </span>
    </div>
  );
}

/** A line icon as the widget draws it. @param of the size of its drawing @param size in px */
function Icon({ line, of = 20, size = 18 }: { line: string; of?: number; size?: number }) {
  return (
    <svg
      viewBox={`0 0 ${of} ${of}`}
      width={size}
      height={size}
      className="shrink-0 fill-none stroke-current stroke-[1.7]"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={line} />
    </svg>
  );
}

function SearchBox({ look }: { look: { line: string; muted: string } }) {
  return (
    <p
      className="flex items-center gap-2 rounded-control border px-2.5 py-1.5 text-meta"
      style={{ borderColor: look.line, color: look.muted }}
    >
      <Search size={14} aria-hidden="true" />
      {t("widget.previewSearch")}
    </p>
  );
}

function Asked({ label, asking, look }: { label: string; asking: Asking; look: { line: string; muted: string } }) {
  return (
    <p className="rounded-control border px-2.5 py-1.5 text-meta" style={{ borderColor: look.line, color: look.muted }}>
      {label}
      {asking === "optional" && ` (${t("hours.optional")})`}
    </p>
  );
}

/** @param opens local time of the team, in ms as if it were UTC */
function backLine(opens: number | undefined): string | undefined {
  if (opens === undefined) return undefined;
  const when = new Intl.DateTimeFormat(locale, { ...WHEN, timeZone: "UTC" }).format(opens);
  return t("hours.back", { when });
}

const WHEN = { weekday: "long", hour: "numeric", minute: "2-digit" } as const;
