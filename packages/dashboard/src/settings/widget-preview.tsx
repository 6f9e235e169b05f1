import { inkOn, mix, readableOn } from "@frontdesk/core/domain/readable-color";
import type { WidgetLanguage } from "@frontdesk/core/domain/widget-settings";
import { MessageCircle, Send } from "lucide-react";
import { t } from "../texts/texts.ts";
import { cx } from "../ui/class-names.ts";

const GROUND = "#ffffff";

/** How the widget will look on a page, while it is being set: drawn here, so that nothing has to be stored to see it. */
export function WidgetPreview({
  color,
  position,
  teamName,
  greeting,
}: {
  color: string;
  position: "end" | "start";
  teamName: string;
  greeting: { title: string; text: string } | undefined;
  language?: WidgetLanguage;
}) {
  const valid = /^#[0-9a-f]{6}$/.test(color) ? color : "#4f46e5";
  const ink = inkOn(valid);
  return (
    <div
      role="img"
      aria-label={t("widget.preview")}
      className="relative h-96 overflow-hidden rounded-card border border-line bg-app"
    >
      <div className="flex h-8 items-center gap-1.5 border-line border-b px-3">
        {["a", "b", "c"].map((dot) => (
          <span key={dot} className="size-2.5 rounded-full bg-active" />
        ))}
      </div>
      <div className="space-y-3 p-6">
        {[40, 90, 75, 82].map((width) => (
          <div key={width} className="h-3 rounded-tag bg-active" style={{ width: `${width / 2}%` }} />
        ))}
      </div>
      <div
        className={cx(
          "absolute bottom-4 flex w-64 flex-col gap-3",
          position === "end" ? "end-4 items-end" : "start-4 items-start",
        )}
      >
        <div className="w-full overflow-hidden rounded-bubble bg-[#fff] text-[#17181c] shadow-dialog">
          <div className="p-4" style={{ backgroundColor: valid, color: ink }}>
            <p className="font-semibold">{teamName}</p>
            <p className="text-meta">{t("widget.previewOnline")}</p>
          </div>
          <div className="space-y-2 p-4">
            <p className="font-semibold text-message">{greeting?.title || t("widget.previewTitle")}</p>
            <p className="text-[#545963]">{greeting?.text || t("widget.previewText")}</p>
            <p
              className="ms-auto w-fit rounded-bubble px-3 py-1.5"
              style={{ backgroundColor: mix(valid, GROUND, 0.88) }}
            >
              {t("widget.previewMessage")}
            </p>
          </div>
          <div className="flex items-center justify-between border-[#e2e3e8] border-t px-4 py-2.5 text-[#626773]">
            {t("composer.replyPlaceholder").split("…")[0]} …
            <Send size={16} style={{ color: readableOn(GROUND, valid) }} aria-hidden="true" />
          </div>
        </div>
        <span
          className="flex size-12 items-center justify-center rounded-full shadow-menu"
          style={{ backgroundColor: valid, color: ink }}
        >
          <MessageCircle size={22} aria-hidden="true" />
        </span>
      </div>
    </div>
  );
}
