import { allowedNetworks } from "../../outbound/allowed-networks.ts";
import type { NameLookup } from "../../outbound/name-lookup.ts";
import { createStreams } from "../../outbound/stream.ts";
import type { Timeouts } from "../../timeouts.ts";
import { callWithRetries } from "./call-with-retries.ts";
import { type ChatParts, chatOnce, EMBEDDED_AT_ONCE, embedOnce, listModels } from "./chat-completions.ts";
import type { ModelClients, ModelConnection } from "./model-client.ts";

/** The operator has named this one origin, so any address of it is meant. */
const ANYWHERE = { none: false, include: () => true };

/**
 * The ways to the model servers of all teams.
 *
 * @param options.allowedNetworks AI_ALLOWED_NETWORKS
 * @param options.operatorBaseUrl AI_BASE_URL, which may be anywhere; undefined without one
 * @param options.extraCa trusted certificates (PEM) besides those that Node trusts
 * @param options.lookup replaces the name servers
 * @param options.now ms since 1970; `steadyNow` is never set back
 * @param options.random from 0 to 1
 */
export function createModelClients({
  allowedNetworks: entries,
  operatorBaseUrl,
  timeouts,
  extraCa,
  lookup,
  now,
  steadyNow,
  random,
}: {
  allowedNetworks: readonly string[];
  operatorBaseUrl?: string | undefined;
  timeouts: Timeouts;
  extraCa?: string | undefined;
  lookup?: NameLookup | undefined;
  now: () => number;
  steadyNow: () => number;
  random: () => number;
}): ModelClients {
  const vetted = createStreams({ allowed: allowedNetworks(entries), timeouts, extraCa, lookup });
  const operatorOrigin = operatorBaseUrl === undefined ? undefined : new URL(operatorBaseUrl).origin;
  const named = operatorOrigin === undefined ? vetted : createStreams({ allowed: ANYWHERE, timeouts, extraCa, lookup });
  const memory = new Map();
  return {
    clientFor(connection) {
      const parts = partsFor(connection);
      const calling = <T>(signal: AbortSignal | undefined, attempt: (signal: AbortSignal) => Promise<T>) =>
        callWithRetries(attempt, { signal, timeouts, random });
      return {
        async chat(request, { signal, onText, onSoFar } = {}) {
          const from = steadyNow();
          const end = await calling(signal, (ending) =>
            chatOnce(parts, connection, request, { signal: ending, onText, onSoFar }),
          );
          return { ...end, milliseconds: Math.round(steadyNow() - from) };
        },
        async embed(texts, signal) {
          const vectors: Float32Array[] = [];
          for (let at = 0; at < texts.length; at += EMBEDDED_AT_ONCE) {
            const some = texts.slice(at, at + EMBEDDED_AT_ONCE);
            vectors.push(...(await calling(signal, async (ending) => embedOnce(parts, connection, some, ending))));
          }
          return vectors;
        },
        models: (signal) => calling(signal, (ending) => listModels(parts, connection, ending)),
      };
    },
    close() {
      vetted.close();
      named.close();
    },
  };

  function partsFor({ baseUrl }: ModelConnection): ChatParts {
    const streams = URL.parse(baseUrl)?.origin === operatorOrigin ? named : vetted;
    return { streams, memory, now, steadyNow };
  }
}
