/** Credentials from AKAMAI_* variables or an .edgerc section, checked when they are read and hidden when they are shown. */
import { inspect } from "node:util";
import { parse } from "ini";
import { Failure } from "../api/failure.js";
import type { SigningKeys } from "./sign.js";

/** The values of one API client. */
export interface Credentials extends SigningKeys {
  readonly host: string;
  readonly accountKey?: string | undefined;
  readonly basicUsername?: string | undefined;
  readonly basicPassword?: string | undefined;
  readonly bearerToken?: string | undefined;
  /** What a person should mend although it works. */
  readonly warnings: readonly string[];
}

const masked = { value: () => "[credentials]" };
/** Makes printing and serializing show none of the values. */
const hidden = (credentials: Credentials): Credentials =>
  Object.defineProperties(credentials, { toJSON: masked, [inspect.custom]: masked });

/** The values that no output may hold. */
export const secretsOf = ({
  clientSecret,
  clientToken,
  accessToken,
  basicPassword,
  bearerToken,
}: Credentials): string[] =>
  [clientSecret, clientToken, accessToken, basicPassword, bearerToken].filter(
    (value): value is string => value !== undefined,
  );

export interface CredentialSource {
  readonly edgercPath: string;
  /** A person named the file or the section, so that their absence is an error. */
  readonly isPathExplicit: boolean;
  readonly section: string;
  /** The AKAMAI_* variables. */
  readonly environment: Readonly<Record<string, string>>;
  /** Requests go to another upstream, so the host need not be the vendor's. */
  readonly isAnyHostAllowed: boolean;
  /** The text and mode of a file; throws when it cannot be read. */
  readonly readFile: (path: string) => { readonly text: string; readonly mode: number };
}

const required = ["host", "client_token", "client_secret", "access_token"] as const;
const optional = [
  "max_body",
  "headers_to_sign",
  "account_key",
  "basic_username",
  "basic_password",
  "bearer_token",
] as const;
type Key = (typeof required)[number] | (typeof optional)[number];
type Values = Partial<Record<Key, string>>;

const broken = (what: string, next: string): Failure => new Failure("bad_configuration", what, { next });

function fromEnvironment({ environment, section }: CredentialSource): Values {
  const infix = section === "default" ? "" : `${section.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}_`;
  const entries = [...required, ...optional].map(
    (key) => [key, environment[`AKAMAI_${infix}${key.toUpperCase()}`]] as const,
  );
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** The lines of one section alone: the library would cut a section's name at its dots. */
function sectionText(text: string, section: string): string | undefined {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const start = lines.findIndex((line) => line.trim() === `[${section}]`);
  if (start < 0) return undefined;
  const length = lines.slice(start + 1).findIndex((line) => /^\s*\[/.test(line));
  return lines.slice(start + 1, length < 0 ? undefined : start + 1 + length).join("\n");
}

function fromFile(source: CredentialSource): { readonly values: Values; readonly mode: number } | undefined {
  const { edgercPath, section } = source;
  let file: { readonly text: string; readonly mode: number };
  try {
    file = source.readFile(edgercPath);
  } catch {
    if (!source.isPathExplicit) return undefined;
    throw broken(`The credentials file ${edgercPath} cannot be read.`, "Check --edgerc, or the file's mode.");
  }
  const text = sectionText(file.text, section);
  if (text === undefined)
    throw broken(
      `${edgercPath} has no section [${section}].`,
      "Choose another with --section, or add it with host, client_token, client_secret and access_token.",
    );
  // The library takes # for a comment, which a value may hold; only a quoted value is safe from it.
  // A comment after a closing quote would make the library take the quotes for part of the value.
  const bare = text.replaceAll(/^(\s*[\w-]+\s*=\s*)(["'])([^"'\n]*)\2[ \t]+[;#].*$/gm, "$1$2$3$2");
  const parsed = parse(
    bare.replaceAll(
      /^(\s*[\w-]+\s*=\s*)([^"'\n]*#[^\n]*)$/gm,
      (_, key: string, value: string) => `${key}${JSON.stringify(value.trim())}`,
    ),
  );
  const known = new Set<string>([...required, ...optional]);
  const values = Object.entries(parsed).map(([key, value]) => [key.replaceAll("-", "_"), String(value)] as const);
  return { values: Object.fromEntries(values.filter(([key]) => known.has(key))), mode: file.mode };
}

const vendorHost = /^[a-z0-9-]+\.(luna|purge)\.akamaiapis\.net$/;

function checked(values: Values, place: string, source: CredentialSource, warnings: readonly string[]): Credentials {
  const missing = required.filter((key) => values[key] === undefined || values[key] === "");
  if (missing.length > 0)
    throw broken(
      `The credentials in ${place} lack ${missing.join(", ")}.`,
      "Add what is missing; all four belong to one API client.",
    );
  for (const [key, value] of Object.entries(values))
    if (!(key === "headers_to_sign" ? /^[\w, -]+$/ : /^(?!["'])[\x21-\x7e]+$/).test(value))
      throw broken(
        `${key} in ${place} holds a space, a line break or another mark that it cannot hold.`,
        "Copy the value again, on one line, without spaces.",
      );
  const { host = "", client_token = "", client_secret = "", access_token = "" } = values;
  const bare = host
    .replace(/^https:\/\//, "")
    .replace(/\/$/, "")
    .toLowerCase();
  const isHostUsable = source.isAnyHostAllowed ? /^[a-z0-9.-]+(:\d+)?$/.test(bare) : vendorHost.test(bare);
  if (!isHostUsable)
    throw broken(
      `host in ${place} is not a host of the management APIs.`,
      "It ends in .luna.akamaiapis.net or .purge.akamaiapis.net; another one is set with --upstream.",
    );
  const maxBodyBytes = Number(values.max_body ?? 131_072);
  if (!Number.isSafeInteger(maxBodyBytes) || maxBodyBytes < 1)
    throw broken(`max_body in ${place} is not a number of bytes.`, "Leave it out, or write 131072.");
  return hidden({
    host: bare,
    clientToken: client_token,
    clientSecret: client_secret,
    accessToken: access_token,
    maxBodyBytes,
    headersToSign: (values.headers_to_sign ?? "")
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
    accountKey: values.account_key,
    basicUsername: values.basic_username,
    basicPassword: values.basic_password,
    bearerToken: values.bearer_token,
    warnings,
  });
}

/**
 * Reads the credentials of a section: from AKAMAI_* variables when all four are there, else from the file.
 * @returns undefined only when nothing at all is configured.
 * @throws Failure `bad_configuration` that names what is wrong and where, and never a value.
 */
export function readCredentials(source: CredentialSource): Credentials | undefined {
  const values = fromEnvironment(source);
  const given = required.filter((key) => values[key] !== undefined);
  if (given.length === required.length) return checked(values, "the AKAMAI_* variables", source, []);
  const file = fromFile(source);
  if (file) {
    const place = `section [${source.section}] of ${source.edgercPath}`;
    const isOpen = (file.mode & 0o077) !== 0;
    return checked(file.values, place, source, isOpen ? [`${source.edgercPath} can be read by others.`] : []);
  }
  if (Object.keys(source.environment).length === 0) return undefined;
  // Somebody set some variables and expects them to count: this is broken, not absent.
  return checked(values, "the AKAMAI_* variables", source, []);
}
