import type { InboxPeople } from "@frontdesk/core/contract/inbox";
import { channels, WIDGET_CHANNEL } from "@frontdesk/core/domain/channel";
import type { InboxQuery } from "@frontdesk/core/domain/inbox";
import { useNavigate } from "@tanstack/react-router";
import { ListFilter, X } from "lucide-react";
import { Fragment, useState } from "react";
import { numberOf } from "../texts/dates.ts";
import { t } from "../texts/texts.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Field, Select, TextInput } from "../ui/field.tsx";
import { useForm } from "../ui/form.tsx";
import { Popover } from "../ui/popover.tsx";
import { Switch } from "../ui/switch.tsx";
import { channelName } from "./channel-names.ts";
import { filterCount, type InboxSearch, searchOf, usualOrder, wholeView } from "./inbox-search.ts";
import { usePeople } from "./live-inbox.ts";
import { addSavedView } from "./saved-views.ts";

const NONE: readonly never[] = [];

/** The filters of the list; one click saves them as a view. */
export function Filters({ query }: { query: InboxQuery }) {
  const navigate = useNavigate({ from: "/inbox" });
  const people = usePeople();
  const isUsual = (query.order ?? "newest") === usualOrder(query.view);
  const count = filterCount(query);
  const { from, to } = searchOf(query);
  const [naming, setNaming] = useState(false);
  const set = (change: Partial<Record<keyof InboxSearch, unknown>>) =>
    navigate({ to: ".", search: (before) => ({ ...before, ...change }) as InboxSearch, replace: true });
  return (
    <Popover
      label={t("filter.title")}
      className="max-h-(--available-height) w-80 overflow-y-auto p-4"
      trigger={
        <Button
          look="quiet"
          size="compact"
          aria-label={count > 0 ? `${t("filter.title")}, ${numberOf(count)}` : t("filter.title")}
          className={count > 0 ? "text-accent-text" : ""}
        >
          <ListFilter size={16} aria-hidden="true" />
          {count > 0 && <span className="numbers">{numberOf(count)}</span>}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <Switch
          label={t("filter.unread")}
          checked={query.unread === true}
          onChange={(on) => set({ unread: on || undefined })}
        />
        <ChooseSome
          label={t("filter.agent")}
          values={query.agent_ids ?? NONE}
          choices={(people?.agents ?? NONE).map(({ id, name, email }) => ({ id, name: name ?? email }))}
          onChange={(ids) => set({ agent: ids.join() || undefined })}
        />
        <ChooseSome
          label={t("filter.tag")}
          values={query.tag_ids ?? NONE}
          choices={people?.tags ?? NONE}
          onChange={(ids) => set({ tag: ids.join() || undefined })}
        />
        <Field label={t("filter.widget")}>
          <Select value={query.widget_id ?? ""} onChange={({ target }) => set({ widget: target.value || undefined })}>
            <option value="">{t("filter.any")}</option>
            {people?.widgets.map(({ id, name }) => (
              <option key={id} value={id}>
                {name ?? id}
              </option>
            ))}
          </Select>
        </Field>
        {hasChannels(people, query) && <ChannelFilter query={query} people={people} onChange={set} />}
        <fieldset className="flex gap-3">
          <legend className="mb-1.5 font-medium">{t("filter.active")}</legend>
          <Day label={t("notify.from")} value={from} onChange={(day) => set({ from: day })} />
          <Day label={t("notify.to")} value={to} onChange={(day) => set({ to: day })} />
        </fieldset>
        <div className="flex justify-between pt-1">
          <Button
            look="quiet"
            size="compact"
            disabled={count === 0}
            onClick={() => navigate({ to: ".", search: wholeView(query), replace: true })}
          >
            {t("filter.clear")}
          </Button>
          <Button
            size="compact"
            disabled={count === 0 && isUsual}
            aria-expanded={naming}
            onClick={() => setNaming(!naming)}
          >
            {t("filter.save")}
          </Button>
        </div>
        {naming && (count > 0 || !isUsual) && <SaveView query={query} onSaved={() => setNaming(false)} />}
      </div>
    </Popover>
  );
}

/** Where there is a channel besides the website, or one is in the address. */
const hasChannels = (people: InboxPeople | null, { channel, channel_id }: InboxQuery): boolean =>
  (people?.channels.length ?? 0) > 0 || channel !== undefined || channel_id !== undefined;

/** A channel, or one account of it where there are several. */
function ChannelFilter({
  query: { channel, channel_id },
  people,
  onChange,
}: {
  query: InboxQuery;
  people: InboxPeople | null;
  onChange(change: { channel: string | undefined; account: string | undefined }): void;
}) {
  const accounts = people?.channels ?? NONE;
  const among = channels.filter(
    (each) => each === WIDGET_CHANNEL || each === channel || accounts.some((account) => account.channel === each),
  );
  const choose = (value: string) => {
    const account = accounts.find(({ id }) => id === value);
    onChange({ channel: account?.channel ?? (value || undefined), account: account?.id });
  };
  return (
    <Field label={t("filter.channel")}>
      <Select value={channel_id ?? channel ?? ""} onChange={({ target }) => choose(target.value)}>
        <option value="">{t("filter.any")}</option>
        {channel_id !== undefined && !accounts.some(({ id }) => id === channel_id) && (
          <option value={channel_id}>{t("filter.unknown")}</option>
        )}
        {among.map((each) => {
          const ofChannel = accounts.filter((account) => account.channel === each);
          return (
            <Fragment key={each}>
              <option value={each}>{channelName(each)}</option>
              {(ofChannel.length > 1 || ofChannel.some(({ id }) => id === channel_id)) &&
                ofChannel.map(({ id, name, address }) => (
                  <option key={id} value={id}>
                    {`${channelName(each)}: ${name ?? address}`}
                  </option>
                ))}
            </Fragment>
          );
        })}
      </Select>
    </Field>
  );
}

/** Saves the current filters as a view in the navigation. */
function SaveView({ query, onSaved }: { query: InboxQuery; onSaved(): void }) {
  const form = useForm(async ({ name = "" }) => {
    await addSavedView(name.trim(), query);
    onSaved();
  });
  return (
    <form onSubmit={form.send} className="flex flex-col gap-2">
      <Field label={t("filter.nameIt")} hint={t("filter.onlyYou")} problem={form.problemOf("name") ?? form.problem}>
        <TextInput name="name" required autoFocus maxLength={100} />
      </Field>
      <Button type="submit" look="primary" disabled={form.busy}>
        {t("save")}
      </Button>
    </form>
  );
}

/** Some of many: the chosen ones, each with a button to remove it, and a list of the others. */
function ChooseSome({
  label,
  values,
  choices,
  onChange,
}: {
  label: string;
  values: readonly string[];
  choices: readonly { id: string; name: string | null }[];
  onChange(ids: string[]): void;
}) {
  const nameOf = (id: string) => choices.find((choice) => choice.id === id)?.name ?? t("filter.unknown");
  return (
    <div className="flex flex-col gap-1.5">
      <Field label={label}>
        <Select value="" onChange={({ target }) => target.value && onChange([...values, target.value])}>
          <option value="">{t(values.length > 0 ? "filter.another" : "filter.any")}</option>
          {choices
            .filter(({ id }) => !values.includes(id))
            .map(({ id, name }) => (
              <option key={id} value={id}>
                {name ?? id}
              </option>
            ))}
        </Select>
      </Field>
      {values.length > 0 && (
        <ul className="flex flex-wrap gap-1" aria-label={label}>
          {values.map((id) => (
            <li
              key={id}
              className="inline-flex h-7 max-w-full items-center gap-1 rounded-tag border border-line ps-2 text-meta pointer-coarse:h-11"
            >
              <span dir="auto" className="min-w-0 truncate">
                {nameOf(id)}
              </span>
              <IconButton
                label={t("filter.remove", { name: nameOf(id) })}
                onClick={() => onChange(values.filter((each) => each !== id))}
                className="size-6"
              >
                <X size={12} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Day({ label, value, onChange }: { label: string; value: string | undefined; onChange(day?: string): void }) {
  return (
    <Field label={label}>
      <TextInput type="date" value={value ?? ""} onValueChange={(day) => onChange(String(day) || undefined)} />
    </Field>
  );
}
