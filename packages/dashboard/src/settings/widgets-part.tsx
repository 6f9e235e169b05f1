import { contrast, inkOn } from "@frontdesk/core/domain/readable-color";
import {
  askings,
  type WidgetLanguage,
  type WidgetSettings,
  widgetLanguages,
  widgetPositions,
  widgetThemes,
} from "@frontdesk/core/domain/widget-settings";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { ExternalLink, Plus } from "lucide-react";
import { useState } from "react";
import { useMe } from "../service/me.ts";
import { queries } from "../service/queries.ts";
import { rest } from "../service/rest.ts";
import { language, nameOfLanguage, t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { ColorField } from "../ui/color-field.tsx";
import { CodeToCopy } from "../ui/copy-button.tsx";
import { Field, Select, TextArea, TextInput } from "../ui/field.tsx";
import { FormProblem, useForm } from "../ui/form.tsx";
import { Section } from "../ui/page.tsx";
import { problemText } from "../ui/problem-text.ts";
import { Switch } from "../ui/switch.tsx";
import { tell, tellProblem } from "../ui/toast.ts";
import { WidgetPreview } from "./widget-preview.tsx";
import { demoAddress, widgetSnippet } from "./widget-snippet.ts";
import { widgetsQuery } from "./widgets-query.ts";

/** From here on a text can be read well on a color. */
const READABLE = 4.5;

const widgetQuery = (id: string) =>
  queryOptions({
    queryKey: ["widget", id],
    queryFn: () => rest.getWidget({ params: { widget: id } }).then(({ data }) => data),
  });

/** Where visitors write from: how it looks, what it asks, and the line for one's pages. */
export function WidgetsPart() {
  const { data: widgets } = useQuery(widgetsQuery);
  const [chosen, setChosen] = useState<string>();
  const id = chosen ?? widgets?.[0]?.id;
  const add = async () => {
    try {
      const { data } = await rest.createWidget({ body: { name: t("widget.newName") } });
      await queries.invalidateQueries({ queryKey: widgetsQuery.queryKey });
      setChosen(data.id);
    } catch (error) {
      tellProblem(problemText(error));
    }
  };
  return (
    <>
      <div className="mb-6 flex flex-wrap items-end gap-3">
        <div className="w-64">
          <Field label={t("settings.widgets")}>
            <Select value={id ?? ""} onChange={({ target }) => setChosen(target.value)}>
              {widgets?.map((widget) => (
                <option key={widget.id} value={widget.id}>
                  {widget.attributes.name ?? widget.id}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        <Button size="large" onClick={add}>
          <Plus size={14} aria-hidden="true" />
          {t("widget.add")}
        </Button>
      </div>
      {id && <OneWidget key={id} id={id} />}
    </>
  );
}

function OneWidget({ id }: { id: string }) {
  const { data: widget } = useQuery(widgetQuery(id));
  return widget ? <WidgetForm id={id} name={widget.attributes.name ?? ""} was={widget.attributes.settings} /> : null;
}

function WidgetForm({ id, name: wasName, was }: { id: string; name: string; was: WidgetSettings }) {
  const { team } = useMe();
  const [name, setName] = useState(wasName);
  const [settings, setSettings] = useState(was);
  const [speaking, setSpeaking] = useState<WidgetLanguage>(language);
  const set = (change: Partial<WidgetSettings>) => setSettings((before) => ({ ...before, ...change }));
  const form = useForm(async () => {
    const { data } = await rest.updateWidget({ params: { widget: id }, body: { name, settings } });
    queries.setQueryData(widgetQuery(id).queryKey, data);
    await queries.invalidateQueries({ queryKey: widgetsQuery.queryKey });
    tell(t("saved"));
  });
  const problem = (field: keyof WidgetSettings) => form.problemOf(`settings.${field}`) ?? form.problemOf(field);
  const greeting = settings.greetings[speaking] ?? { title: "", text: "" };
  const isColor = /^#[0-9a-f]{6}$/.test(settings.color);
  const hard = isColor && contrast(inkOn(settings.color), settings.color) < READABLE;
  const greet = (change: Partial<typeof greeting>) => {
    const next = { ...greeting, ...change };
    const { [speaking]: _, ...others } = settings.greetings;
    set({ greetings: next.title || next.text ? { ...others, [speaking]: next } : others });
  };
  return (
    <form onSubmit={form.send}>
      <Section title={t("widget.looks")}>
        <div className="grid gap-8 lg:grid-cols-[1fr_20rem]">
          <div className="flex flex-col gap-4">
            <Field label={t("widget.name")} hint={t("widget.nameHint")} problem={form.problemOf("name")}>
              <TextInput value={name} required onValueChange={(next) => setName(String(next))} />
            </Field>
            <ColorField
              label={t("widget.color")}
              value={settings.color}
              problem={problem("color")}
              onChange={(color) => set({ color })}
            />
            {hard && <p className="text-warning">{t("widget.hardColor")}</p>}
            <Choice
              label={t("widget.position")}
              value={settings.position}
              among={widgetPositions}
              onChange={(position) => set({ position })}
            />
            <Choice
              label={t("widget.theme")}
              value={settings.theme}
              among={widgetThemes}
              onChange={(theme) => set({ theme })}
            />
            <Field label={t("widget.greetingIn")}>
              <Select value={speaking} onChange={({ target }) => setSpeaking(target.value as WidgetLanguage)}>
                {widgetLanguages.map((each) => (
                  <option key={each} value={each}>
                    {nameOfLanguage(each)}
                  </option>
                ))}
              </Select>
            </Field>
            <Field label={t("widget.greetingTitle")} problem={problem("greetings")}>
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
          </div>
          <WidgetPreview
            color={settings.color}
            position={settings.position}
            teamName={team.name}
            greeting={settings.greetings[speaking]}
          />
        </div>
      </Section>
      <Section title={t("widget.asks")}>
        <div className="flex max-w-sm flex-col gap-4">
          <Choice
            label={t("widget.askName")}
            value={settings.ask_name}
            among={askings}
            onChange={(ask_name) => set({ ask_name })}
          />
          <Choice
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
        </div>
      </Section>
      <Section title={t("widget.where")}>
        <div className="flex flex-col gap-4">
          <Lines
            label={t("widget.sites")}
            hint={t("widget.sitesHint")}
            value={settings.sites}
            problem={problem("sites")}
            onChange={(sites) => set({ sites })}
          />
          <Lines
            label={t("widget.pageFields")}
            hint={t("widget.pageFieldsHint")}
            value={settings.page_fields}
            problem={problem("page_fields")}
            onChange={(page_fields) => set({ page_fields })}
          />
        </div>
      </Section>
      <div className="sticky bottom-0 z-10 -mx-4 flex items-center gap-3 border-line border-t bg-surface px-4 py-3">
        <Button type="submit" look="primary" size="large" disabled={form.busy}>
          {t("save")}
        </Button>
        <a
          href={demoAddress(id)}
          target="_blank"
          rel="noreferrer"
          className="inline-flex items-center gap-2 text-accent-text hover:underline"
        >
          <ExternalLink size={14} aria-hidden="true" />
          {t("start.demo")}
        </a>
        <FormProblem text={form.problem} />
      </div>
      <Section title={t("start.place")} text={t("start.placeText")}>
        <CodeToCopy label={t("start.place")} text={widgetSnippet(id, settings.color)} />
      </Section>
    </form>
  );
}

function Choice<Value extends "end" | "start" | "auto" | "light" | "dark" | "no" | "optional" | "required">({
  label,
  value,
  among,
  onChange,
}: {
  label: string;
  value: Value;
  among: readonly Value[];
  onChange(value: Value): void;
}) {
  return (
    <Field label={label}>
      <Select value={value} onChange={({ target }) => onChange(target.value as Value)}>
        {among.map((each) => (
          <option key={each} value={each}>
            {t(`widget.choice.${each}`)}
          </option>
        ))}
      </Select>
    </Field>
  );
}

/** A list, one entry a line. */
function Lines({
  label,
  hint,
  value,
  problem,
  onChange,
}: {
  label: string;
  hint: string;
  value: readonly string[];
  problem: string | undefined;
  onChange(value: string[]): void;
}) {
  const [text, setText] = useState(value.join("\n"));
  return (
    <Field label={label} hint={hint} problem={problem}>
      <TextArea
        rows={3}
        value={text}
        spellCheck={false}
        onChange={({ target }) => {
          setText(target.value);
          onChange(
            target.value
              .split("\n")
              .map((line) => line.trim())
              .filter(Boolean),
          );
        }}
        className="max-w-xl font-mono"
      />
    </Field>
  );
}
