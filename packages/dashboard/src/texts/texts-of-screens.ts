/** The texts of rarely opened screens, and of errors. They have their own folders, and are loaded with the screen. */
import { loadPart } from "../service/load-part.ts";
import { addTexts, language } from "./texts.ts";

const files = import.meta.glob<{ default: Record<string, string> }>("../languages/*/*.json");

export type ScreenTexts =
  | "ai"
  | "assistants"
  | "audit"
  | "channels"
  | "copilot"
  | "delivery"
  | "erasing"
  | "export"
  | "mail"
  | "privacy"
  | "problems"
  | "runs"
  | "security"
  | "setup"
  | "sources"
  | "spam"
  | "sso"
  | "webhooks"
  | "widget-removal";

/** Await it before such a screen is rendered. */
export async function loadTextsOf(screen: ScreenTexts): Promise<void> {
  const file = files[`../languages/${screen}/${language}.json`];
  if (file) addTexts((await loadPart(file)).default);
}
