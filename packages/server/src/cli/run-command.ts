import { type ParseArgsConfig, parseArgs } from "node:util";
import { Refusal } from "@frontdesk/core/domain/refusal";
import { readSettings } from "../config.ts";
import { OperatorError } from "../operator-error.ts";
import { StorageUnavailable } from "../storage/database.ts";
import { agentCreate } from "./agent-create.ts";
import { agentDeactivate } from "./agent-deactivate.ts";
import { agentPassword } from "./agent-password.ts";
import { agentRemove } from "./agent-remove.ts";
import { agentResetFactors } from "./agent-reset-factors.ts";
import { assistantCreate } from "./assistant-create.ts";
import { assistantList } from "./assistant-list.ts";
import { assistantPause, assistantResume, assistantRevoke } from "./assistant-state.ts";
import { backup } from "./backup.ts";
import { type Answer, type Command, type Options, UsageError } from "./command.ts";
import { demo } from "./demo.ts";
import { doctor } from "./doctor.ts";
import { keyCreate } from "./key-create.ts";
import { keyList } from "./key-list.ts";
import { keyRevoke } from "./key-revoke.ts";
import { mcp } from "./mcp.ts";
import { migrate } from "./migrate.ts";
import { progressBar } from "./progress-bar.ts";
import { restore } from "./restore.ts";
import { secretKeyRotate } from "./secret-key-rotate.ts";
import { serve } from "./serve.ts";
import { setup } from "./setup.ts";
import { ssoDomain } from "./sso-domain.ts";
import { ssoOff } from "./sso-off.ts";
import { teamUpdate } from "./team-update.ts";
import { widgetCreate } from "./widget-create.ts";
import { widgetIdentity } from "./widget-identity.ts";
import { widgetRemove } from "./widget-remove.ts";
import { widgetUpdate } from "./widget-update.ts";

const commands: readonly Command[] = [
  serve,
  setup,
  migrate,
  keyCreate,
  keyList,
  keyRevoke,
  agentCreate,
  agentPassword,
  agentResetFactors,
  agentDeactivate,
  agentRemove,
  widgetCreate,
  widgetUpdate,
  widgetIdentity,
  widgetRemove,
  teamUpdate,
  ssoDomain,
  ssoOff,
  assistantCreate,
  assistantList,
  assistantPause,
  assistantResume,
  assistantRevoke,
  mcp,
  demo,
  doctor,
  secretKeyRotate,
  backup,
  restore,
];

const EXIT_OK = 0;
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

/** Where the output goes. */
export interface Output {
  answer(text: string): void;
  error(text: string): void;
}

/**
 * Runs `frontdesk <args>`. The answer goes to standard output, as text or (`--json`) as one line of JSON; so does the error of
 * a run with `--json`, as `{"error": "…"}`. An error for a person goes to standard error.
 *
 * @returns the exit code: 0, 1 when it failed, 2 when it could not be parsed
 */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  output: Output = { answer: (text) => process.stdout.write(text), error: (text) => process.stderr.write(text) },
): Promise<number> {
  const json = args.includes("--json");
  const print = (answer: Answer) => output.answer(`${json ? JSON.stringify(answer.json) : answer.text}\n`);
  try {
    const { command, rest } = findCommand(args);
    if (!command || rest.includes("--help") || rest.includes("-h")) {
      output.answer(command ? helpOf(command) : overview());
      return EXIT_OK;
    }
    const values = readOptions(command, rest);
    const ending = await command.run(values, {
      get settings() {
        return readSettings(env);
      },
      env,
      print,
      progress: progressBar({ shown: !json, output }),
    });
    return ending === "failed" ? EXIT_FAILED : EXIT_OK;
  } catch (error) {
    const message = tellable(error);
    if (json) output.answer(`${JSON.stringify({ error: message })}\n`);
    else output.error(`${message}\n`);
    return error instanceof UsageError ? EXIT_USAGE : EXIT_FAILED;
  }
}

/** No command is found when only help is requested. */
function findCommand(args: readonly string[]): { command: Command | undefined; rest: readonly string[] } {
  for (const command of commands) {
    const words = command.name.split(" ");
    if (words.every((word, index) => args[index] === word)) return { command, rest: args.slice(words.length) };
  }
  if (args[0] === "--help" || args[0] === "-h" || args[0] === "help") return { command: undefined, rest: args };
  const typed = args.filter((arg) => !arg.startsWith("-")).slice(0, 2);
  const problem = typed.length > 0 ? `Unknown command "${typed.join(" ")}".` : "No command given.";
  throw new UsageError(
    `${problem} Available commands: ${commands.map(({ name }) => name).join(", ")}.\nRun frontdesk --help for details.`,
  );
}

/** @throws UsageError naming the option that is unknown, repeated, without its value, or missing */
function readOptions(command: Command, args: readonly string[]): Record<string, string | undefined> {
  const entries = Object.entries(command.options);
  const named = entries.filter(([, option]) => !option.positional).map(([name]) => name);
  const positional = entries.filter(([, option]) => option.positional).map(([name]) => name);
  const usage = (problem: string) => new UsageError(`${problem}\nRun frontdesk ${command.name} --help for details.`);

  const { values, positionals } = parsed(args, command.options, named, usage);
  const surplus = positionals[positional.length];
  if (surplus !== undefined) throw usage(`Unexpected argument "${surplus}".`);

  const read: Record<string, string | undefined> = {};
  for (const name of named) {
    const given = values[name] as (string | true)[] | undefined;
    if (given && given.length > 1) throw usage(`--${name} is given more than once.`);
    read[name] = given?.[0] === true ? "on" : given?.[0];
  }
  positional.forEach((name, index) => {
    read[name] = positionals[index];
  });
  for (const [name, option] of entries) {
    if (read[name] === "") throw usage(`${nameOf(name, command)} is empty.`);
    if (option.required && read[name] === undefined) throw usage(`${nameOf(name, command)} is missing.`);
  }
  return read;
}

function parsed(
  args: readonly string[],
  declared: Options,
  named: readonly string[],
  usage: (problem: string) => UsageError,
) {
  const typeOf = (name: string) => (declared[name]?.value === undefined ? "boolean" : "string");
  // As lists, because the last of two would silently win.
  const lists = named.map((name) => [name, { type: typeOf(name), multiple: true }] as const);
  const options: NonNullable<ParseArgsConfig["options"]> = { ...Object.fromEntries(lists), json: { type: "boolean" } };
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith("ERR_PARSE_ARGS_")) throw error;
    const option = /'(?:-\w, )?(-{1,2}[^\s'<=]+)/.exec(message)?.[1] ?? "An option";
    if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") throw usage(`Unknown option ${option}.`);
    if (option === "--json" || typeOf(option.slice(2)) === "boolean") throw usage(`${option} doesn't take a value.`);
    throw usage(`${option} needs a value. If the value starts with a dash, write ${option}=VALUE.`);
  }
}

function nameOf(name: string, command: Command): string {
  const option = command.options[name];
  return option?.positional ? `${option.value}` : `--${name}`;
}

/** The message of an expected error; the whole stack of an internal error, which has to be found. */
function tellable(error: unknown): string {
  if (error instanceof UsageError || error instanceof OperatorError) return error.message;
  if (error instanceof StorageUnavailable)
    return `${error.message}\nCheck that it is running and that DATABASE_URL or DATA_DIR is correct.`;
  if (error instanceof Refusal) {
    const { reason, message } = error;
    if (reason.name !== "invalid") return message;
    return Object.entries(reason.errors)
      .map(([field, problems]) => `${field}: ${problems.join(" ")}`)
      .join("\n");
  }
  return `This is a bug in Frontdesk. Please report it:\n${error instanceof Error ? error.stack : String(error)}`;
}

function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `Frontdesk: self-hosted live chat and support.

Usage: frontdesk <command> [--json]

${lines.join("\n")}

Run frontdesk <command> --help for details about a command.
Settings are environment variables: PORT, HOST, PUBLIC_URL, DATA_DIR, DATABASE_URL and others. The guide lists them all.
`;
}

function helpOf(command: Command): string {
  const options = Object.entries(command.options).map(([name, option]) => ({
    usage: option.positional ? `${option.value}` : [`--${name}`, option.value].filter(Boolean).join(" "),
    help: option.help,
    required: option.required,
  }));
  const usage = options.map((option) => (option.required ? option.usage : `[${option.usage}]`));
  const all = [...options, { usage: "--json", help: "Print the result as one line of JSON." }];
  const width = Math.max(...all.map((option) => option.usage.length));
  return `${command.summary}

Usage: frontdesk ${[command.name, ...usage].join(" ")} [--json]

${all.map((option) => `  ${option.usage.padEnd(width)}  ${option.help}`).join("\n")}
`;
}
