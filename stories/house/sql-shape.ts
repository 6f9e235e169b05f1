/**
 * Parses compiled statements: which tables a statement reaches, and by which teams.
 *
 * It knows the SQL that the query builder writes and the fragments in the stores, not all of SQL: what it does not
 * understand it reports as not filtered, so that a test fails instead of passing.
 */
export interface SqlShape {
  /** Every place in which rows of a table are read, changed or deleted. */
  reaches: Reach[];
  inserts: Insert[];
  /** The columns that an update writes, or an insert with a conflict. */
  updatedColumns: string[];
}

export interface Reach {
  table: string;
  /** Its `team_id` equals a given value, directly or by the `team_id` of another table. */
  ofGivenTeam: boolean;
  /** Its `team_id` is tied to that of the other tables around it. True for a single table. */
  ofOneTeam: boolean;
}

export interface Insert {
  table: string;
  columns: string[];
  /** There is a query among its VALUES. */
  asksInValues: boolean;
  /** The columns of ON CONFLICT; undefined without the clause, empty where it names none. */
  conflict: string[] | undefined;
}

type Token = { kind: "word" | "name" | "value" | "sign"; text: string };
type Node = Token | { kind: "group"; nodes: Node[] };

/** A place in FROM, or the target of a change. */
interface Source {
  alias: string;
  /** Undefined unless it is a table: for a query in FROM, a function, a name of WITH. */
  table: string | undefined;
  node: number;
}

interface Scope {
  sources: Source[];
  outer: Scope | undefined;
}

/** The node that every `team_id` equal to a given value is tied to. */
const GIVEN = 0;

const CLAUSES = new Set(["select", "from", "where", "on", "set", "values", "returning", "having", "limit", "offset"]);
const ENDS_SOURCES = new Set([...CLAUSES, "group", "order", "for", "window"]);
const STARTS_QUERY = new Set(["select", "with", "insert", "update", "delete", "values"]);
const SET_OPERATIONS = new Set(["union", "intersect", "except"]);

export function shapeOf(sql: string): SqlShape {
  return new ShapeReader().read(treeOf(tokensOf(sql)));
}

function tokensOf(sql: string): Token[] {
  const found = sql.matchAll(/'(?:[^']|'')*'|"([^"]+)"|(\$\d+|\?|\d+(?:\.\d+)?)|([a-z_]\w*)|::|[<>!|]?=|[^\s]/gi);
  return [...found].map(([text, name, value, word]) => {
    if (name !== undefined) return { kind: "name", text: name };
    if (value !== undefined || text.startsWith("'")) return { kind: "value", text };
    return word === undefined ? { kind: "sign", text } : { kind: "word", text: word.toLowerCase() };
  });
}

function treeOf(tokens: Token[]): Node[] {
  const open: Node[][] = [[]];
  for (const token of tokens) {
    if (token.kind === "sign" && token.text === "(") open.push([]);
    else if (token.kind === "sign" && token.text === ")") {
      const nodes = open.pop() ?? [];
      open.at(-1)?.push({ kind: "group", nodes });
    } else open.at(-1)?.push(token);
  }
  if (open.length !== 1) throw new Error("The parentheses of a statement do not match.");
  return open[0] ?? [];
}

const isWord = (node: Node | undefined, ...words: string[]): boolean =>
  node?.kind === "word" && words.includes(node.text);
const isSign = (node: Node | undefined, text: string): boolean => node?.kind === "sign" && node.text === text;
const isName = (node: Node | undefined): node is Token => node?.kind === "name" || node?.kind === "word";
const isQuery = (nodes: Node[]): boolean => nodes[0]?.kind === "word" && STARTS_QUERY.has(nodes[0].text);
/** A `from` that is part of an operator does not begin a list of tables. */
const beginsSources = (nodes: Node[], index: number): boolean =>
  isWord(nodes[index], "join", "using") || (isWord(nodes[index], "from") && !isWord(nodes[index - 1], "distinct"));

class ShapeReader {
  readonly #shape: SqlShape = { reaches: [], inserts: [], updatedColumns: [] };
  readonly #reached: { reach: Reach; node: number; around: number | undefined }[] = [];
  /** A union-find of nodes with the same `team_id`: each refers to another one of its set, or itself. */
  readonly #tied: number[] = [GIVEN];

  read(nodes: Node[]): SqlShape {
    this.#query(nodes, undefined, new Map());
    for (const { reach, node, around } of this.#reached) {
      reach.ofGivenTeam = this.#set(node) === this.#set(GIVEN);
      reach.ofOneTeam = reach.ofGivenTeam || around === undefined || this.#set(node) === this.#set(around);
    }
    return this.#shape;
  }

  /**
   * A query, and those inside it.
   *
   * @param named the names of WITH around it
   * @returns the first of its sources; undefined when it has none
   */
  #query(nodes: Node[], outer: Scope | undefined, named: ReadonlyMap<string, number>): number | undefined {
    const names = new Map(named);
    const rest = this.#withClause(nodes, outer, names);
    let first: number | undefined;
    for (const part of partsBetween(rest, (node) => node.kind === "word" && SET_OPERATIONS.has(node.text))) {
      const source = this.#simpleQuery(isWord(part[0], "all") ? part.slice(1) : part, outer, names);
      first ??= source;
    }
    return first;
  }

  /** Reads `with "a" as (…), "b" as (…)` into `names`; returns what follows. */
  #withClause(nodes: Node[], outer: Scope | undefined, names: Map<string, number>): Node[] {
    if (!isWord(nodes[0], "with")) return nodes;
    let at = isWord(nodes[1], "recursive") ? 2 : 1;
    for (;;) {
      const name = nodes[at];
      while (at < nodes.length && !isWord(nodes[at], "as")) at += 1;
      while (at < nodes.length && nodes[at]?.kind !== "group") at += 1;
      const body = nodes[at];
      if (!isName(name) || body?.kind !== "group") throw new Error("A WITH clause is not understood.");
      const node = this.#newNode();
      // A recursive query refers to its own name.
      names.set(name.text, node);
      this.#tie(node, this.#query(body.nodes, outer, names) ?? GIVEN);
      at += 1;
      if (!isSign(nodes[at], ",")) return nodes.slice(at);
      at += 1;
    }
  }

  #simpleQuery(nodes: Node[], outer: Scope | undefined, named: ReadonlyMap<string, number>): number | undefined {
    // `(select …) union …`
    const [only] = nodes;
    if (nodes.length === 1 && only?.kind === "group") return this.#query(only.nodes, outer, named);
    const scope: Scope = { sources: [], outer };
    if (isWord(nodes[0], "insert")) return this.#insert(nodes, outer, named);
    if (isWord(nodes[0], "update")) this.#addSource(nodes, 1, scope, named);
    for (let at = 0; at < nodes.length; at += 1) {
      if (!beginsSources(nodes, at)) continue;
      at = this.#addSource(nodes, at + 1, scope, named);
      while (isSign(nodes[at], ",")) at = this.#addSource(nodes, at + 1, scope, named);
      at -= 1;
    }
    this.#updated(nodes);
    this.#conditions(nodes, scope, named);
    this.#report(scope);
    return scope.sources[0]?.node;
  }

  /** Reads `"table" as "alias"`, `(select …) as "alias"` or `function(…) as "alias"`; returns where it ends. */
  #addSource(nodes: Node[], start: number, scope: Scope, named: ReadonlyMap<string, number>): number {
    let at = start;
    while (isWord(nodes[at], "lateral", "only")) at += 1;
    const source = nodes[at];
    at += 1;
    const node = this.#newNode();
    let table: string | undefined;
    let alias = "";
    if (source?.kind === "group") {
      this.#tie(node, (isQuery(source.nodes) && this.#query(source.nodes, scope, named)) || GIVEN);
    } else if (isName(source)) {
      alias = source.text;
      const known = named.get(alias);
      if (known !== undefined) this.#tie(node, known);
      // A function creates its rows from its arguments.
      else if (nodes[at]?.kind === "group") this.#tie(node, GIVEN);
      else table = alias;
    }
    if (nodes[at]?.kind === "group") at += 1;
    if (isWord(nodes[at], "as")) at += 1;
    const next = nodes[at];
    if (next?.kind === "name") {
      alias = next.text;
      at += 1;
    } else if (
      next?.kind === "word" &&
      !ENDS_SOURCES.has(next.text) &&
      !/^(left|inner|cross|join|using)$/.test(next.text)
    ) {
      alias = next.text;
      at += 1;
    }
    if (nodes[at]?.kind === "group") at += 1;
    scope.sources.push({ alias, table, node });
    return at;
  }

  #insert(nodes: Node[], outer: Scope | undefined, named: ReadonlyMap<string, number>): number | undefined {
    const [, , target, columns] = nodes;
    if (!isName(target)) throw new Error("An INSERT is not understood.");
    const conflictAt = nodes.findIndex((node, at) => isWord(node, "conflict") && isWord(nodes[at - 1], "on"));
    const body = nodes.slice(columns?.kind === "group" ? 4 : 3, conflictAt < 0 ? undefined : conflictAt - 1);
    const keys = nodes[conflictAt + 1];
    const values = isWord(body[0], "values") ? body : [];
    this.#shape.inserts.push({
      table: target.text,
      columns: columns?.kind === "group" ? namesIn(columns.nodes) : [],
      asksInValues: values.some((node) => node.kind === "group" && asks(node.nodes)),
      conflict: conflictAt < 0 ? undefined : keys?.kind === "group" ? namesIn(keys.nodes) : [],
    });
    // The conflicting row has the key of the new one, and so its team.
    const met = [target.text, "excluded"].map((alias) => ({ alias, table: undefined, node: GIVEN }));
    if (conflictAt >= 0) {
      this.#updated(nodes.slice(conflictAt));
      this.#conditions(nodes.slice(conflictAt + 1), { sources: met, outer }, named);
    }
    const scope: Scope = { sources: [], outer };
    if (isWord(body[0], "select", "with")) return this.#query(body, scope, named);
    this.#conditions(body, scope, named);
    return undefined;
  }

  /** The columns after SET. */
  #updated(nodes: Node[]): void {
    const start = nodes.findIndex((node) => isWord(node, "set"));
    if (start < 0) return;
    const end = nodes.findIndex((node, at) => at > start && isWord(node, "from", "where", "returning"));
    for (const part of partsBetween(nodes.slice(start + 1, end < 0 ? undefined : end), (node) => isSign(node, ","))) {
      const [column] = part;
      if (column?.kind === "group") this.#shape.updatedColumns.push(...namesIn(column.nodes));
      else if (isName(column)) this.#shape.updatedColumns.push(column.text);
    }
  }

  /** What WHERE and ON require of every row; queries inside any expression. */
  #conditions(nodes: Node[], scope: Scope, named: ReadonlyMap<string, number>): void {
    let clause: Node[] = [];
    let demands = false;
    const finish = () => {
      this.#expression(clause, demands, scope, named);
      clause = [];
    };
    nodes.forEach((node, at) => {
      const begins =
        (node.kind === "word" && ENDS_SOURCES.has(node.text) && !(isWord(node, "from") && !beginsSources(nodes, at))) ||
        isWord(node, "join");
      if (!begins) {
        // A query in FROM was read as a source.
        const isSource = node.kind === "group" && beginsSources(nodes, at - (isWord(nodes[at - 1], "lateral") ? 2 : 1));
        if (!isSource) clause.push(node);
        return;
      }
      finish();
      demands = isWord(node, "where", "on");
    });
    finish();
  }

  #expression(nodes: Node[], demands: boolean, scope: Scope, named: ReadonlyMap<string, number>): void {
    // One of several alternatives requires nothing.
    const conjunction = demands && !nodes.some((node) => isWord(node, "or", "case"));
    nodes.forEach((node, at) => {
      if (node.kind === "group") {
        const denied = isWord(nodes[at - 1], "not") || (isName(nodes[at - 1]) && !isWord(nodes[at - 1], "and"));
        if (isQuery(node.nodes)) this.#query(node.nodes, scope, named);
        else this.#expression(node.nodes, conjunction && !denied, scope, named);
      }
      if (conjunction && isSign(node, "=")) this.#equation(nodes, at, scope);
    });
  }

  #equation(nodes: Node[], at: number, scope: Scope): void {
    const left = this.#teamBefore(nodes, at, scope);
    const right = this.#teamAfter(nodes, at, scope);
    const value = isValue(nodes[at + 1]) || (isWord(nodes[at + 1], "cast") && nodes[at + 2]?.kind === "group");
    if (left !== undefined) this.#tie(left, right ?? (value ? GIVEN : left));
    else if (right !== undefined && isValue(nodes[at - 1])) this.#tie(right, GIVEN);
  }

  /** The source whose `team_id` ends right before `at`. */
  #teamBefore(nodes: Node[], at: number, scope: Scope): number | undefined {
    if (!isTeamId(nodes[at - 1])) return undefined;
    return this.#sourceOf(isSign(nodes[at - 2], ".") ? nodes[at - 3] : undefined, scope);
  }

  #teamAfter(nodes: Node[], at: number, scope: Scope): number | undefined {
    if (isTeamId(nodes[at + 1])) return this.#sourceOf(undefined, scope);
    return isSign(nodes[at + 2], ".") && isTeamId(nodes[at + 3]) ? this.#sourceOf(nodes[at + 1], scope) : undefined;
  }

  #sourceOf(alias: Node | undefined, scope: Scope): number | undefined {
    if (alias === undefined) return (scope.sources.find(({ table }) => table) ?? scope.sources[0])?.node;
    if (!isName(alias)) return undefined;
    for (let one: Scope | undefined = scope; one; one = one.outer) {
      const found = one.sources.find((source) => source.alias === alias.text);
      if (found) return found.node;
    }
    return undefined;
  }

  #report({ sources, outer }: Scope): void {
    const around = outer?.sources[0]?.node ?? sources[0]?.node;
    for (const { table, node } of sources) {
      if (table === undefined) continue;
      const reach: Reach = { table, ofGivenTeam: false, ofOneTeam: false };
      this.#shape.reaches.push(reach);
      this.#reached.push({ reach, node, around });
    }
  }

  #newNode(): number {
    return this.#tied.push(this.#tied.length) - 1;
  }

  #tie(one: number, other: number): void {
    this.#tied[this.#set(one)] = this.#set(other);
  }

  #set(node: number): number {
    const next = this.#tied[node] ?? node;
    return next === node ? node : this.#set(next);
  }
}

const isTeamId = (node: Node | undefined): boolean => isName(node) && node.text === "team_id";
const isValue = (node: Node | undefined): boolean => node?.kind === "value";

/** Whether there is a query in it, at any depth. */
function asks(nodes: Node[]): boolean {
  return isWord(nodes[0], "select", "with") || nodes.some((node) => node.kind === "group" && asks(node.nodes));
}

function namesIn(nodes: Node[]): string[] {
  return nodes.filter(isName).map(({ text }) => text);
}

function partsBetween(nodes: Node[], isBorder: (node: Node) => boolean): Node[][] {
  const parts: Node[][] = [[]];
  for (const node of nodes) {
    if (isBorder(node)) parts.push([]);
    else parts.at(-1)?.push(node);
  }
  return parts;
}
