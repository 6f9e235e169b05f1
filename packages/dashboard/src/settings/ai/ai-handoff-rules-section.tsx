import type { TagInUse } from "@frontdesk/core/contract/session";
import { aiBounds, type HandoffRules } from "@frontdesk/core/domain/ai/ai-settings";
import { useQuery } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { useState } from "react";
import { t } from "../../texts/texts.ts";
import { TagBadge } from "../../ui/badge.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Field, Select, TextArea, TextInput } from "../../ui/field.tsx";
import { Section } from "../../ui/page.tsx";
import { fieldsQuery, tagsQuery } from "../tags-and-fields/tags-and-fields-queries.ts";
import type { AiEdit } from "./ai-query.ts";

/** The longest value that is stored. */
const VALUE_MAX = 1_000;

interface RulesEdit {
  rules: HandoffRules;
  change(rules: Partial<HandoffRules>): void;
  /** Of a list, or of one of its items. */
  problemOf(field: keyof HandoffRules): string | undefined;
}

/** What a person always answers. */
export function AiHandoffRulesSection({ draft, set, problemOf }: AiEdit) {
  const { data: tags } = useQuery(tagsQuery);
  const { handoff_rules: stored } = draft;
  // A tag may be deleted while this is edited; its rule went with it.
  const isKnown = (id: string) => tags?.some((tag) => tag.id === id) !== false;
  const rules = { ...stored, tags: stored.tags.filter(isKnown) };
  const edit: RulesEdit = {
    rules,
    change: (some) => set({ handoff_rules: { ...rules, ...some } }),
    problemOf: (field) =>
      problemOf(`handoff_rules.${field}`) ??
      rules[field].flatMap((_, index) => problemOf(`handoff_rules.${field}.${index}`) ?? [])[0],
  };
  return (
    <Section title={t("ai.rules")} text={t("ai.rulesText")}>
      <div className="flex flex-col gap-4">
        <div className="grid gap-4 md:grid-cols-2">
          <Lines {...edit} field="words" />
          <Lines {...edit} field="pages" />
        </div>
        {tags && tags.length > 0 && <RuleTags {...edit} tags={tags} />}
        <RuleData {...edit} />
      </div>
    </Section>
  );
}

/** One rule a line. What is typed stays as it is, empty lines too. */
function Lines({ rules, change, problemOf, field }: RulesEdit & { field: "words" | "pages" }) {
  const [text, setText] = useState(() => rules[field].join("\n"));
  return (
    <Field label={t(`ai.rules.${field}`)} hint={t(`ai.rules.${field}Hint`)} problem={problemOf(field)}>
      <TextArea
        dir={field === "pages" ? "ltr" : "auto"}
        rows={4}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          const lines = target.value.split("\n").map((line) => line.trim());
          change({ [field]: lines.filter((line) => line !== "") });
        }}
      />
    </Field>
  );
}

function RuleTags({ rules, change, problemOf, tags }: RulesEdit & { tags: readonly TagInUse[] }) {
  const chosen = tags.filter(({ id }) => rules.tags.includes(id));
  const others = tags.filter(({ id }) => !rules.tags.includes(id));
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-medium">{t("tags")}</legend>
      <ul className="mb-2 flex flex-wrap gap-2 empty:hidden">
        {chosen.map(({ id, name, color }) => (
          <li key={id} className="flex items-center">
            <TagBadge name={name} color={color} />
            <IconButton
              label={t("removeData", { name })}
              onClick={() => change({ tags: rules.tags.filter((each) => each !== id) })}
            >
              <X size={14} />
            </IconButton>
          </li>
        ))}
      </ul>
      <div className="max-w-60">
        <Field label={t("addTag")} hideLabel problem={problemOf("tags")}>
          <Select
            value=""
            disabled={others.length === 0 || chosen.length >= aiBounds.HANDOFF_RULES_MAX}
            onChange={({ target }) => change({ tags: [...rules.tags, target.value] })}
          >
            <option value="">{t("addTag")}</option>
            {others.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
      </div>
    </fieldset>
  );
}

function RuleData({ rules, change, problemOf }: RulesEdit) {
  const { data: fields } = useQuery(fieldsQuery);
  const data = rules.custom_data;
  const [first] = fields ?? [];
  if (!first && data.length === 0) return null;
  const put = (index: number, some: Partial<HandoffRules["custom_data"][number]>) =>
    change({ custom_data: data.map((each, at) => (at === index ? { ...each, ...some } : each)) });
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-medium">{t("details.data")}</legend>
      <ul className="mb-2 flex flex-col gap-2 empty:hidden">
        {data.map(({ name, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two that are alike may be there while they are typed
          <li key={index} className="grid max-w-xl grid-cols-[1fr_1fr_auto] items-start gap-2">
            <Field label={t("dataName")} hideLabel>
              <Select value={name} onChange={({ target }) => put(index, { name: target.value })}>
                {[...new Set([...(fields ?? []).map((each) => each.name), name])].map((each) => (
                  <option key={each} value={each}>
                    {each}
                  </option>
                ))}
              </Select>
            </Field>
            <Field label={t("dataValue")} hideLabel>
              <TextInput
                dir="auto"
                required
                maxLength={VALUE_MAX}
                placeholder={t("dataValue")}
                value={value}
                onValueChange={(next) => put(index, { value: String(next) })}
              />
            </Field>
            <IconButton
              label={t("removeData", { name: value || name })}
              onClick={() => change({ custom_data: data.filter((_, at) => at !== index) })}
            >
              <X size={14} />
            </IconButton>
          </li>
        ))}
      </ul>
      {problemOf("custom_data") && <p className="mb-2 text-danger text-meta">{problemOf("custom_data")}</p>}
      {first && (
        <Button
          disabled={data.length >= aiBounds.HANDOFF_RULES_MAX}
          onClick={() => change({ custom_data: [...data, { name: first.name, value: "" }] })}
        >
          <Plus size={14} aria-hidden="true" />
          {t("ai.rules.addData")}
        </Button>
      )}
    </fieldset>
  );
}
