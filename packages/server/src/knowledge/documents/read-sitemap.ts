const ADDRESSES_MAX = 5_000;

export interface Sitemap {
  pages: string[];
  /** Further sitemaps, of an index. */
  sitemaps: string[];
}

/** The addresses in a sitemap; of one that was cut off, those before the cut. */
export function readSitemap(xml: string): Sitemap {
  const addresses: string[] = [];
  for (const [, written = ""] of xml.matchAll(/<loc>([^<]{1,2000})<\/loc>/gi)) {
    addresses.push(unescaped(written).trim());
    if (addresses.length === ADDRESSES_MAX) break;
  }
  return /<sitemapindex[\s>]/i.test(xml) ? { pages: [], sitemaps: addresses } : { pages: addresses, sitemaps: [] };
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text
    .replaceAll(/^\s*<!\[CDATA\[|\]\]>\s*$/g, "")
    .replaceAll(/&(amp|lt|gt|quot|apos);/g, (_whole, name: string) => NAMED[name] ?? "");
}
