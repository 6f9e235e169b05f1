import type { Channel } from "@frontdesk/core/contract/rest/channels";
import { useState } from "react";
import { rest } from "../../service/rest.ts";
import { t } from "../../texts/texts.ts";
import { Field, TextInput } from "../../ui/field.tsx";
import { useForm } from "../../ui/form.tsx";
import { Section } from "../../ui/page.tsx";
import { SaveChanges } from "../../ui/save-changes.tsx";
import { Switch } from "../../ui/switch.tsx";
import { showToast } from "../../ui/toast.ts";
import { useUnsaved } from "../../ui/unsaved.tsx";
import { type AddressLists, ChannelAddressFields } from "./channel-address-fields.tsx";
import { channelChanged } from "./channels-query.ts";

const NAME_MAX = 255;
const HOST_MAX = 253;

/** The account's name, and how replies leave and answers come back. */
export function ChannelRepliesForm({ channel: { id, attributes } }: { channel: Channel }) {
  const [was, setWas] = useState(() => valuesOf(attributes));
  const [values, setValues] = useState(was);
  const set = (change: Partial<Values>) => setValues((now) => ({ ...now, ...change }));
  const unsaved = useUnsaved(values);
  const form = useForm(async () => {
    const body = changeOf(values, was);
    if (Object.keys(body).length === 0) return;
    const { data } = await unsaved.saving(rest.updateChannel({ params: { id }, body }));
    setWas(values);
    await channelChanged(data);
    showToast(t("saved"));
  });
  const problemOf = (field: string) => form.problemOf(`settings.${field}`);
  return (
    <Section title={t("channels.replies")}>
      <form {...unsaved.form} onSubmit={form.send} className="flex flex-col gap-4">
        <div className="grid gap-4 md:grid-cols-2">
          <Field label={t("channels.name")} hint={t("channels.nameHint")} problem={form.problemOf("name")}>
            <TextInput
              dir="auto"
              maxLength={NAME_MAX}
              value={values.name}
              onValueChange={(name) => set({ name: String(name) })}
            />
          </Field>
          <Field
            label={t("channels.displayName")}
            hint={t("channels.displayNameHint")}
            problem={problemOf("display_name")}
          >
            <TextInput
              dir="auto"
              maxLength={NAME_MAX}
              value={values.display_name}
              onValueChange={(display_name) => set({ display_name: String(display_name) })}
            />
          </Field>
        </div>
        <Switch
          label={t("channels.plus")}
          hint={t("channels.plusHint")}
          checked={values.plus_addressing}
          onChange={(plus_addressing) => set({ plus_addressing })}
        />
        <div className="grid gap-4 md:grid-cols-2">
          <Count
            label={t("channels.hold")}
            hint={t("channels.holdHint")}
            most={60}
            value={values.hold_seconds}
            problem={problemOf("hold_seconds")}
            onChange={(hold_seconds) => set({ hold_seconds })}
          />
          <Count
            label={t("channels.pace")}
            hint={t("channels.paceHint")}
            least={1}
            most={1_000}
            value={values.pace}
            problem={problemOf("pace")}
            onChange={(pace) => set({ pace })}
          />
          <Count
            label={t("channels.daily")}
            hint={t("channels.dailyHint")}
            least={1}
            most={100_000}
            value={values.daily_limit}
            problem={problemOf("daily_limit")}
            onChange={(daily_limit) => set({ daily_limit })}
          />
          <Count
            label={t("channels.reopen")}
            hint={t("channels.reopenHint")}
            least={1}
            most={3_650}
            isOptional
            value={values.reopen_days}
            problem={problemOf("reopen_days")}
            onChange={(reopen_days) => set({ reopen_days })}
          />
        </div>
        <Field label={t("channels.authserv")} hint={t("channels.authservHint")} problem={problemOf("authserv_id")}>
          <TextInput
            dir="ltr"
            maxLength={HOST_MAX}
            autoComplete="off"
            value={values.authserv_id}
            onValueChange={(authserv_id) => set({ authserv_id: String(authserv_id) })}
            className="max-w-100"
          />
        </Field>
        <ChannelAddressFields lists={values} set={set} problemOf={problemOf} />
        <SaveChanges form={form} unsaved={unsaved} size="large" />
      </form>
    </Section>
  );
}

/** As they are typed. */
interface Values extends AddressLists {
  name: string;
  display_name: string;
  plus_addressing: boolean;
  hold_seconds: string;
  pace: string;
  daily_limit: string;
  reopen_days: string;
  authserv_id: string;
}

function valuesOf({ name, settings }: Channel["attributes"]): Values {
  const { display_name, plus_addressing, hold_seconds, pace, daily_limit, reopen_days, authserv_id } = settings;
  const { aliases = [], form_senders = [] } = settings;
  return {
    name: name ?? "",
    display_name: display_name ?? "",
    plus_addressing: plus_addressing ?? true,
    hold_seconds: String(hold_seconds ?? ""),
    pace: String(pace ?? ""),
    daily_limit: String(daily_limit ?? ""),
    reopen_days: String(reopen_days ?? ""),
    authserv_id: authserv_id ?? "",
    ...{ aliases, form_senders },
  };
}

/** Only changed fields are sent: what another agent has changed meanwhile stays. */
function changeOf(values: Values, was: Values) {
  const isChanged = (name: keyof Values) => String(values[name]) !== String(was[name]);
  const settings = {
    ...(isChanged("display_name") && { display_name: values.display_name.trim() || null }),
    ...(isChanged("plus_addressing") && { plus_addressing: values.plus_addressing }),
    ...(isChanged("hold_seconds") && { hold_seconds: Number(values.hold_seconds) }),
    ...(isChanged("pace") && { pace: Number(values.pace) }),
    ...(isChanged("daily_limit") && { daily_limit: Number(values.daily_limit) }),
    ...(isChanged("reopen_days") && { reopen_days: values.reopen_days === "" ? null : Number(values.reopen_days) }),
    ...(isChanged("aliases") && { aliases: [...values.aliases] }),
    ...(isChanged("form_senders") && { form_senders: [...values.form_senders] }),
    ...(isChanged("authserv_id") && { authserv_id: values.authserv_id.trim() || null }),
  };
  return {
    ...(isChanged("name") && { name: values.name.trim() || null }),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
}

/** A whole number; one that may be left out is never. */
function Count({
  label,
  hint,
  least = 0,
  most,
  isOptional = false,
  value,
  problem,
  onChange,
}: {
  label: string;
  hint: string;
  least?: number;
  most: number;
  isOptional?: boolean;
  value: string;
  problem: string | undefined;
  onChange(value: string): void;
}) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      <TextInput
        type="number"
        inputMode="numeric"
        required={!isOptional}
        min={least}
        max={most}
        step={1}
        value={value}
        onValueChange={(next) => onChange(String(next))}
        className="numbers max-w-40"
      />
    </Field>
  );
}
