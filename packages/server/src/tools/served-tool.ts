import type { Tool, ToolInput, ToolOutput } from "@frontdesk/core/contract/tool";
import type { ConfirmationRequired } from "@frontdesk/core/contract/tool-resources";
import type { AssistantActor } from "../access/actor.ts";
import { confirmed, type Planned } from "../assistants/confirmed.ts";
import type { LoggedCall } from "../assistants/log-tool-calls.ts";
import { logged } from "../assistants/log-tool-calls.ts";
import type { Context, Operation } from "../context.ts";
import type { Perform } from "../perform.ts";

/** A tool of the catalogue with the product operation behind it. */
export interface ServedTool {
  readonly tool: Tool;
  /** Performs it; the arguments are validated. */
  readonly run: (call: ValidCall) => Promise<object>;
}

/** A call that may be made. */
export interface ValidCall {
  perform: Perform;
  actor: AssistantActor;
  /** As in the tool's schema, with defaults filled in. */
  arguments: object;
  /** Its row in the call log, for operations that write it in the commit of the change. */
  logEntry: () => Omit<LoggedCall, "outcome" | "message">;
}

/**
 * Connects a tool to a product operation: how its arguments become the input and how the result becomes what the tool returns,
 * and nothing else. Texts, bounds and shapes are in the catalogue, rules in the operation.
 */
export function serve<const T extends Tool, Input, Result extends object>(
  tool: T,
  performs: Operation<Input, Result>,
  input: (given: ToolInput<T>) => Input,
  result: (result: Result, given: ToolInput<T>) => ToolOutput<T>,
): ServedTool {
  return {
    tool,
    async run({ perform, actor, arguments: given, logEntry }) {
      const operation = performs.mode === "write" ? logged(performs, logEntry) : performs;
      return result(await perform(actor, operation, input(given as ToolInput<T>)), given as ToolInput<T>) as object;
    },
  };
}

/** The same for a tool whose first call only asks for confirmation (decision 52): `plan` says what would be done. */
export function serveConfirmed<
  const T extends Tool & { confirmed: true },
  Input,
  Result extends object,
  Instead extends object = never,
>(
  tool: T,
  performs: Operation<Input, Result>,
  plan: (ctx: Context, input: Input) => Promise<Planned<Instead>>,
  input: (given: ToolInput<T>) => Input,
  result: (result: Result | Instead, given: ToolInput<T>) => ToolOutput<T>,
): ServedTool {
  return {
    tool,
    async run({ perform, actor, arguments: given, logEntry }) {
      const { confirmation_token: token, ...rest } = given as { confirmation_token?: string };
      const operation = confirmed(performs, { tool: tool.name, arguments: rest, token }, plan);
      const done = await perform(actor, logged(operation, logEntry), input(given as ToolInput<T>));
      return isQuestion(done) ? done : (result(done as Result | Instead, given as ToolInput<T>) as object);
    },
  };
}

const isQuestion = (done: object): done is ConfirmationRequired => "confirmation_required" in done;
