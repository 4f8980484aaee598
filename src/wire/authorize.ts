/**
 * The authorization of each service's requests: signed by default, or as configured, because the documents leave it
 * open.
 */
import { Failure } from "../language/failure.js";
import { didYouMean } from "../text/nearest.js";
import type { Credentials } from "./edgerc.js";
import type { ResolvedRequest } from "./request.js";
import { freshStamp, sign } from "./sign.js";

const kinds = ["edgegrid", "basic", "bearer", "none"] as const;
type Kind = (typeof kinds)[number];
const isKind = (text: string): text is Kind => (kinds as readonly string[]).includes(text);

function missing(kind: Kind, keys: string): Failure {
  return new Failure("bad_configuration", `--auth asks for ${kind}, but ${keys} is not configured.`, {
    next: `Add ${keys} to the .edgerc section, or set the AKAMAI_* variable of the same name.`,
  });
}

/** Reads `events=basic,dns=none`. */
function kindsByService(text: string | undefined): ReadonlyMap<string, Kind> {
  const pairs = (text ?? "").split(",").filter((part) => part.trim() !== "");
  return new Map(
    pairs.map((pair) => {
      const [service = "", kind = ""] = pair.split("=").map((word) => word.trim());
      if (service === "" || !isKind(kind))
        throw new Failure(
          "bad_configuration",
          `--auth is invalid at ${JSON.stringify(pair)}${didYouMean(kind, kinds)}.`,
          {
            next: "Write SERVICE=KIND pairs separated by commas, such as events=basic; kinds are edgegrid, basic, bearer and none.",
          },
        );
      return [service, kind];
    }),
  );
}

/**
 * Creates the function that authorizes each attempt of each request.
 * @param setting The `--auth` setting; `undefined` signs everything.
 * @throws Failure `bad_configuration` if a requested kind lacks its secrets.
 */
export function authorizer(
  setting: string | undefined,
  credentials: Credentials,
): (service: string, request: ResolvedRequest) => Readonly<Record<string, string>> {
  const byService = kindsByService(setting);
  const { basicUsername, basicPassword, bearerToken } = credentials;
  const isUsed = (kind: Kind) => [...byService.values()].includes(kind);
  if (isUsed("basic") && (basicUsername === undefined || basicPassword === undefined))
    throw missing("basic", "basic_username and basic_password");
  if (isUsed("bearer") && bearerToken === undefined) throw missing("bearer", "bearer_token");
  return (service, request) => {
    switch (byService.get(service) ?? "edgegrid") {
      case "none":
        return {};
      case "basic":
        return { authorization: `Basic ${Buffer.from(`${basicUsername}:${basicPassword}`).toString("base64")}` };
      case "bearer":
        return { authorization: `Bearer ${bearerToken}` };
      default:
        return { authorization: sign(request, credentials, freshStamp(Date.now())) };
    }
  };
}
