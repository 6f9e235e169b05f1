import type { Channel } from "@frontdesk/core/contract/rest/channels";
import { useState } from "react";
import { rest } from "../../service/rest.ts";
import { language, languages, nameOfLanguage, t } from "../../texts/texts.ts";
import { Field, Select, TextArea } from "../../ui/field.tsx";
import { useForm } from "../../ui/form.tsx";
import { Section } from "../../ui/page.tsx";
import { SaveChanges } from "../../ui/save-changes.tsx";
import { Switch } from "../../ui/switch.tsx";
import { showToast } from "../../ui/toast.ts";
import { useUnsaved } from "../../ui/unsaved.tsx";
import { channelChanged } from "./channels-query.ts";

const TEXT_MAX = 2_000;

/** The automatic reply to the first email of a conversation. */
export function ChannelAcknowledgementForm({ channel: { id, attributes } }: { channel: Channel }) {
  const { acknowledgement, authserv_id } = attributes.settings;
  const [values, setValues] = useState(() => ({
    isOn: (acknowledgement ?? null) !== null,
    text: acknowledgement?.text ?? "",
    language: acknowledgement?.language ?? language,
  }));
  const set = (change: Partial<typeof values>) => setValues((now) => ({ ...now, ...change }));
  const unsaved = useUnsaved(values);
  const form = useForm(async () => {
    const chosen = values.isOn ? { text: values.text.trim() || null, language: values.language } : null;
    const body = { settings: { acknowledgement: chosen } };
    const { data } = await unsaved.saving(rest.updateChannel({ params: { id }, body }));
    await channelChanged(data);
    showToast(t("saved"));
  });
  return (
    <Section title={t("channels.ack")} text={t("channels.ackText")}>
      <form {...unsaved.form} onSubmit={form.send} className="flex flex-col gap-4">
        <Switch label={t("channels.ackOn")} checked={values.isOn} onChange={(isOn) => set({ isOn })} />
        {values.isOn && (
          <>
            {!authserv_id && (
              <p role="status" className="text-warning">
                {t("channels.ackUnproved", { field: t("channels.authserv") })}
              </p>
            )}
            <Field label={t("channels.ackLanguage")} hint={t("channels.ackLanguageHint")}>
              <Select
                value={values.language}
                onChange={({ target }) => {
                  const chosen = languages.find((each) => each === target.value);
                  if (chosen) set({ language: chosen });
                }}
                className="max-w-60"
              >
                {languages.map((each) => (
                  <option key={each} value={each}>
                    {nameOfLanguage(each)}
                  </option>
                ))}
              </Select>
            </Field>
            <Field
              label={t("channels.ackOwn")}
              hint={t("channels.ackOwnHint")}
              problem={form.problemOf("settings.acknowledgement.text")}
            >
              <TextArea
                dir="auto"
                rows={4}
                maxLength={TEXT_MAX}
                value={values.text}
                onChange={({ target }) => set({ text: target.value })}
              />
            </Field>
          </>
        )}
        <SaveChanges form={form} unsaved={unsaved} size="large" />
      </form>
    </Section>
  );
}
