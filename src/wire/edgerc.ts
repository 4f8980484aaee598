/**
 * Credentials from AKAMAI_* variables or an .edgerc section, validated when they are read and hidden when they are
 * shown.
 */
import { inspect } from "node:util";
import { parse } from "ini";
import { Failure } from "../language/failure.js";
import { parsedJson } from "../language/json.js";
import { accessTo, type FileStatus, howToClose, type ProcessUser } from "../system/file-access.js";
import type { SigningKeys } from "./sign.js";

/** The values of one API client. */
export interface Credentials extends SigningKeys {
  readonly host: string;
  readonly accountKey?: string | undefined;
  readonly basicUsername?: string | undefined;
  readonly basicPassword?: string | undefined;
  readonly bearerToken?: string | undefined;
  /** The source of the values, in words. */
  readonly place: string;
  readonly warnings: readonly CredentialWarning[];
}

/** Warnings about credentials that work, and how to fix them. */
interface CredentialWarning {
  readonly what: string;
  readonly next: string;
}

const masked = { value: () => "[credentials]" };
/** Hides the values from printing and serialization. */
const hidden = (credentials: Credentials): Credentials =>
  Object.defineProperties(credentials, { toJSON: masked, [inspect.custom]: masked });

/** The values that no output may contain, including a name and password combined, as in a header. */
export const secretsOf = ({
  clientSecret,
  clientToken,
  accessToken,
  basicUsername,
  basicPassword,
  bearerToken,
}: Credentials): string[] => {
  const basic =
    basicUsername === undefined || basicPassword === undefined ? undefined : `${basicUsername}:${basicPassword}`;
  return [clientSecret, clientToken, accessToken, basicPassword, basic, bearerToken].filter(
    (value): value is string => value !== undefined,
  );
};

export interface CredentialSource {
  readonly edgercPath: string;
  /** The file or the section was named explicitly, so its absence is an error. */
  readonly isPathExplicit: boolean;
  readonly section: string;
  /** The AKAMAI_* variables. */
  readonly environment: Readonly<Record<string, string>>;
  /** Requests go to another upstream, so the host need not be the vendor's. */
  readonly isAnyHostAllowed: boolean;
  /** Reads a file; throws if it cannot be read, with the code ENOENT if it does not exist. */
  readonly readFile: (path: string) => FoundFile;
  /** The user that this process runs as; other users' access to the file causes a warning. */
  readonly user: ProcessUser;
}

interface FoundFile {
  readonly text: string;
  readonly status: FileStatus;
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

/** The variable of a key: AKAMAI_HOST, or AKAMAI_PURGE_HOST for the section purge. */
function variableOf(key: Key, section: string): string {
  const infix = section === "default" ? "" : `${section.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}_`;
  return `AKAMAI_${infix}${key.toUpperCase()}`;
}

/** The values of the variables; empty ones count as unset. */
function fromEnvironment({ environment, section }: CredentialSource): Values {
  const entries = [...required, ...optional].map((key) => [key, environment[variableOf(key, section)]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== ""));
}

/** The lines of one section: the library would split a section's name at its dots. */
function sectionText(text: string, section: string): string | undefined {
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => line.replace(/\]\s*[;#].*$/, "]").trim() === `[${section}]`);
  if (start < 0) return undefined;
  const length = lines.slice(start + 1).findIndex((line) => /^\s*\[/.test(line));
  return lines.slice(start + 1, length < 0 ? undefined : start + 1 + length).join("\n");
}

// A key and its value: quoted, optionally followed by a comment; or bare, up to a semicolon.
const assignment = /^([ \t]*[\w-]+[ \t]*=[ \t]*)(?:(["'])([^"'\n]*)\2[ \t]*(?:[;#].*)?|([^"';\n][^;\n]*)(?:;.*)?)$/gm;

/**
 * The values of a section's text. The library treats # as a comment, although a value can contain it, and a quote as
 * part of a value followed by a comment, so each value is quoted for it to the end of its line.
 */
function valuesOf(text: string): Values {
  const plain = text.replaceAll(
    assignment,
    (_, key: string, _quote, quoted: string | undefined, bare = "") => key + JSON.stringify(quoted ?? bare.trim()),
  );
  const known = new Set<string>([...required, ...optional]);
  const entries = Object.entries(parse(plain)).map(([key, value]) => [key.replaceAll("-", "_"), value] as const);
  // A key without a value is parsed as `true`, and one that ends in brackets as a list.
  return Object.fromEntries(entries.filter(([key, value]) => known.has(key) && typeof value === "string"));
}

/**
 * Whether a line may be the rest of a broken value above it, which would be used without it. The rest of a Base64
 * secret ends in equals signs, so that it looks like a key without a value.
 */
function isRestOfValue(line: string): boolean {
  const text = line.trim();
  const known: readonly string[] = [...required, ...optional];
  const [key = ""] = text.split("=");
  return /^[^;#=][^=]*=*$/.test(text) && !known.includes(key.trim().replaceAll("-", "_"));
}

/** The values of a section's text, unless it may contain a part of one. */
function valuesIn(text: string, place: string): Values {
  // The library would end the line here, and so truncate a value silently.
  if (text.includes("\r"))
    throw broken(`${place} contains a carriage return inside a line.`, "Write each value on one line.");
  if (text.split("\n").some(isRestOfValue))
    throw broken(
      `${place} has a line that is not a key with a value, perhaps the rest of a broken value.`,
      "Write each value on one line, and a comment after a semicolon.",
    );
  return valuesOf(text);
}

function fromFile(
  source: CredentialSource,
  related: string,
): { readonly values: Values; readonly status: FileStatus } | undefined {
  const { edgercPath, section } = source;
  let file: FoundFile;
  try {
    file = source.readFile(edgercPath);
  } catch (error) {
    if (!source.isPathExplicit && (error as { code?: unknown }).code === "ENOENT") return undefined;
    throw broken(
      `The credentials file ${edgercPath} cannot be read${related}.`,
      "Check --edgerc, or the file's permissions.",
    );
  }
  const text = sectionText(file.text, section);
  if (text === undefined)
    throw broken(
      `${edgercPath} has no section [${section}]${related}.`,
      "Choose another with --section, or add it with host, client_token, client_secret and access_token.",
    );
  return { values: valuesIn(text, `Section [${section}] of ${edgercPath}`), status: file.status };
}

const vendorHost = /^[a-z0-9-]+\.(luna|purge)\.akamaiapis\.net$/;

const missingOf = (values: Values) => required.filter((key) => values[key] === undefined || values[key] === "");
const incomplete = (what: string): Failure =>
  broken(what, "Add the missing values; all four belong to one API client.");

type Allowed = Pick<CredentialSource, "isAnyHostAllowed">;

function checked(values: Values, place: string, source: Allowed, warnings: readonly CredentialWarning[]): Credentials {
  for (const [key, value] of Object.entries(values))
    if (!(key === "headers_to_sign" ? /^[\w, -]+$/ : /^(?!["'])[\x21-\x7e]+$/).test(value))
      throw broken(
        `${key} in ${place} contains a space, a line break or another character that is not allowed.`,
        "Copy the value again, on one line, without spaces; a comment after it begins with a semicolon.",
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
      "It ends in .luna.akamaiapis.net or .purge.akamaiapis.net; a different one is set with --upstream.",
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
    place,
    warnings,
  });
}

function warningsOf({ edgercPath, user }: CredentialSource, status: FileStatus): CredentialWarning[] {
  const access = accessTo(status, user);
  if (access === undefined || (access.owner !== "other" && !access.canUse)) return [];
  return [
    {
      what: `${edgercPath} is readable by other users.`,
      next: howToClose({ path: edgercPath, chmod: "600" }, status, user),
    },
  ];
}

/**
 * Reads the credentials of a section: from AKAMAI_* variables if all four are set, else from the file.
 * @returns undefined only if nothing at all is configured.
 * @throws Failure `bad_configuration` that names the problem and its location, and never a value.
 */
export function readCredentials(source: CredentialSource): Credentials | undefined {
  const values = fromEnvironment(source);
  const unset = missingOf(values).map((key) => variableOf(key, source.section));
  if (unset.length === 0) return checked(values, "the AKAMAI_* variables", source, []);
  // Some of the variables are set and expected to be used, so an error about the file mentions them, too.
  const related = unset.length < required.length ? `, and the variables lack ${unset.join(", ")}` : "";
  const file = fromFile(source, related);
  if (file) {
    const place = `section [${source.section}] of ${source.edgercPath}`;
    const missing = missingOf(file.values);
    if (missing.length > 0) throw incomplete(`The credentials in ${place} lack ${missing.join(", ")}${related}.`);
    return checked(file.values, place, source, warningsOf(source, file.status));
  }
  if (Object.keys(source.environment).length === 0) return undefined;
  throw incomplete(`The credentials in the AKAMAI_* variables lack ${unset.join(", ")}.`);
}

/** Fields of JSON by the names that an .edgerc has for them: `clientToken` is `client_token`. */
function valuesOfJson(text: string, place: string): Values {
  const members = parsedJson(text);
  if (members === undefined)
    throw broken(`${place} begins like JSON but is not valid.`, "Write an object with the four values as text.");
  const known = new Set<string>([...required, ...optional]);
  const entries = Object.entries(members as object).map(
    ([name, value]) => [name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value] as const,
  );
  return Object.fromEntries(entries.filter(([key, value]) => known.has(key) && typeof value === "string"));
}

/**
 * Parses the credentials in a text: a section of an .edgerc, with or without its header, or a JSON object.
 * @param place The source of the text, for errors, which repeat no value.
 * @throws Failure `bad_configuration` with the problem.
 */
export function credentialsIn(text: string, place: string, allowed: Allowed): Credentials {
  const bare = text.trim().replaceAll("\r\n", "\n");
  const isJson = bare.startsWith("{");
  const section = bare.replace(/^\[[^\]\n]*\][ \t]*\n/, "");
  if (!isJson && /^[ \t]*\[/m.test(section)) throw broken(`${place} has several sections.`, "Have it write only one.");
  const values = isJson ? valuesOfJson(bare, place) : valuesIn(section, place);
  const missing = missingOf(values);
  if (missing.length > 0) throw incomplete(`${place} lacks ${missing.join(", ")}.`);
  return checked(values, place, allowed, []);
}
