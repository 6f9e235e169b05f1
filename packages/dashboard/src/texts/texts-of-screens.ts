/** The texts of screens that few open, and of problems. They stand in folders of their own, and come with the screen. */
import { addTexts, language } from "./texts.ts";

const files = import.meta.glob<{ default: Record<string, string> }>("../languages/*/*.json");

/** To be awaited before such a screen is drawn. */
export async function loadTextsOf(screen: "assistants" | "audit" | "problems"): Promise<void> {
  addTexts((await files[`../languages/${screen}/${language}.json`]?.())?.default ?? {});
}
