/** The configuration in the frame's document, written by the server (`packages/server/src/http/pages/frame-page.ts`). */
export interface FrameConfig {
  widget: string;
  team: string;
  language: string;
  /** In which dates, times and numbers are written: the language, as the visitor's own region writes it. */
  locale: string;
  /** The owner's greeting in this language; null when there is none. */
  greeting: { title: string; text: string } | null;
  /** `rating`: whether a visitor is asked to rate a resolved conversation. */
  ask: { name: Asking; email: Asking; rating: boolean };
  /** The opening hours; null when there are none. */
  hours: Hours | null;
  /** The address of the parts that are loaded on demand, relative to the script. */
  onDemandScript: string;
  /** Where visitors are suggested articles: the address of the script for it, as `onDemandScript`, and its texts. */
  articles: { script: string; texts: ArticleTexts } | null;
  /** The address of the script for conversations with the AI, as `onDemandScript`. */
  aiScript: string;
  /** The AI that answers on this widget, and when; null where none does. */
  ai: { name: string; when: "always" | "outside-hours" | "nobody-online" } | null;
  /** Whether the server sends mail: without it, nothing brings an answer to an address. */
  mail: boolean;
  /** Size limit of files, in bytes. */
  fileMax: number;
  /** Some of the agents who were online when the document was made; empty when there were none. */
  online: Face[];
  texts: Texts;
}

/** Opening hours as of the time when the document was made. */
export interface Hours {
  open: boolean;
  /** When it opens or closes next: ms since 1970, ascending, at most 20. Each one toggles the state. */
  changes: number[];
}

export type Asking = "no" | "optional" | "required";

export interface Face {
  name: string | null;
  photo: string | null;
}

/** The texts of `languages`, under names that the build shortens. */
export type Texts = { [Key in PlainText as `$${Key}`]: string } & { $unread: { [rule: string]: string } };

type ArticleTexts = typeof import("../languages/articles/en.json");

type PlainText = Exclude<keyof typeof import("../languages/en.json"), "unread" | `${string}WithoutMail`>;

export function readConfig(): FrameConfig {
  return JSON.parse((document.querySelector("#config") as Element).textContent);
}
