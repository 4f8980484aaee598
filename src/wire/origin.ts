/** The origin that a setting names, and no other URL: requests are signed for it. */
import { Failure } from "../language/failure.js";

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether a URL names a program on this machine, such as an emulator, and no live account. */
export const isOnThisMachine = (url: string): boolean => URL.canParse(url) && loopback.test(new URL(url).hostname);

/** The URL in a setting; undefined if it is none, or has a user or a password, which messages would repeat. */
export function urlWithoutUser(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.username === "" && url.password === "" ? url : undefined;
}

/**
 * Parses the origin in a setting.
 * @param named The setting, for the error.
 * @throws Failure `bad_configuration` for anything but an origin with https, or with http on this machine.
 */
export function upstreamOrigin(text: string, named = "--upstream"): string {
  const url = urlWithoutUser(text);
  const isUsable = url && (url.protocol === "https:" || (url.protocol === "http:" && loopback.test(url.hostname)));
  const isOrigin = url && (url.pathname === "/" || url.pathname === "");
  if (!isUsable || !isOrigin || url.search !== "" || url.hash !== "")
    throw new Failure("bad_configuration", `${named} takes the URL of an origin.`, {
      why: "Plain http sends signed requests unencrypted, so it is accepted only for a loopback address.",
      next: "Write https://HOST, or http://127.0.0.1:PORT for a program on this machine.",
    });
  return url.origin;
}
