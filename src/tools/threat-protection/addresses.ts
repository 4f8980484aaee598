/** What counts as an address, a CIDR block and a domain in sites, lists and honeypots. */
import { isIPv4, isIPv6 } from "node:net";

/** An address with at most as many leading bits as it has; without them it stands for itself. */
const isBlock = (value: string, isAddress: (text: string) => boolean, bits: number): boolean => {
  const [address = "", length, ...rest] = value.split("/");
  const isLength = length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits);
  return rest.length === 0 && isLength && isAddress(address);
};

export const isAddress4 = (value: string): boolean => isBlock(value, isIPv4, 32);
export const isAddress6 = (value: string): boolean =>
  isBlock(value, (text) => isIPv6(text) && !text.includes("%"), 128);

const label = /^[\p{L}\p{N}_]([\p{L}\p{N}_-]{0,61}[\p{L}\p{N}_])?$/u;

/** A domain of letters, digits and hyphens; the first label may be `*`. An address is none. */
export function isDomain(value: string): boolean {
  const [first, ...rest] = value.split(".");
  const labels = first === "*" && rest.length > 0 ? rest : [first ?? "", ...rest];
  return !isIPv4(value) && value.length <= 253 && labels.every((one) => label.test(one));
}
