/** The settings of the sign-in, checked before anything listens. */
import { Failure } from "../../../language/failure.js";
import { type ClaimNames, claimsText, usualClaims } from "../../../policy/claims.js";
import { isLoopback } from "../../../system/listen.js";
import { isProtected } from "./protected-url.js";
import type { SignInSettings } from "./sign-in.js";

interface SignInFlags {
  readonly "oauth-issuer": string | undefined;
  readonly "oauth-audience": string | undefined;
  readonly "oauth-resource": string | undefined;
  readonly "oauth-typ": string;
  readonly "oauth-claims": string;
  readonly "oauth-scope-prefix": string | undefined;
  readonly "allowed-hosts": string | undefined;
  readonly "allow-writes": boolean;
  readonly host: string;
  readonly store: string | undefined;
}

const unusable = (what: string, next: string, why?: string): Failure =>
  new Failure("bad_configuration", what, why === undefined ? { next } : { why, next });

const listOf = (text: string | undefined): readonly string[] =>
  (text ?? "")
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");

function issuersIn(text: string): readonly string[] {
  const issuers = listOf(text);
  if (issuers.length === 0 || !issuers.every((issuer) => isProtected(issuer) && !/[?#]/.test(issuer)))
    throw unusable(
      "--oauth-issuer takes the URLs of issuers.",
      "Write https://HOST/PATH, exactly as the issuer's metadata has it, with or without a slash at the end.",
      "Its keys decide whose tokens are accepted, so that http is only for an issuer on this machine.",
    );
  return issuers;
}

const isClaim = (name: string): name is keyof ClaimNames => Object.hasOwn(usualClaims, name);

function claimsIn(text: string): ClaimNames {
  const claims = { ...usualClaims };
  for (const pair of listOf(text)) {
    const [name = "", namesText = ""] = pair.split(/=(.*)/s);
    const names = namesText.split("|").filter((one) => one !== "");
    if (!isClaim(name) || names.length === 0)
      throw unusable(
        `--oauth-claims takes NAME=CLAIM pairs, of ${Object.keys(usualClaims).join(", ")}.`,
        `Write --oauth-claims subject=oid, or several names of a claim with | between them; the default is ${claimsText(usualClaims)}.`,
      );
    claims[name] = names;
  }
  return claims;
}

/** The URL of `/mcp` for clients, which has to be set if they reach it by another one than this process knows. */
function resourceIn(flags: SignInFlags): string | undefined {
  const resource = flags["oauth-resource"];
  if (resource !== undefined) {
    const { pathname, search, hash } = isProtected(resource)
      ? new URL(resource)
      : { pathname: "/", search: "", hash: "" };
    if (/\/$/.test(pathname) || search !== "" || hash !== "")
      throw unusable(
        "--oauth-resource takes the URL at which clients reach /mcp.",
        "Write https://HOST/mcp, as people type it into their clients.",
      );
    return new URL(resource).href;
  }
  const isAlone = isLoopback(flags.host) && flags["allowed-hosts"] === undefined && flags.store === undefined;
  if (!isAlone && flags["oauth-audience"] === undefined)
    throw unusable(
      "--oauth-issuer needs --oauth-resource.",
      "Write --oauth-resource https://HOST/mcp, as people type it into their clients.",
      "Tokens are accepted only for that URL, and behind a proxy or other instances this process cannot know it.",
    );
  return undefined;
}

/**
 * Reads the settings of the sign-in.
 * @returns undefined if no issuer is set.
 * @throws Failure `bad_configuration` for settings that cannot be used, or that would have no effect.
 */
export function readSignInSettings(flags: SignInFlags): SignInSettings | undefined {
  const { "oauth-issuer": issuer, "oauth-typ": types } = flags;
  if (issuer === undefined) {
    const idle = (["oauth-audience", "oauth-resource", "oauth-scope-prefix"] as const).find(
      (name) => flags[name] !== undefined,
    );
    if (idle !== undefined)
      throw unusable(`--${idle} has no effect without --oauth-issuer.`, "Set --oauth-issuer, or leave it out.");
    return undefined;
  }
  return {
    issuers: issuersIn(issuer),
    audiences: listOf(flags["oauth-audience"]),
    resource: resourceIn(flags),
    types: listOf(types).map((type) => type.toLowerCase().replace(/^application\//, "")),
    claims: claimsIn(flags["oauth-claims"]),
    scopePrefix: flags["oauth-scope-prefix"] ?? "",
    allowsWrites: flags["allow-writes"],
  };
}
