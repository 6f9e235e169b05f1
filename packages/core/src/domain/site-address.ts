import { invalid } from "./refusal.ts";

/** A site has at most this many pages that are read. */
export const PAGES_MAX = 500;
/** A team has at most this many sites. */
export const SITES_MAX = 10;
/** Longer addresses of pages are left out. */
export const PAGE_ADDRESS_MAX = 1_000;

export interface SiteAddress {
  /** Where reading begins: a page, or a sitemap. */
  address: string;
  /** What the address of each page begins with: the origin and a path that ends in a slash. */
  prefix: string;
}

/**
 * The site at an address as an admin writes it, with or without `https://`: its pages are those in the same folder and below.
 *
 * @throws Refusal `invalid` on `address`
 */
export function readSiteAddress(written: string): SiteAddress {
  const trimmed = written.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (url?.protocol === "http:" && url.port === "") url.protocol = "https:";
  const isPlain = url && url.protocol === "https:" && url.username === "" && url.password === "";
  if (!isPlain || !url.hostname.includes(".") || url.href.length > PAGE_ADDRESS_MAX) {
    throw invalid({ address: "site-address" });
  }
  url.hash = "";
  // A sitemap is for the whole host where nothing else is said.
  const folder = isSitemap(url.href) ? "/" : url.pathname.replace(/[^/]*$/, "");
  return { address: url.href, prefix: `${url.origin}${folder}` };
}

export const isSitemap = (address: string): boolean => /\.xml$/i.test(new URL(address).pathname);

/** Addresses that are no pages: their ending says so. */
const NO_PAGE =
  /\.(?:png|jpe?g|gif|webp|avif|svg|ico|css|m?js|json|xml|rss|atom|zip|gz|tar|7z|exe|dmg|apk|pdf|docx?|xlsx?|pptx?|odt|csv|mp[34]|m4[av]|webm|ogg|wav|mov|avi|woff2?|ttf|eot)$/i;

/**
 * The address of a page in its one form, without a fragment and without the parameters of campaigns; undefined for what is not in the
 * site, or no page.
 *
 * @param base the page that has the link
 */
export function pageOfSite(link: string, { prefix, base }: { prefix: string; base: string }): string | undefined {
  const url = URL.parse(link.trim(), base);
  if (url?.username !== "" || url.password !== "") return undefined;
  if (url.protocol === "http:" && url.port === "") url.protocol = "https:";
  url.hash = "";
  for (const name of [...url.searchParams.keys()]) {
    if (/^(?:utm_\w+|gclid|fbclid|mc_[ce]id)$/i.test(name)) url.searchParams.delete(name);
  }
  const { href } = url;
  const isPage = href.startsWith(prefix) && href.length <= PAGE_ADDRESS_MAX && !NO_PAGE.test(url.pathname);
  return isPage ? href : undefined;
}
