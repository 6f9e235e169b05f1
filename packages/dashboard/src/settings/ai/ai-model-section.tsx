import type { Ai } from "@frontdesk/core/contract/rest/ai";
import { useState } from "react";
import { t } from "../../texts/texts.ts";
import { CheckRow } from "../../ui/check-row.tsx";
import { Field, Select, TextInput } from "../../ui/field.tsx";
import { Section } from "../../ui/page.tsx";
import type { AiEdit } from "./ai-query.ts";
import { type ModelPreset, modelPresetNames, modelPresets, presetOf } from "./model-presets.ts";
import { ModelTest, useModelTest } from "./model-test.tsx";

const NAMES: Record<ModelPreset, string> = {
  openai: "OpenAI",
  anthropic: "Anthropic",
  mistral: "Mistral",
  ollama: "Ollama",
  vllm: "vLLM",
};

/** The server that writes the answers, and a test of it. */
export function AiModelSection({ draft, set, problemOf, ai }: AiEdit & { ai: Ai["attributes"] }) {
  const [preset, setPreset] = useState(() => {
    const chosen = presetOf(draft.base_url);
    return chosen === "operator" && ai.operator_model === null ? "other" : chosen;
  });
  const test = useModelTest(draft);
  const problemAt = (field: string) => problemOf(field) ?? test.problemOf(field);
  const known = preset === "operator" || preset === "other" ? undefined : modelPresets[preset];
  const choose = (next: string) => {
    setPreset(next as typeof preset);
    const url = next in modelPresets ? modelPresets[next as ModelPreset].url : null;
    set({ base_url: next === "other" ? draft.base_url : url });
  };
  return (
    <Section title={t("ai.model")} text={t("ai.modelText")}>
      <div className="flex flex-col gap-4">
        <div className="grid gap-4 md:grid-cols-2">
          <Field label={t("ai.server")} hint={known?.isLocal && t("ai.localHint")}>
            <Select value={preset} onChange={({ target }) => choose(target.value)}>
              {ai.operator_model !== null && (
                <option value="operator">{t("ai.server.operator", { model: ai.operator_model })}</option>
              )}
              {modelPresetNames.map((name) => (
                <option key={name} value={name}>
                  {modelPresets[name].isLocal ? t("ai.server.local", { name: NAMES[name] }) : NAMES[name]}
                </option>
              ))}
              <option value="other">{t("ai.server.other")}</option>
            </Select>
          </Field>
          {preset !== "operator" && (
            <Field label={t("ai.baseUrl")} hint={t("ai.baseUrlHint")} problem={problemAt("base_url")}>
              <TextInput
                dir="ltr"
                inputMode="url"
                autoComplete="off"
                placeholder={modelPresets.openai.url}
                value={draft.base_url ?? ""}
                onValueChange={(next) => set({ base_url: String(next) || null })}
              />
            </Field>
          )}
          <Field
            label={t("ai.modelName")}
            hint={t("ai.modelNameHint", {
              example: known?.example ?? ai.operator_model ?? modelPresets.openai.example,
            })}
            problem={problemAt("model")}
          >
            <TextInput
              dir="ltr"
              autoComplete="off"
              maxLength={200}
              placeholder={(preset === "operator" && ai.operator_model) || ""}
              value={draft.model ?? ""}
              onValueChange={(next) => set({ model: String(next) || null })}
            />
          </Field>
          <Field label={t("ai.secondModel")} hint={t("ai.secondModelHint")} problem={problemAt("second_model")}>
            <TextInput
              dir="ltr"
              autoComplete="off"
              maxLength={200}
              value={draft.second_model ?? ""}
              onValueChange={(next) => set({ second_model: String(next) || null })}
            />
          </Field>
          <Field label={t("ai.key")} hint={keyHint(ai)} problem={problemAt("api_key")}>
            <TextInput
              type="password"
              dir="ltr"
              autoComplete="new-password"
              maxLength={1_000}
              value={draft.api_key}
              onValueChange={(next) => set({ api_key: String(next) })}
            />
          </Field>
          <Field label={t("ai.embedding")} hint={t("ai.embeddingHint")} problem={problemAt("embedding_model")}>
            <TextInput
              dir="ltr"
              autoComplete="off"
              maxLength={200}
              value={draft.embedding_model ?? ""}
              onValueChange={(next) => set({ embedding_model: String(next) || null })}
            />
          </Field>
        </div>
        {ai.api_key_set && (
          <CheckRow
            label={t("ai.keyRemove")}
            checked={draft.removesKey}
            onChange={(removesKey) => set({ removesKey })}
          />
        )}
        <ModelTest test={test} />
      </div>
    </Section>
  );
}

function keyHint({ api_key_set, api_key_last }: Ai["attributes"]): string {
  if (!api_key_set) return t("ai.keyHint");
  return api_key_last === null ? t("ai.keyKept") : t("ai.keyKeptLast", { last: api_key_last });
}
