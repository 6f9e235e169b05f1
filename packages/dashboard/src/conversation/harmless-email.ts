import type { MailHtml } from "@frontdesk/core/contract/session-mail";
import DOMPurify, { type WindowLike } from "dompurify";

/** What shows something, and asks for nothing: no forms, media, frames, SVG or MathML. */
const ALLOWED_TAGS = [
  ..."html head body style a abbr acronym address area article aside b bdi bdo big blockquote br caption center cite code".split(
    " ",
  ),
  ..."col colgroup dd del details dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img".split(
    " ",
  ),
  ..."ins kbd li main map mark menu nav nobr ol p pre q rp rt ruby s samp section small span strike strong sub summary".split(
    " ",
  ),
  ..."sup table tbody td tfoot th thead time tr tt u ul var wbr".split(" "),
];
const ALLOWED_ATTR = [
  ..."align alt axis background bgcolor border cellpadding cellspacing class clear color colspan compact coords dir face".split(
    " ",
  ),
  ..."headers height href hspace id lang link noshade nowrap open rowspan rules scope shape size span src start style".split(
    " ",
  ),
  ..."summary text title type usemap valign value vlink vspace width".split(" "),
];

export interface HarmlessEmail {
  /** Belongs to no page: nothing in it has been loaded. */
  content: HTMLElement;
  /** Whether images of elsewhere were left out. */
  hasRemote: boolean;
  /** Images of the email that are in no place of its HTML. */
  otherImages: readonly string[];
}

/**
 * The HTML of an email without anything that runs, and without any address that a browser would load: images are those that came with
 * it. The page that shows it forbids scripts and requests besides (`http/pages/mail-frame-routes.ts`), whatever is overlooked here.
 *
 * @param page the window that shows it: what is parsed has its policy, which allows the styles of emails
 * @param remoteImage where our service gives an image of elsewhere; left out, such images are left out as well
 */
export function harmlessEmail(
  page: WindowLike,
  { html, images }: Pick<MailHtml, "html" | "images">,
  remoteImage?: (url: string) => string,
): HarmlessEmail {
  const own = new Map(images.map(({ content_id, url }) => [content_id, url]));
  const used = new Set<string>();
  let hasRemote = false;

  /** The address from which an image is shown; undefined when it is not. */
  function shownFrom(written: string): string | undefined {
    const address = written.trim();
    if (/^cid:/i.test(address)) {
      const id = address.slice(4);
      const url = own.get(id) ?? own.get(decoded(id));
      if (url !== undefined) used.add(url);
      return url;
    }
    if (/^data:image\/(png|jpeg|gif|webp|avif);/i.test(address)) return address;
    const url = URL.parse(address.startsWith("//") ? `https:${address}` : address);
    if (url?.protocol !== "https:" && url?.protocol !== "http:") return undefined;
    if (!remoteImage) hasRemote = true;
    return remoteImage?.(url.href);
  }

  const purify = DOMPurify(page);
  // Before its own check, which takes away every style sheet that has `<` in it, as those of Outlook have.
  purify.addHook("beforeSanitizeElements", (node) => {
    // The rules of a sheet depend on windows and moments, which addresses in them would reveal: only images that came with the email.
    if (node.nodeName === "STYLE") node.textContent = harmlessCss(node.textContent ?? "", onlyOwn);
  });
  purify.addHook("afterSanitizeAttributes", (node) => {
    if (node.nodeName === "A" || node.nodeName === "AREA") onlyOpens(node);
    for (const name of ["src", "background"]) {
      const written = node.getAttribute(name);
      if (written === null) continue;
      const address = shownFrom(written);
      if (address === undefined) node.removeAttribute(name);
      else node.setAttribute(name, address);
    }
    const style = node.getAttribute("style");
    if (style !== null) node.setAttribute("style", harmlessCss(style, shownFrom));
  });
  function onlyOwn(address: string): string | undefined {
    return /^(cid|data):/i.test(address.trim()) ? shownFrom(address) : undefined;
  }

  const content = purify.sanitize(html, {
    ALLOWED_TAGS,
    ALLOWED_ATTR,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    WHOLE_DOCUMENT: true,
    RETURN_DOM: true,
  }) as HTMLElement;
  return {
    content,
    hasRemote,
    otherImages: images.map(({ url }) => url).filter((url) => !used.has(url)),
  };
}

/** A link opens a tab that knows nothing of this one. Inside of the email there is nowhere to go. */
function onlyOpens(link: Element): void {
  const url = URL.parse(link.getAttribute("href") ?? "");
  if (url && ["http:", "https:", "mailto:", "tel:"].includes(url.protocol)) {
    link.setAttribute("target", "_blank");
    link.setAttribute("rel", "noopener noreferrer");
  } else link.removeAttribute("href");
}

const URL_IN_CSS = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^)"'\s]*))\s*\)/gi;

/** `\72 ` and `\r` for `r`: only letters, which names of functions are made of. */
const ESCAPED_LETTER = /\\(?:0{0,4}([46][1-9a-f]|[57][0-9a])\s?|([g-z]))/gi;

/** Every address is that of a shown image, or gone. What is written so that this does not find it is stopped by the page's policy. */
function harmlessCss(css: string, shownFrom: (address: string) => string | undefined): string {
  return css
    .replaceAll(
      ESCAPED_LETTER,
      (_all, hex?: string, plain?: string) => plain ?? String.fromCharCode(Number(`0x${hex}`)),
    )
    .replaceAll(/\/\*[\s\S]*?\*\/|<!--|-->/g, " ")
    .replaceAll("<", " ")
    .replaceAll(/@import\b[^;]*;?/gi, " ")
    .replaceAll(/\b(?:image-set|image|src)(?=\s*\()/gi, "none")
    .replaceAll(URL_IN_CSS, (_all, double?: string, single?: string, bare?: string) => {
      const address = shownFrom(double ?? single ?? bare ?? "");
      return address === undefined ? "none" : `url("${address}")`;
    });
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
