import type { ModelConnection } from "./model-client.ts";
import type { ModelFailure } from "./model-errors.ts";

/** A team can name two models of one server; the second is asked where the first one fails. */
export type ModelChoice = "first" | "second";

/** What a failure lies in: a model, all that is asked of the server with this key, or neither, when the caller has ended the call. */
export function faultOf({ kind, status }: Pick<ModelFailure, "kind" | "status">): "model" | "server" | "caller" {
  switch (kind) {
    case "blocked":
    case "unreachable":
      return "server";
    case "refused":
      // The key is the same for both; the name of the model is not.
      return status === 404 ? "model" : "server";
    case "rejected":
    case "busy":
    case "failing":
    case "timeout":
    case "cut":
    case "filtered":
    case "length":
    case "empty":
    case "garbage":
      return "model";
    case "aborted":
      return "caller";
    default:
      return kind satisfies never;
  }
}

/** The connection with the chosen model; one that has lost its second one meanwhile has the first. */
export function connectionTo(connection: ModelConnection, choice: ModelChoice): ModelConnection {
  const { model, secondModel = model } = connection;
  return choice === "first" ? connection : { ...connection, model: secondModel };
}
