import type { InboxQuery } from "@frontdesk/core/domain/inbox";
import { useNavigate } from "@tanstack/react-router";
import { ListFilter } from "lucide-react";
import { useState } from "react";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Field, Select, TextInput } from "../ui/field.tsx";
import { useForm } from "../ui/form.tsx";
import { Popover } from "../ui/popover.tsx";
import { Switch } from "../ui/switch.tsx";
import { filterCount, type InboxSearch, usualOrder, wholeView } from "./inbox-search.ts";
import { usePeople } from "./live-inbox.ts";
import { addSavedView } from "./saved-views.ts";

/** The filters of the list; one click saves them as a view. */
export function Filters({ query }: { query: InboxQuery }) {
  const navigate = useNavigate({ from: "/inbox" });
  const people = usePeople();
  const isUsual = (query.order ?? "newest") === usualOrder(query.view);
  const count = filterCount(query);
  const [naming, setNaming] = useState(false);
  const set = (change: Partial<Record<keyof InboxSearch, unknown>>) =>
    navigate({ to: ".", search: (before) => ({ ...before, ...change }) as InboxSearch, replace: true });
  return (
    <Popover
      label={t("filter.title")}
      className="w-72 p-4"
      trigger={
        <Button
          look="quiet"
          size="compact"
          aria-label={t("filter.title")}
          className={count > 0 ? "text-accent-text" : ""}
        >
          <ListFilter size={16} aria-hidden="true" />
          {count > 0 && <span className="numbers">{count}</span>}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <Switch
          label={t("filter.unread")}
          checked={query.unread === true}
          onChange={(on) => set({ unread: on || undefined })}
        />
        <Choose
          label={t("filter.agent")}
          value={query.agent_id}
          choices={(people?.agents ?? []).map(({ id, name, email }) => ({ id, name: name ?? email }))}
          onChange={(agent) => set({ agent })}
        />
        <Choose
          label={t("filter.tag")}
          value={query.tag_id}
          choices={people?.tags ?? []}
          onChange={(tag) => set({ tag })}
        />
        <Choose
          label={t("filter.widget")}
          value={query.widget_id}
          choices={people?.widgets ?? []}
          onChange={(widget) => set({ widget })}
        />
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

/** Saves the current filters as a view in the navigation. */
function SaveView({ query, onSaved }: { query: InboxQuery; onSaved(): void }) {
  const form = useForm(async ({ name = "" }) => {
    await addSavedView(name.trim(), query);
    onSaved();
  });
  return (
    <form onSubmit={form.send} className="flex items-end gap-2">
      <Field label={t("filter.nameIt")} problem={form.problemOf("name") ?? form.problem}>
        <TextInput name="name" required autoFocus maxLength={100} />
      </Field>
      <Button type="submit" look="primary" size="large" disabled={form.busy}>
        {t("save")}
      </Button>
    </form>
  );
}

function Choose({
  label,
  value,
  choices,
  onChange,
}: {
  label: string;
  value: string | undefined;
  choices: readonly { id: string; name: string | null }[];
  onChange(id: string | undefined): void;
}) {
  return (
    <Field label={label}>
      <Select value={value ?? ""} onChange={({ target }) => onChange(target.value || undefined)}>
        <option value="">{t("filter.any")}</option>
        {choices.map(({ id, name }) => (
          <option key={id} value={id}>
            {name ?? id}
          </option>
        ))}
      </Select>
    </Field>
  );
}
