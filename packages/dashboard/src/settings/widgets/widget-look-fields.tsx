import { contrast, inkOn } from "@frontdesk/core/domain/readable-color";
import {
  type WidgetLanguage,
  widgetLanguages,
  widgetPositions,
  widgetThemes,
} from "@frontdesk/core/domain/widget-settings";
import { nameOfLanguage, t } from "../../texts/texts.ts";
import { ColorField } from "../../ui/color-field.tsx";
import { Field, Select, TextArea, TextInput } from "../../ui/field.tsx";
import { WidgetChoice } from "./widget-choice.tsx";
import type { SettingsEdit } from "./widget-settings-edit.ts";

/** The contrast from which on text is readable. */
const READABLE = 4.5;

/** The widget's appearance, and its greeting in each language. */
export function WidgetLookFields({
  settings,
  set,
  problemOf,
  speaking,
  onSpeak,
}: SettingsEdit & {
  /** The language of the shown greeting. */
  speaking: WidgetLanguage;
  onSpeak(language: WidgetLanguage): void;
}) {
  const { color, position, theme, greetings } = settings;
  const isColor = /^#[0-9a-f]{6}$/.test(color);
  const hard = isColor && contrast(inkOn(color), color) < READABLE;
  const greeting = greetings[speaking] ?? { title: "", text: "" };
  const greet = (change: Partial<typeof greeting>) => {
    const next = { ...greeting, ...change };
    const { [speaking]: _, ...others } = greetings;
    set({ greetings: next.title || next.text ? { ...others, [speaking]: next } : others });
  };
  return (
    <>
      <ColorField
        label={t("widget.color")}
        value={color}
        problem={problemOf("color")}
        onChange={(next) => set({ color: next })}
      />
      {hard && <p className="text-warning">{t("widget.hardColor")}</p>}
      <WidgetChoice
        label={t("widget.position")}
        hint={t("widget.positionHint")}
        value={position}
        among={widgetPositions}
        onChange={(next) => set({ position: next })}
      />
      <WidgetChoice
        label={t("widget.theme")}
        value={theme}
        among={widgetThemes}
        onChange={(next) => set({ theme: next })}
      />
      <Field label={t("widget.greetingIn")}>
        <Select value={speaking} onChange={({ target }) => onSpeak(target.value as WidgetLanguage)}>
          {widgetLanguages.map((each) => (
            <option key={each} value={each}>
              {nameOfLanguage(each)}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={t("widget.greetingTitle")} problem={problemOf("greetings")}>
        <TextInput
          dir="auto"
          value={greeting.title}
          placeholder={t("widget.previewTitle")}
          onValueChange={(title) => greet({ title: String(title) })}
        />
      </Field>
      <Field label={t("widget.greetingText")}>
        <TextArea
          dir="auto"
          value={greeting.text}
          placeholder={t("widget.previewText")}
          onChange={({ target }) => greet({ text: target.value })}
        />
      </Field>
    </>
  );
}
