/**
 * The published part of the catalogue: the tools that a connection's permissions allow, in the catalogue's order, as MCP lists
 * them and as OpenAI's function definitions. A tool that was not granted is not in the list (spec, "Conventions"; decision 50).
 *
 * The entries are built once, from the catalogue alone; they hold no data of a team or its customers.
 */
import type { AssistantPermission } from "../domain/assistant-permissions.ts";
import { assistantPermissionNames } from "../domain/assistant-permissions.ts";
import type { Tool, ToolAnnotations } from "./tool.ts";
import { tools } from "./tools.ts";

/** What a connection may see. */
export interface ToolView {
  /** Granted permissions, in any order. */
  readonly permissions: readonly AssistantPermission[];
  /** True: the tools that change something are left out, whatever was granted (`/mcp/readonly`). */
  readonly readOnly?: boolean;
}

/** A tool in the answer of `tools/list` and of GET /tools. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
  readonly annotations: ToolAnnotations;
}

/** A tool in the answer of GET /tools?format=openai. */
export interface ListedFunction {
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: JsonObject;
    /**
     * Always false: strict calls have to give every parameter, and null for what they leave out, which our arguments do not
     * take. It is sent because one of OpenAI's interfaces takes an absent flag for false and another one for true.
     */
    readonly strict: false;
  };
}

type JsonObject = Readonly<Record<string, unknown>>;

/** The tools of a view, for MCP. The same view gets the same, frozen list. */
export function listedTools(view: ToolView): readonly ListedTool[] {
  return listsOf(view).tools;
}

/** The tools of a view, as function definitions. The same view gets the same, frozen list. */
export function listedFunctions(view: ToolView): readonly ListedFunction[] {
  return listsOf(view).functions;
}

interface Lists {
  readonly tools: readonly ListedTool[];
  readonly functions: readonly ListedFunction[];
}

/** How many views are cached: more than an installation uses, and far fewer than are possible. */
const KEPT_VIEWS = 256;
/** Derived from the catalogue and the view alone, so that it is the same in every process and for every caller. */
const kept = new Map<number, Lists>();

function listsOf(view: ToolView): Lists {
  const key = keyOf(view);
  const known = kept.get(key);
  if (known) return known;

  const lists = makeLists(view);
  const [oldest] = kept.keys();
  if (kept.size >= KEPT_VIEWS && oldest !== undefined) kept.delete(oldest);
  kept.set(key, lists);
  return lists;
}

/** A bit for each permission, and one for `readOnly`. */
function keyOf({ permissions, readOnly = false }: ToolView): number {
  const granted = assistantPermissionNames.map((name) => permissions.includes(name));
  return [readOnly, ...granted].reduce((key, bit) => key * 2 + Number(bit), 0);
}

function makeLists({ permissions, readOnly = false }: ToolView): Lists {
  const shown = published.filter(
    ({ tool }) => permissions.includes(tool.permission) && (!readOnly || tool.annotations.readOnlyHint),
  );
  return {
    tools: Object.freeze(shown.map(({ listed }) => listed)),
    functions: Object.freeze(shown.map(({ asFunction }) => asFunction)),
  };
}

const published = (Object.values(tools) as Tool[]).map((tool) => ({
  tool,
  listed: frozenCopy(listedTool(tool)),
  asFunction: frozenCopy(listedFunction(tool)),
}));

function listedTool({ name, title, description, input, output, annotations }: Tool): ListedTool {
  return { name, title, description, inputSchema: { ...input }, outputSchema: { ...output }, annotations };
}

function listedFunction({ name, description, input }: Tool): ListedFunction {
  return { type: "function", function: { name, description, parameters: { ...input }, strict: false } };
}

/** A frozen copy as plain JSON, so that a caller can change neither the list nor the catalogue. */
function frozenCopy<T extends object>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_key, part) => Object.freeze(part));
}
