import { readSettings, type Settings } from "../config.ts";
import { OperatorError } from "../operator-error.ts";
import type { Check } from "./check.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings as far as they can be read, and which of them are wrong. */
export interface ReadSettings {
  check: Check;
  /** A wrong setting has its default here. */
  settings: Settings;
  wrong: ReadonlySet<string>;
}

/** All settings together; each problem is reported. */
export function checkSettings(env: Environment): ReadSettings {
  const name = "settings";
  try {
    return {
      check: { name, state: "ok", says: "All settings are valid." },
      settings: readSettings(env),
      wrong: new Set(),
    };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const [, ...lines] = error.message.split("\n").map((line) => line.trim());
    const wrong = new Set(lines.map((line) => line.split(" ", 1)[0] as string));
    // A bucket needs all of its settings.
    const noBucket = [...wrong].some((setting) => setting.startsWith("S3_"));
    const rest = Object.fromEntries(
      Object.entries(env).filter(([setting]) => !wrong.has(setting) && !(noBucket && setting.startsWith("S3_"))),
    );
    return {
      check: { name, state: "problem", says: lines.join("\n"), do: "Fix them, or unset them to use the defaults." },
      settings: readSettings(rest),
      wrong,
    };
  }
}
