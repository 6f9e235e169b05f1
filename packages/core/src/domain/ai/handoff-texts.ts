/** What visitors read when the AI hands over. */
export type HandoffSituation = "online" | "closed" | "nobody-online";

export interface HandoffOccasion {
  /** BCP 47; the nearest of the widget's languages is taken. */
  language: string;
  situation: HandoffSituation;
  /** When closed: the next opening, told in the visitor's time zone. Null: it is unknown. */
  opening: { at: number; now: number; timezone: string; locale?: string } | null;
  /** Whether the visitor is asked for an email address: none is known, and they were not asked before. */
  asksForEmail: boolean;
}

export function handoffText({ asksForEmail }: HandoffOccasion): string {
  return `I’m handing this over to a person.${asksForEmail ? " Leave your email, and they’ll get back to you." : ""}`;
}
