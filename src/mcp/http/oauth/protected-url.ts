/** Whether tokens and keys may be exchanged with a URL: by https, or by http with a program on this machine. */
import { isLoopback } from "../../../system/listen.js";

export function isProtected(url: string): boolean {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: "", hostname: "" };
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}
