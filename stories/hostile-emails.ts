/**
 * Ways in which the HTML of an email tries to run a script, or to make the browser load something that tells its sender who reads it.
 * `URL` is where a request would be noticed, `RUN` is a script that leaves a mark on every page that it reaches.
 */
import { signIn } from "@frontdesk/testing/agent-browser";
import { openBrowser } from "@frontdesk/testing/browser";
import { htmlEmail, isFilled, ofEmail, openFormatted, openMailbox } from "@frontdesk/testing/formatted-email";
import type { Receiver } from "@frontdesk/testing/https-receiver";
import type { Shop } from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Those that can stand beside others in one email. */
const TRICKS: Readonly<Record<string, string>> = {
  // Scripts.
  "a script": "<script>RUN</script>",
  "a script in capitals, with odd spaces": "<SCRIPT\n/x>RUN</SCRIPT\t>",
  "a script from elsewhere": '<script src="URL/script.js"></script>',
  "a module": '<script type="module" src="URL/module.js"></script>',
  "an error handler": '<img src="x" onerror="RUN">',
  "a handler after a slash": "<img/src=x/onerror=RUN>",
  "a load handler": '<body onload="RUN">',
  "a handler of an animation": '<style>@keyframes k{}</style><b style="animation:k 1s" onanimationstart="RUN">b</b>',
  "a toggle handler": '<details open ontoggle="RUN"><summary>s</summary>d</details>',
  "a focus handler": '<a href="#" tabindex="1" autofocus onfocus="RUN">f</a>',
  "a popover handler": '<button popovertarget="p">b</button><div id="p" popover onbeforetoggle="RUN">p</div>',
  "a marquee handler": '<marquee onstart="RUN">m</marquee>',
  "a video handler": '<video src="x" onerror="RUN"><source onerror="RUN"></video>',
  "a script address": '<a id="js" href="javascript:RUN">a</a>',
  "a script address in entities": '<a href="&#106;avascript&colon;RUN">a</a>',
  "a script address with a tab": '<a href="jav&#x09;ascript:RUN">a</a>',
  "a script address with control characters": '<a href="&#1;javascript:RUN">a</a>',
  "a VBScript address": '<a href="vbscript:RUN">a</a>',
  "a data page in a link": '<a href="data:text/html,<script>RUN</script>">a</a>',
  "an SVG with a script": "<svg><script>RUN</script></svg>",
  "an SVG with a load handler": '<svg onload="RUN"></svg>',
  "an SVG that animates an address":
    '<svg><a><animate attributeName="href" values="javascript:RUN"/><text y="20">t</text></a></svg>',
  "an SVG with foreign content": "<svg><foreignObject><body onload=RUN></body></foreignObject></svg>",
  "an SVG that uses another": '<svg><use href="URL/use.svg#x"/></svg>',
  "an SVG image": '<svg><image href="URL/svg-image.png"/></svg>',
  "an SVG filter image":
    '<svg><filter id="f"><feImage href="URL/filter.png"/></filter><rect filter="url(#f)" width="9" height="9"/></svg>',
  "MathML with a link": '<math href="javascript:RUN"><mtext>m</mtext></math>',
  "MathML that hides a style": "<math><mi><style><img src=x onerror=RUN></style></mi></math>",
  "a frame with a script address": '<iframe src="javascript:RUN"></iframe>',
  "a frame with its own document": '<iframe srcdoc="<script>RUN</script><img src=URL/srcdoc.png>"></iframe>',
  "a frame from elsewhere": '<iframe src="URL/frame"></iframe>',
  "an object": '<object data="URL/object"></object>',
  "an object with a script address": '<object data="javascript:RUN"></object>',
  "an embed": '<embed src="URL/embed">',
  "an applet": '<applet code="x" codebase="URL/applet"></applet>',
  "a form that sends itself":
    '<form action="URL/form" id="f1"><input name="a" value="b" autofocus onfocus="RUN"></form>',
  "a button with an address": '<button form="f1" formaction="javascript:RUN">b</button>',
  "an image button": '<input type="image" src="URL/input.png" onerror="RUN">',
  "an XML data island":
    '<xml id="x"><a><b>&lt;script>RUN&lt;/script></b></a></xml><span datasrc="#x" datafld="b" dataformatas="html"></span>',
  "an element that clobbers names":
    '<img id="body" name="body"><form id="defaultView"><input name="attributes"></form>',
  "a custom element": '<x-a is="x" onclick="RUN" style="display:block" onpointerover="RUN">x</x-a>',
  "an attribute that closes the tag": '<p title="</p><script>RUN</script>">p</p>',
  "namespaces that swap": "<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=RUN></form>",
  "a style in MathML in a table":
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=RUN&gt;"></table></math>',
  "a select that is left early": "<select><template shadowrootmode=open><img src=x onerror=RUN></template></select>",
  "a shadow root": '<div><template shadowrootmode="open"><img src="URL/shadow.png" onerror="RUN"></template></div>',
  // Requests.
  "an image": '<img src="URL/image.png">',
  "an image of one pixel": '<img src="URL/pixel.gif" width="1" height="1" style="display:none">',
  "an image without a scheme": '<img src="//HOST/no-scheme.png">',
  "an image in backslashes": '<img src="\\\\HOST\\backslashes.png">',
  "a set of images": '<img srcset="URL/set-1.png 1x, URL/set-2.png 2x" src="x">',
  "a picture": '<picture><source srcset="URL/picture.png"><img src="x"></picture>',
  "an old source of an image": '<img dynsrc="URL/dynsrc.png" lowsrc="URL/lowsrc.png">',
  "a poster": '<video poster="URL/poster.png" src="URL/video.mp4" autoplay></video>',
  "a sound": '<audio src="URL/audio.mp3" autoplay></audio>',
  "a text track": '<video><track src="URL/track.vtt" default></video>',
  "a background attribute": '<table background="URL/table.png"><tr><td background="URL/cell.png">c</td></tr></table>',
  "a background of the body": '<body background="URL/body.png">',
  "a background style": '<p style="background:url(URL/style.png)">p</p>',
  "a background style in entities": '<p style="background:url(&quot;URL/entities.png&quot;)">p</p>',
  "a background style in CSS escapes": '<p style="background:u\\72l(URL/escaped.png)">p</p>',
  "an address in a comment of CSS":
    '<p style="background:url/**/(URL/comment.png);list-style:url( URL/list.png )">p</p>',
  "a set of images in CSS": "<p style=\"background:image-set('URL/image-set.png' 1x)\">p</p>",
  "a cursor": '<p style="cursor:url(URL/cursor.png),auto">p</p>',
  "content from an address": "<style>q::before{content:url(URL/content.png)}</style><q>q</q>",
  "an imported style sheet": '<style>@import "URL/import.css";</style>',
  "an imported style sheet in escapes": "<style>@\\69mport url(URL/import-escaped.css);</style>",
  "a font": "<style>@font-face{font-family:x;src:url(URL/font.woff2)}*{font-family:x}</style>",
  "a style variable": "<style>:root{--a:url(URL/variable.png)} b{background:var(--a)}</style><b>b</b>",
  "a style that depends on the window": "<style>@media(min-width:1px){body{background:url(URL/media.png)}}</style>",
  "a style in an HTML comment": "<style><!-- body{background:url(URL/commented.png)} --></style>",
  "a style sheet": '<link rel="stylesheet" href="URL/sheet.css">',
  "preloads and hints":
    '<link rel="preload" as="image" href="URL/preload.png"><link rel="prefetch" href="URL/prefetch"><link rel="modulepreload" href="URL/mp.js"><link rel="icon" href="URL/icon.png">',
  "a name to look up, and a connection": '<link rel="dns-prefetch" href="URL/"><link rel="preconnect" href="URL/">',
  "a page to go to": '<meta http-equiv="refresh" content="0;url=URL/refresh">',
  "a policy that reports":
    '<meta http-equiv="Content-Security-Policy" content="img-src \'none\'; report-uri URL/report">',
  "another base": '<base href="URL/base/"><img src="relative.png">',
  "a manifest": '<html manifest="URL/manifest"><link rel="manifest" href="URL/manifest.json">',
  "a ping of a link": '<a href="https://shop.test/" ping="URL/ping">a</a>',
  "a quote with its source":
    '<blockquote cite="URL/cite">b</blockquote><q cite="URL/cite">q</q><del cite="URL/cite">d</del>',
  "a long description": '<img longdesc="URL/longdesc" src="x">',
  "a profile": '<head profile="URL/profile"></head>',
  "an image map": '<map name="m"><area href="javascript:RUN" coords="0,0,9,9"></map><img usemap="#m" src="x">',
  "VML of Outlook":
    '<!--[if gte vml 1]><v:shape><v:imagedata src="URL/vml.png"/></v:shape><![endif]--><v:image src="URL/v.png"/>',
  "a comment for old browsers": '<!--[if IE]><img src="URL/conditional.png"><![endif]-->',
  AMP: '<html amp4email><amp-img src="URL/amp.png" width="1" height="1"></amp-img><amp-list src="URL/amp.json"></amp-list></html>',
  "an XSLT": '<?xml-stylesheet href="URL/xslt.xsl"?>',
  "an inline image that is a page": '<img src="data:text/html,<script>RUN</script>">',
  "an inline image that is an SVG":
    "<img src=\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='RUN'><image href='URL/inner.png'/></svg>\">",
  "an image of our own address":
    '<img src="/app/api/sign-out"><img src="?own"><p style="background:url(/app/api/me)">p</p>',
};

/** Those after which nothing else of an email is read as it was written. */
const BREAKING: Readonly<Record<string, string>> = {
  "a noscript that hides a tag":
    '<noscript><p title="</noscript><img src=x onerror=RUN><img src=URL/noscript.png>"></noscript>',
  "a comment that is left early": "<!--><img src=x onerror=RUN><img src=URL/comment-left.png>-->",
  "a comment that does not end": "<!-- <img src=URL/endless.png> ",
  "a title that is left": '</title><svg onload=RUN></svg><img src="URL/title.png">',
  "plain text": '<plaintext><img src="URL/plaintext.png" onerror="RUN">',
  "a textarea that is left": '<textarea></textarea><img src="URL/textarea.png" onerror=RUN></textarea>',
  "an xmp": '<xmp></xmp><img src="URL/xmp.png" onerror=RUN></xmp>',
  "CDATA in SVG": '<svg><![CDATA[><img src="URL/cdata.png" onerror=RUN>]]></svg>',
  "deep nesting": `${"<div>".repeat(600)}<img src="URL/deep.png" onerror="RUN">${"</div>".repeat(600)}`,
  "a frameset": '<frameset onload="RUN"><frame src="URL/frameset"></frameset>',
  "a style that is left": '<style></style><img src="URL/style-left.png" onerror=RUN></style>',
  "a tag in a broken tag": '<img src="x` `<script>RUN</script>"` `><img """><script>RUN</script>">',
  "a broken charset": '\u00bc<script>RUN</script>\u00be+ADw-script+AD4-RUN+ADw-/script+AD4-<img src="URL/charset.png">',
};

export interface HostileEmail {
  name: string;
  html: string;
}

const named = (tricks: Readonly<Record<string, string>>): HostileEmail[] =>
  Object.entries(tricks).map(([name, html]) => ({ name, html }));

/** Each in an email of its own. */
export const hostileEmails: readonly HostileEmail[] = [...named(TRICKS), ...named(BREAKING)];

/** The same in few emails, less those that hide the others. */
export function hostileEmailsTogether(count: number): HostileEmail[] {
  return named(TRICKS).reduce<HostileEmail[]>(
    (emails, { html }, index) =>
      emails.with(index % count, {
        name: `email ${index % count}`,
        html: `${emails[index % count]?.html ?? ""}<div>${html}</div>\n`,
      }),
    Array.from({ length: count }, (_, index) => ({ name: `email ${index}`, html: "" })),
  );
}

/** The email with the addresses of a host that notices every request and every connection. */
function aimedAt({ port }: Receiver, html: string): string {
  const host = `127.0.0.1:${port}`;
  // Without quotes, which would end the attribute that it stands in.
  const ran = `https://${host}/ran`.replaceAll("/", "\\/");
  const run = `top.ran=1;fetch(/${ran}/.source.replace(/\\\\/g,String()))`;
  return html.replaceAll("URL", `https://${host}`).replaceAll("HOST", host).replaceAll("RUN", run);
}

/** The premise: where nothing stops them, they run and are noticed. */
export async function tricksWork(host: Receiver, emails: readonly HostileEmail[]): Promise<void> {
  const context = await openBrowser({ ignoreHTTPSErrors: true });
  for (const { html } of emails) {
    const page = await context.newPage();
    // Some go to another page at once.
    await page.setContent(aimedAt(host, html), { waitUntil: "commit" }).catch(() => {});
  }
  const paths = () => new Set(host.received.map(({ path }) => path));
  await expect.poll(() => paths().has("/ran")).toBe(true);
  await expect.poll(() => paths().size).toBeGreaterThan(15);
  await context.close();
  await expect.poll(() => host.connections.open).toBe(0);
}

/** Every image of the email is there or has failed, and the page has been drawn twice since. */
const IS_STILL = `Promise.all([...email.images].map((image) =>
  image.complete || new Promise((done) => { image.onload = image.onerror = done; })
)).then(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))`;

/** Shows each, without and with its remote images. Resolves to the paths of what was asked for, all of it by our server. */
export async function showHarmless(shop: Shop, host: Receiver, emails: readonly HostileEmail[]): Promise<string[]> {
  const post = await openMailbox(shop);
  const { page, complaints, strangers } = await signIn(shop);
  const before = { received: host.received.length, opened: host.connections.opened };
  const asked = () => host.received.slice(before.received);
  for (const { name, html } of emails) {
    const id = await post(htmlEmail(`<p>${name}</p>${aimedAt(host, html)}`));
    const known = { received: asked().length, opened: host.connections.opened };
    await page.goto(`${shop.frontdesk.origin}/app/inbox/${id}`);
    await openFormatted(page);
    await ofEmail(page, IS_STILL);
    expect({ name, ran: await hasRun(page) }).toEqual({ name, ran: false });
    expect({ name, received: asked().length, opened: host.connections.opened }).toEqual({ name, ...known });
    const show = page.getByRole("button", { name: "Show remote images" });
    if ((await show.count()) === 0) continue;
    await show.click();
    await isFilled(page, "?images=remote");
    await ofEmail(page, IS_STILL);
    expect({ name, ran: await hasRun(page) }).toEqual({ name, ran: false });
    const foreign = asked().filter(
      ({ method, headers }) => method !== "GET" || !/Frontdesk/.test(headers["user-agent"] ?? ""),
    );
    expect({ name, foreign }).toEqual({ name, foreign: [] });
  }
  // A connection without a request would be the browser's: it doesn't trust the host.
  expect(new Set(asked().map(({ connection }) => connection)).size).toBe(host.connections.opened - before.opened);
  expect(strangers).toEqual([]);
  // What is parsed is stopped in the page that shows it, which the browser reports before it is cleaned.
  const reports = /^Blocked script execution|Content Security Policy|status of 404/;
  expect(complaints.filter((text) => !reports.test(text))).toEqual([]);
  expect(asked().some(({ path }) => path === "/ran")).toBe(false);
  return asked().map(({ path }) => path);
}

const hasRun = (page: Page): Promise<boolean> =>
  page.evaluate("window.ran !== undefined || document.querySelector('iframe').contentWindow.ran !== undefined");
