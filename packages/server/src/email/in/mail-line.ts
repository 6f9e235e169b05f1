import type { SaidLine } from "../../events/event.ts";

/** What agents should know of a mail, beside it or in a conversation that it refers to. */
interface NotedMail {
  note:
    | "forwarded"
    /** Its writer has joined a conversation of others. */
    | "joined"
    /** In the conversation of the mail. */
    | "refers"
    /** In the other conversation. */
    | "referred-to"
    /** Who it is from is not proved. */
    | "unproved"
    /** In the conversation of a mail that an agent has forwarded to an outside address. */
    | "forwarded-to"
    /** In the conversation that the forward has begun. */
    | "forwarded-from"
    /** It could no longer be sent when the time to undo was over. */
    | "not-forwarded";
  /** The person in the line: their address, or the name of a forwarding agent. Empty without one. */
  who?: string | undefined;
  /** The contact that it names, in a conversation of another one. */
  contact_id?: string | null;
  /** The conversation that it names. */
  conversation_id?: string | undefined;
  /** The agent that it names. */
  agent_id?: string | undefined;
}

/** Marks the line of an acknowledgement, which alone of all lines is sent (`queue-reply.ts`). */
export const ACKNOWLEDGED = { name: "mail.noted", values: { note: "acknowledged" } } as const satisfies SaidLine;

/** The values are enough to write the line again once who it names is erased (`privacy/erase-traces.ts`). */
export function mailLine(noted: NotedMail): { content: string; said: SaidLine } {
  const values = Object.fromEntries(Object.entries(noted).filter(([, value]) => value != null));
  return { content: textOf(noted), said: { name: "mail.noted", values } };
}

/** The same line, about other people; undefined when it is not one of these. */
export function mailLineAgain(said: SaidLine | undefined, changed: Partial<NotedMail>) {
  if (said?.name !== "mail.noted" || said.values.note === undefined) return undefined;
  return mailLine({ ...(said.values as Partial<NotedMail> as NotedMail), ...changed });
}

function textOf({ note, who, conversation_id }: NotedMail): string {
  const person = who || "The sender";
  const conversation = conversation_id ? `: ${conversation_id}` : ".";
  switch (note) {
    case "forwarded":
      return `Forwarded by ${who || "a colleague"}.`;
    case "joined":
      return `${person} was not part of this conversation so far.`;
    case "refers":
      return `This email refers to another conversation${conversation}`;
    case "referred-to":
      return `${person} wrote an email that refers to this conversation${conversation}`;
    case "unproved":
      return `This email may not be from ${who || "who it names"}.`;
    case "forwarded-to":
      return `Forwarded to ${who || "another person"}${conversation}`;
    case "forwarded-from":
      return `This email was forwarded from another conversation${conversation}`;
    case "not-forwarded":
      return `The email was not forwarded${who ? ` to ${who}` : ""}. What was written with it is the agent's draft of a note.`;
    default:
      return note satisfies never;
  }
}
