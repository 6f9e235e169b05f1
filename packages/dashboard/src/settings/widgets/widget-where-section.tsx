import { t } from "../../texts/texts.ts";
import { Lines } from "../../ui/lines.tsx";
import { Section } from "../../ui/page.tsx";
import type { SettingsEdit } from "./widget-settings-edit.ts";

/** Which pages may show the widget, and which custom data they may set. */
export function WidgetWhereSection({ settings, set, problemOf }: SettingsEdit) {
  return (
    <Section title={t("widget.where")}>
      <div className="flex flex-col gap-4">
        <Lines
          label={t("widget.sites")}
          hint={t("widget.sitesHint")}
          value={settings.sites}
          problem={problemOf("sites")}
          onChange={(sites) => set({ sites })}
        />
        <Lines
          label={t("widget.pageFields")}
          hint={t("widget.pageFieldsHint")}
          value={settings.page_fields}
          problem={problemOf("page_fields")}
          onChange={(page_fields) => set({ page_fields })}
        />
      </div>
    </Section>
  );
}
