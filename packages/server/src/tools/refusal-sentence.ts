import type { Refusal } from "@frontdesk/core/domain/refusal";

/**
 * A refusal as one text for a model: what is wrong, with which argument, and what to do (specification, "Tool error
 * conditions").
 */
export function refusalSentence(refusal: Refusal): string {
  const { reason } = refusal;
  if (reason.name !== "invalid") return toolMessage(refusal);
  return Object.entries(reason.errors)
    .map(([argument, problems]) => `${argument}: ${problems.join(" ")}`)
    .join("\n");
}

/** The message alone, in the words of the tools: what REST calls a contact is a visitor, and a field is an argument. */
export function toolMessage({ reason, message }: Refusal): string {
  if (reason.name === "not-found" && reason.what === "contact") return "Visitor not found.";
  if (reason.name === "invalid") return "Some arguments are not valid.";
  return message;
}
