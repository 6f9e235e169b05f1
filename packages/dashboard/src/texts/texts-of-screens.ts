/** The texts of screens that few open. They stand in folders of their own, and come with the screen. */
import { addTexts, language } from "./texts.ts";

const files = import.meta.glob<{ default: Record<string, string> }>("../languages/*/*.json");

/** To be awaited before such a screen is drawn. */
export async function loadTextsOf(screen: "assistants" | "audit"): Promise<void> {
  addTexts((await files[`../languages/${screen}/${language}.json`]?.())?.default ?? {});
}
