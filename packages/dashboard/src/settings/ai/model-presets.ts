/** Servers to begin with: their address, and an example of a model. */
export const modelPresets = {
  openai: { url: "https://api.openai.com/v1", example: "gpt-5-mini", isLocal: false },
  anthropic: { url: "https://api.anthropic.com/v1", example: "claude-haiku-4-5", isLocal: false },
  mistral: { url: "https://api.mistral.ai/v1", example: "mistral-small-latest", isLocal: false },
  ollama: { url: "http://127.0.0.1:11434/v1", example: "llama3.1:8b", isLocal: true },
  vllm: { url: "http://127.0.0.1:8000/v1", example: "Qwen/Qwen3-8B", isLocal: true },
} as const;

export type ModelPreset = keyof typeof modelPresets;
export const modelPresetNames = Object.keys(modelPresets) as ModelPreset[];

/** The preset of a base URL; `operator` for none, `other` for one of its own. */
export function presetOf(baseUrl: string | null): ModelPreset | "operator" | "other" {
  if (baseUrl === null) return "operator";
  return modelPresetNames.find((name) => modelPresets[name].url === baseUrl) ?? "other";
}
