import { createHash } from "node:crypto";
import { widgetTag } from "@frontdesk/core/domain/widget-tag";
import type { ShownWidget } from "../../widgets/show-widget.ts";
import { html, type Markup } from "./page.ts";

/**
 * A small shop that shows the widget on a customer's page, with the tag to copy. It loads the widget the way every page does.
 *
 * @param options.publicUrl the beginning of the address in the tag
 */
export function demoPage({ widget, publicUrl }: { widget: ShownWidget; publicUrl: string }): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Fern & Field – plants for every window</title>
<style>${STYLE}</style>
</head>
<body>
<aside class="note" aria-label="About this page">
<div>
<p><strong>This is a demo.</strong> The button in the corner is your widget${widget.name ? html` “${widget.name}”` : undefined}, and it's live: messages you send there go to ${widget.teamName}. To add it to your own pages, use this line, just before <code>&lt;/body&gt;</code>:</p>
<pre tabindex="0" aria-label="The tag to copy"><code>${widgetTag(publicUrl, widget.id)}</code></pre>
</div>
</aside>
<header>
<p class="mark">${LEAF} Fern & Field</p>
<nav aria-label="Shop"><a href="#plants">Plants</a> <a href="#care">Care</a> <a href="#delivery">Delivery</a></nav>
</header>
<main>
<section class="hero">
<div>
<h1>A plant for every window</h1>
<p>Grown in our own greenhouse, potted by hand, and at your door within three days. Not sure which one gets along with your light? Ask us.</p>
<p><a class="call" href="#plants">See the plants</a></p>
</div>
<div class="scene">${plant("hero", "#2f855a", "#c8643c")}</div>
</section>
<section id="plants">
<h2>This week in the greenhouse</h2>
<ul class="plants">
${PLANTS.map(
  ({ name, light, price, leaf, pot, shape }) => html`<li>
<div class="picture">${plant(shape, leaf, pot)}</div>
<h3>${name}</h3>
<p class="quiet">${light}</p>
<p class="price">€ ${price}</p>
</li>
`,
)}</ul>
</section>
<div class="pair">
<section id="care">
<h2>Care without a calendar</h2>
<p>Put a finger into the soil. Dry to the second knuckle? Then water. Most house plants die of too much kindness, and very few of too little.</p>
</section>
<section id="delivery">
<h2>Delivered upright</h2>
<p>We send on Mondays and Tuesdays, so that no plant spends a weekend in a van. If one arrives unhappy, we send another.</p>
</section>
</div>
</main>
<footer><p>Fern & Field is made up. The chat is not.</p></footer>
<script async src="../widget.js?widget=${widget.id}" data-widget="${widget.id}"></script>
</body>
</html>
`.text;
}

/** The page may run the widget's loader and show its frame: what the widget needs on every page, and nothing more. */
export function demoPolicy(): string {
  const hash = createHash("sha256").update(STYLE.text).digest("base64");
  return [
    "default-src 'none'",
    "script-src 'self'",
    "frame-src 'self'",
    `style-src 'sha256-${hash}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

type Shape = "hero" | "tall" | "round" | "spiky" | "hanging";

const PLANTS: readonly { name: string; light: string; price: string; leaf: string; pot: string; shape: Shape }[] = [
  { name: "Rubber fig", light: "Bright, out of the sun", price: "34", leaf: "#276749", pot: "#8d8478", shape: "tall" },
  { name: "Pilea", light: "Any east window", price: "18", leaf: "#4c9a5f", pot: "#d98f5c", shape: "round" },
  { name: "Snake plant", light: "Even a hallway", price: "22", leaf: "#3d7a57", pot: "#54677d", shape: "spiky" },
  { name: "String of hearts", light: "Bright shelf", price: "16", leaf: "#5f8f6b", pot: "#b86a5b", shape: "hanging" },
];

const LEAF = html`<svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true"><path fill="#2f855a" d="M20 3C10 3 4 8 4 15c0 1.5.3 2.9.8 4.1L3.3 20.7l1.4 1.4 1.6-1.6A8 8 0 0 0 9 21c8 0 11-8 11-18zM8 17c1-4 4-7 8-9-3 3-5 6-6 9z"/></svg>`;

function plant(shape: Shape, leaf: string, pot: string): Markup {
  return html`<svg viewBox="0 0 160 160" aria-hidden="true">${leaves(shape, leaf)}<path fill="${pot}" d="M52 108h56l-6 36a6 6 0 0 1-6 5H64a6 6 0 0 1-6-5z"/><path fill="#000" fill-opacity=".12" d="M52 108h56l-1.5 9h-53z"/></svg>`;
}

function leaves(shape: Shape, color: string): Markup {
  const leaf = (x: number, y: number, turn: number, length: number, width: number) =>
    html`<g transform="translate(${x} ${y}) rotate(${turn})"><path fill="${color}" d="M0 0C${-width} ${-length * 0.35} ${-width * 0.7} ${-length * 0.8} 0 ${-length}C${width * 0.7} ${-length * 0.8} ${width} ${-length * 0.35} 0 0z"/><path fill="none" stroke="#fff" stroke-opacity=".28" stroke-width="1.5" d="M0 -4V${-length * 0.86}"/></g>`;
  switch (shape) {
    case "hero":
      return html`${[-62, 62, -38, 38, -16, 16, 0].map((turn) => leaf(80, 112, turn, 92 - Math.abs(turn) * 0.35, 18))}`;
    case "tall":
      return html`<path stroke="${color}" stroke-width="4" d="M80 110V34"/>${[100, 82, 64, 48].map((y, row) => [leaf(80, y, -58 + row * 6, 46, 15), leaf(80, y - 8, 58 - row * 6, 46, 15)])}${leaf(80, 44, 0, 36, 11)}`;
    case "round":
      return html`${[-64, -38, -14, 14, 38, 64].map((turn) => html`<g transform="translate(80 110) rotate(${turn})"><path stroke="${color}" stroke-width="2.5" d="M0 0V-58"/><circle cy="-64" r="15" fill="${color}"/><circle cy="-64" r="2.5" fill="#fff" fill-opacity=".5"/></g>`)}`;
    case "spiky":
      return html`${[-20, 20, -9, 10, 0].map((turn, at) => leaf(80 + turn * 0.6, 112, turn, 78 + at * 7, 9))}`;
    case "hanging":
      return html`${[56, 68, 80, 92, 104].map((x, at) => html`<path fill="none" stroke="${color}" stroke-width="2" d="M${x} 108C${x - 10} 84 ${x + 10} 70 ${x + (x - 80) * 0.5} ${58 + (at % 2) * 14}"/>${[62, 76, 90].map((y) => html`<circle cx="${x + (x - 80) * 0.25}" cy="${y}" r="6" fill="${color}"/>`)}`)}`;
    default:
      return shape satisfies never;
  }
}

const STYLE = html`
:root {
  --ground: #fbfaf7; --card: #fff; --ink: #1f2a24; --quiet: #5c675f; --line: #e6e3da; --green: #276749; --wash: #edf3ee; --note: #f1efe8;
}
@media (prefers-color-scheme: dark) {
  :root { --ground: #141815; --card: #1c211e; --ink: #e8ece9; --quiet: #a3ada6; --line: #2e3530; --green: #8fd0a8; --wash: #1d2a22; --note: #1d211e; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; }
.note { background: var(--note); border-bottom: 1px solid var(--line); font-size: .875rem; }
.note > div { max-width: 66rem; margin: auto; padding: 1rem 1.5rem; }
.note p { margin: 0 0 .6rem; max-width: 60rem; }
pre { margin: 0; padding: .7rem .9rem; overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; user-select: all; }
code { font: .8125rem/1.5 ui-monospace, monospace; }
header, main, footer { max-width: 66rem; margin: auto; padding: 0 1.5rem; }
header { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 2rem; padding-block: 1.25rem; }
.mark { display: flex; align-items: center; gap: .5rem; margin: 0; font-weight: 650; font-size: 1.125rem; letter-spacing: -.01em; }
nav { display: flex; gap: 1.5rem; }
a { color: inherit; text-decoration: none; }
nav a { padding: .25rem 0; color: var(--quiet); }
nav a:hover { color: var(--ink); text-decoration: underline; }
:focus-visible { outline: 2px solid var(--green); outline-offset: 3px; border-radius: 4px; }
.hero { display: grid; grid-template-columns: 1.2fr 1fr; align-items: center; gap: 2rem; padding: 2.5rem clamp(1.5rem, 5vw, 4rem); background: var(--wash); border-radius: 1.25rem; }
.scene { max-width: 19rem; margin: auto; width: 100%; }
h1 { margin: 0 0 1rem; font-size: clamp(2rem, 5vw, 3.1rem); line-height: 1.08; letter-spacing: -.025em; font-weight: 680; }
h2 { margin: 3rem 0 1.1rem; font-size: 1.35rem; letter-spacing: -.015em; }
h3 { margin: .9rem 0 0; font-size: 1rem; }
p { margin: 0 0 1rem; max-width: 36rem; }
.call { display: inline-block; padding: .7rem 1.25rem; color: var(--ground); background: var(--green); border-radius: 999px; font-weight: 600; }
.plants { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 1.25rem; margin: 0; padding: 0; list-style: none; }
.picture { padding: 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 1rem; }
.picture svg { display: block; max-width: 9rem; margin: auto; }
.quiet { margin: 0; color: var(--quiet); font-size: .9rem; }
.price { margin: .25rem 0 0; font-variant-numeric: tabular-nums; font-weight: 600; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 0 2.5rem; }
footer { padding-block: 3rem 6rem; color: var(--quiet); font-size: .9rem; }
@media (max-width: 44rem) { .hero { grid-template-columns: 1fr; } .scene { max-width: 13rem; } }
`;
