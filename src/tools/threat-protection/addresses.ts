/** What counts as an address, a CIDR block and a domain, and how an item of a list holds one. */
import { BlockList, isIPv4, isIPv6 } from "node:net";

/** An address with a prefix length that it can have; without one it represents itself. */
const isBlock = (value: string, isAddress: (text: string) => boolean, bits: number): boolean => {
  const [address = "", length, ...rest] = value.split("/");
  const isLength = length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits);
  return rest.length === 0 && isLength && isAddress(address);
};

export const isAddress4 = (value: string): boolean => isBlock(value, isIPv4, 32);
export const isAddress6 = (value: string): boolean =>
  isBlock(value, (text) => isIPv6(text) && !text.includes("%"), 128);

const label = /^[\p{L}\p{N}_]([\p{L}\p{N}_-]{0,61}[\p{L}\p{N}_])?$/u;

/** A domain of letters, digits and hyphens; the first label may be `*`. An address is not a domain. */
export function isDomain(value: string): boolean {
  const [first, ...rest] = value.split(".");
  const labels = first === "*" && rest.length > 0 ? rest : [first ?? "", ...rest];
  return !isIPv4(value) && value.length <= 253 && labels.every((one) => label.test(one));
}

/** `parent` is a separate case because no source says whether a domain on a list covers its subdomains. */
export type ItemMatch = "same" | "block" | "wildcard" | "parent";

/** An address, a block or a domain in the form in which items are compared; undefined for anything else. */
export function comparableItem(text: string): string | undefined {
  const trimmed = text.trim();
  const host = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) && URL.canParse(trimmed) ? new URL(trimmed).hostname : trimmed;
  const value = host
    .toLowerCase()
    .replace(/\.$/, "")
    .replace(/^\[(.*)\]$/, "$1");
  return isAddress(value) || isDomain(value) ? value : undefined;
}

const isAddress = (value: string): boolean => isAddress4(value) || isAddress6(value);

/** A text that is part of every item which can match a value, for the API's search. */
export function commonText(value: string): string {
  if (isAddress4(value)) return `${value.split(".")[0]}.`;
  if (isAddress6(value)) return value.split(":")[0] || ":";
  return value.split(".").slice(-2).join(".");
}

const blockOf = (
  value: string,
): { readonly address: string; readonly bits: number; readonly family: "ipv4" | "ipv6" } => {
  const [address = "", length] = value.split("/");
  const family = isIPv6(address) ? "ipv6" : "ipv4";
  return { address, bits: length === undefined ? (family === "ipv6" ? 128 : 32) : Number(length), family };
};

function isInBlock(value: string, item: string): boolean {
  const [inner, outer] = [blockOf(value), blockOf(item)];
  if (inner.family !== outer.family || outer.bits > inner.bits) return false;
  const list = new BlockList();
  list.addSubnet(outer.address, outer.bits, outer.family);
  return list.check(inner.address, inner.family);
}

/** How an item matches a value, ignoring case; undefined if it does not. */
export function matchOf(value: string, listed: string): ItemMatch | undefined {
  const item = listed.toLowerCase().replace(/\.$/, "");
  if (item === value) return "same";
  if (isAddress(value)) {
    if (!isAddress(item) || !isInBlock(value, item)) return undefined;
    return blockOf(item).bits === blockOf(value).bits ? "same" : "block";
  }
  if (!isDomain(item)) return undefined;
  if (item.startsWith("*.")) return value.endsWith(item.slice(1)) ? "wildcard" : undefined;
  return value.endsWith(`.${item}`) ? "parent" : undefined;
}
