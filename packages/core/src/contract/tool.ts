/**
 * One assistant tool: everything that its place in the list, the validation of its arguments, its results and their types
 * need to know about it. The catalogue is `tools.ts`; what is published of it is made by `tool-list.ts`.
 *
 * Specification: "Assistant tool interface". No text of a customer ever stands in an entry: what visitors and agents wrote
 * reaches an assistant as a value in a result, and as nothing else.
 */
import type { Static, TObject, TSchema } from "typebox";
import type { AssistantPermission } from "../domain/assistant-permissions.ts";
import type { OperationName } from "../domain/policy.ts";

export interface Tool {
  /** As the specification writes it: words with dashes. */
  readonly name: string;
  /** A few words for a person, without a full stop. */
  readonly title: string;
  /** One to three sentences for whoever chooses a tool: what it does, what it answers, its limits, the tool beside it. */
  readonly description: string;
  /** What a connection must have been granted to see it and to call it. */
  readonly permission: AssistantPermission;
  readonly annotations: ToolAnnotations;
  /**
   * The arguments: takes no name that it does not list. No `anyOf` and the like at the root, because model providers refuse
   * such a tool; what needs one is asked by the operation.
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

/** What a tool hints at. All four, always: for MCP a missing hint is a statement, and that of a destructive tool. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  /** False for every tool (spec): repeating a call repeats the work. */
  readonly idempotentHint: boolean;
  /** Whether it reaches somebody outside: a reply goes to the visitor, by whatever channel the conversation has. */
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
