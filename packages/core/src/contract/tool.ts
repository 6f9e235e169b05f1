/**
 * One assistant tool: everything that its entry in the list, the validation of its arguments, its results and their types
 * need. The catalogue is `tools.ts`; `tool-list.ts` builds the published form.
 *
 * Specification: "Assistant tool interface". An entry never holds text of a customer: what visitors and agents wrote
 * reaches an assistant only as a value in a result.
 */
import type { Static, TObject, TSchema } from "typebox";
import type { AssistantPermission } from "../domain/assistant-permissions.ts";
import type { OperationName } from "../domain/policy.ts";

export interface Tool {
  /** As the specification writes it: words with dashes. */
  readonly name: string;
  /** A few words for a person, without a full stop. */
  readonly title: string;
  /** One to three sentences for the model that chooses a tool: what it does, what it answers, its limits, related tools. */
  readonly description: string;
  /** What a connection must have been granted to see it and to call it. */
  readonly permission: AssistantPermission;
  readonly annotations: ToolAnnotations;
  /**
   * The arguments: takes no name that it does not list. No `anyOf` and the like at the root, because model providers refuse
   * such a tool; the operation checks what would need one.
   */
  readonly input: TObject;
  /** The result as `structuredContent`; its root is an object. */
  readonly output: TSchema;
  /** The first call changes nothing and answers a confirmation token; `output` then has that as one of its shapes. */
  readonly confirmed?: true;
  /** The product operation behind it, once for each target. */
  readonly performs: OperationName;
  /** Real-looking values, checked against the schemas by a test. Of a confirmed tool it is the call that does the work. */
  readonly example: { readonly input: object; readonly output: object };
}

/** The hints of a tool. Always all four: MCP takes a missing hint for that of a destructive tool. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  /** False for every tool (spec): repeating a call repeats the work. */
  readonly idempotentHint: boolean;
  /** Whether it reaches a person outside the service: a reply goes to the visitor, by the conversation's channel. */
  readonly openWorldHint: boolean;
}

export const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};
export const CHANGES: ToolAnnotations = { ...READS, readOnlyHint: false };
export const DESTROYS: ToolAnnotations = { ...CHANGES, destructiveHint: true };
export const REACHES_OUT: ToolAnnotations = { ...CHANGES, openWorldHint: true };

/** The arguments of a tool once they are validated: what has a default and was left out has it. */
export type ToolInput<T extends Tool> = Static<T["input"]>;
/** The result of a tool. */
export type ToolOutput<T extends Tool> = Static<T["output"]>;
