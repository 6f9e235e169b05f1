import type { FastifyInstance } from "fastify";
import { HttpProblem } from "../framework/http-problem.ts";
import { html, type Markup } from "./page.ts";

/** A submitted form: for each field, every value in the order of the body. */
export type Form = ReadonlyMap<string, readonly string[]>;

/** A form is small. */
export const FORM_LIMIT_BYTES = 16 * 1024;

/** Lets the routes of `scope` read `application/x-www-form-urlencoded` bodies, as a `Form`, and no others. */
export function readForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "buffer", bodyLimit: FORM_LIMIT_BYTES },
    async (_request: unknown, body: Buffer) => parseForm(body),
  );
}

/** @throws HttpProblem 400 on broken escapes, and on text that is not UTF-8 (refused, never replaced: decision 28) */
export function parseForm(body: Buffer): Form {
  const form = new Map<string, string[]>();
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body);
    for (const pair of text.split("&").filter(Boolean)) {
      const [name = "", ...value] = pair.split("=");
      const key = decoded(name);
      form.set(key, [...(form.get(key) ?? []), decoded(value.join("="))]);
    }
  } catch (cause) {
    throw new HttpProblem(400, "http.unreadable", { cause });
  }
  return form;
}

function decoded(text: string): string {
  return decodeURIComponent(text.replaceAll("+", " "));
}

/** The one value of a field; undefined when it is missing, came more than once, or there was no body at all. */
export function onlyValue(form: Form | undefined, name: string): string | undefined {
  const values = form?.get(name) ?? [];
  return values.length === 1 ? values[0] : undefined;
}

/** A field of a form as it is shown. */
export interface Field {
  name: string;
  label: string;
  hint?: string | undefined;
  type?: "text" | "email" | "password";
  /** What the browser may fill in. */
  autocomplete: string;
  value?: string | undefined;
  problem?: string | undefined;
}

/** A field with its label, its hint and its error, linked for screen readers. */
export function fieldMarkup({ name, label, hint, type = "text", autocomplete, value, problem }: Field): Markup {
  const described = [problem && `${name}-problem`, hint && `${name}-hint`].filter(Boolean).join(" ");
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : undefined}
${problem ? html`<p class="wrong" id="${name}-problem">${problem}</p>` : undefined}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required${
    described ? html` aria-describedby="${described}"` : undefined
  }${problem ? html` aria-invalid="true"` : undefined}${
    // A password is never sent back.
    type === "password" ? undefined : html` value="${value ?? ""}"`
  }>
</div>
`;
}

/** The errors, above the form, each line linked to its field. Nothing without errors. */
export function problemSummary(heading: string, fields: readonly Field[]): Markup | undefined {
  const wrong = fields.filter((field) => field.problem);
  if (wrong.length === 0) return undefined;
  return html`<div class="summary" role="alert">
<p>${heading}</p>
<ul>${wrong.map(({ name, label, problem }) => html`<li><a href="#${name}">${label}</a>: ${problem}</li>`)}</ul>
</div>
`;
}
