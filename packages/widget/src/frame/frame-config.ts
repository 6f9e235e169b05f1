/** What the server has put into the frame's document (`packages/server/src/http/frame-page.ts`). */
export interface FrameConfig {
  widget: string;
  team: string;
  language: string;
  /** The owner's own words in this language; null where there are none. */
  greeting: { title: string; text: string } | null;
  ask: { name: Asking; email: Asking };
  look: { color: string; ink: string; position: "start" | "end" };
  /** Some of those who were there when the document was made; none when nobody was. */
  online: Face[];
  texts: Texts;
}

export type Asking = "no" | "optional" | "required";

export interface Face {
  name: string | null;
  photo: string | null;
}

export type Texts = { [Key in PlainText]: string } & { unread: { [rule: string]: string } };

export type PlainText = Exclude<keyof typeof import("../languages/en.json"), "unread">;

export function readConfig(): FrameConfig {
  return JSON.parse(document.querySelector("#config")?.textContent ?? "");
}
