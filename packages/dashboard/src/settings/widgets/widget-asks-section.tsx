import { askings } from "@frontdesk/core/domain/widget-settings";
import { t } from "../../texts/texts.ts";
import { Section } from "../../ui/page.tsx";
import { Switch } from "../../ui/switch.tsx";
import { MailOff } from "../mail-off.tsx";
import { WidgetChoice } from "./widget-choice.tsx";
import type { SettingsEdit } from "./widget-settings-edit.ts";

/** What visitors are asked: before the chat, and after it. */
export function WidgetAsksSection({ settings, set }: SettingsEdit) {
  return (
    <Section title={t("widget.asks")}>
      <MailOff text={t("mail.offWidget")} />
      <div className="flex max-w-sm flex-col gap-4">
        <WidgetChoice
          label={t("widget.askName")}
          value={settings.ask_name}
          among={askings}
          onChange={(ask_name) => set({ ask_name })}
        />
        <WidgetChoice
          label={t("widget.askEmail")}
          value={settings.ask_email}
          among={askings}
          onChange={(ask_email) => set({ ask_email })}
        />
        <Switch
          label={t("widget.askRating")}
          checked={settings.ask_rating}
          onChange={(ask_rating) => set({ ask_rating })}
        />
        <Switch
          label={t("widget.suggestArticles")}
          hint={t("widget.suggestArticlesHint")}
          checked={settings.suggest_articles}
          onChange={(suggest_articles) => set({ suggest_articles })}
        />
      </div>
    </Section>
  );
}
