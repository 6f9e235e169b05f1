/** What the server has put into the frame's document (`packages/server/src/http/pages/frame-page.ts`). */
export interface FrameConfig {
  widget: string;
  team: string;
  language: string;
  /** The owner's own words in this language; null where there are none. */
  greeting: { title: string; text: string } | null;
  /** `rating`: whether a visitor is asked what they thought of a conversation that was resolved. */
  ask: { name: Asking; email: Asking; rating: boolean };
  /** When the team is there; null: it names no hours. */
  hours: Hours | null;
  /** Largest file that is taken, in bytes. */
  fileMax: number;
  look: { color: string; ink: string; position: "start" | "end" };
  /** Some of those who were there when the document was made; none when nobody was. */
  online: Face[];
  texts: Texts;
}

/** Business hours as they were when the document was made. */
export interface Hours {
  open: boolean;
  /** When it changes next: ms since the epoch, rising, at most 20. With each of them open and closed change places. */
  changes: number[];
}

export type Asking = "no" | "optional" | "required";

export interface Face {
  name: string | null;
  photo: string | null;
}

/** Those of `languages`, under names that the build makes short. */
export type Texts = { [Key in PlainText as `$${Key}`]: string } & { $unread: { [rule: string]: string } };

type PlainText = Exclude<keyof typeof import("../languages/en.json"), "unread">;

export function readConfig(): FrameConfig {
  return JSON.parse((document.querySelector("#config") as Element).textContent);
}
