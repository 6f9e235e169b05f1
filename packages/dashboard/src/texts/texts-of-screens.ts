/** The texts of rarely opened screens, and of errors. They have their own folders, and are loaded with the screen. */
import { addTexts, language } from "./texts.ts";

const files = import.meta.glob<{ default: Record<string, string> }>("../languages/*/*.json");

/** Await it before such a screen is rendered. */
export async function loadTextsOf(
  screen:
    | "assistants"
    | "audit"
    | "channels"
    | "erasing"
    | "export"
    | "mail"
    | "privacy"
    | "problems"
    | "setup"
    | "webhooks"
    | "widget-removal",
): Promise<void> {
  addTexts((await files[`../languages/${screen}/${language}.json`]?.())?.default ?? {});
}
