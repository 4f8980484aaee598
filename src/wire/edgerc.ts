/**
 * Credentials from AKAMAI_* variables or an .edgerc section, validated when they are read and hidden when they are
 * shown.
 */
import { inspect } from "node:util";
import { Failure } from "../language/failure.js";
import { type FileStatus, fileAccessOf, howToClose, type ProcessUser } from "../system/file-access.js";
import { parsedJson } from "../text/parsed-json.js";
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

const maskedValue = { value: () => "[credentials]" };
/** Hides the values from printing and serialization. */
const hideValues = (credentials: Credentials): Credentials =>
  Object.defineProperties(credentials, { toJSON: maskedValue, [inspect.custom]: maskedValue });

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
  readonly readFile: (path: string) => EdgercFile;
  /** The user that this process runs as; other users' access to the file causes a warning. */
  readonly user: ProcessUser;
}

interface EdgercFile {
  readonly text: string;
  readonly status: FileStatus;
}

const requiredKeys = ["host", "client_token", "client_secret", "access_token"] as const;
const optionalKeys = [
  "max_body",
  "headers_to_sign",
  "account_key",
  "basic_username",
  "basic_password",
  "bearer_token",
] as const;
type CredentialKey = (typeof requiredKeys)[number] | (typeof optionalKeys)[number];
type CredentialValues = Partial<Record<CredentialKey, string>>;

const invalidSource = (what: string, next: string): Failure => new Failure("bad_configuration", what, { next });

/** The variable of a key: AKAMAI_HOST, or AKAMAI_PURGE_HOST for the section purge. */
function variableOf(key: CredentialKey, section: string): string {
  const infix = section === "default" ? "" : `${section.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}_`;
  return `AKAMAI_${infix}${key.toUpperCase()}`;
}

/** The values of the variables; empty ones count as unset. */
function environmentValues({ environment, section }: CredentialSource): CredentialValues {
  const entries = [...requiredKeys, ...optionalKeys].map(
    (key) => [key, environment[variableOf(key, section)]] as const,
  );
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== ""));
}

interface Section {
  /** Undefined for what stands before the first section, and for a header that cannot be read. */
  readonly name: string | undefined;
  /** The line of the header, from 1; 0 before the first section. */
  readonly at: number;
  /** The lines, of which the first is the header. */
  readonly lines: string[];
}

// The vendor's clients ignore what follows the bracket, but take all up to a second bracket for the name.
const header = /^\s*\[([^\]]*)\](?:[^\]]*|\s*[;#].*)$/;

/** @throws Failure for a text in UTF-16, which has a null byte in every Latin character when it is read as UTF-8. */
function sectionsOf(text: string, place: string): readonly Section[] {
  if (text.includes("\0"))
    throw invalidSource(
      `${place} is not written in UTF-8, but probably in UTF-16.`,
      "Save it with the encoding UTF-8.",
    );
  let section: Section = { name: undefined, at: 0, lines: [""] };
  const sections = [section];
  for (const [index, line] of text.split(/\r?\n/).entries())
    if (/^\s*\[/.test(line)) {
      section = { name: header.exec(line)?.[1], at: index + 1, lines: [line] };
      sections.push(section);
    } else section.lines.push(line);
  return sections;
}

/** Without the comment after a value: after a semicolon, or after a # with a space before it, since passwords contain #. */
const withoutComment = (text: string): string => text.replace(/(?:;|\s#|^#\s).*$/, "").trim();

const isKnown = (key: string): key is CredentialKey =>
  ([...requiredKeys, ...optionalKeys] as readonly string[]).includes(key);

/**
 * Whether a line may be the rest of a broken value above it, which would be used without it. The rest of a Base64
 * secret ends in equals signs, so that it looks like a key without a value.
 */
const isRestOfValue = (line: string): boolean =>
  (/^[^=]*=*$/.test(line) && !/^[\w-]+[ \t]*:\s/.test(line)) || /^[^=\s]+=*$/.test(withoutComment(line));

const quoted = /^(["'])((?:(?!\1).)*)\1\s*(?:[;#].*)?$/;

/** The value after a delimiter; `at` is the place of the line, for errors. */
function valueIn(text: string, key: CredentialKey, at: string): string {
  const inQuotes = quoted.exec(text)?.[2];
  if (inQuotes === undefined && /^["']/.test(text))
    throw invalidSource(
      `${at}: ${key} does not end with the quotation mark that it begins with.`,
      "Write the value without quotation marks.",
    );
  const value = inQuotes ?? withoutComment(text);
  const isOfVendor = key === "account_key" || requiredKeys.some((one) => one === key);
  if (isOfVendor && /\\$|%\([^)]*\)/.test(value))
    throw invalidSource(
      `${at}: ${key} ends in a backslash or contains %( ), which not all clients read alike.`,
      "Copy the value again, on one line.",
    );
  return value;
}

/** The known key of a line and its value; undefined for a line that has none. `at` is as above. */
function entryIn(line: string, at: string): readonly [CredentialKey, string] | undefined {
  if (line.includes("\r")) throw invalidSource(`${at} contains a carriage return.`, "Write each value on one line.");
  if (/^(?:$|[;#[])/.test(line)) return undefined;
  const end = line.search(/[=:]/);
  const key = (end < 0 ? line : line.slice(0, end).trim()).replace(/^(["'])(.*)\1$/, "$2").replaceAll("-", "_");
  if (isKnown(key)) return end < 0 ? undefined : [key, valueIn(line.slice(end + 1).trim(), key, at)];
  if (isRestOfValue(line))
    throw invalidSource(
      `${at} is not a key with a value, perhaps the rest of a broken value.`,
      "Write each value on one line, and a comment after a semicolon.",
    );
  return undefined;
}

/**
 * The values of a section, as the vendor's clients for Node, Python and Go read it. They differ in quotes, comments and
 * colons: what one of them could take for a different credential is refused.
 * @throws Failure with the line and the key, and without the value.
 */
function valuesIn(section: Section, place: string): CredentialValues {
  const values = new Map<CredentialKey, { readonly value: string; readonly line: number }>();
  for (const [index, text] of section.lines.entries()) {
    const line = section.at + index;
    const [key, value] = entryIn(text.trim(), `${place}: line ${line}`) ?? [];
    if (key === undefined || value === undefined) continue;
    const former = values.get(key);
    if (former && former.value !== value)
      throw invalidSource(
        `${place} has two values of ${key}, in lines ${former.line} and ${line}.`,
        "Delete the one that is out of date.",
      );
    values.set(key, { value, line });
  }
  return Object.fromEntries([...values].map(([key, { value }]) => [key, value]));
}

/** The section of a name. @throws Failure if there is none, or more than one. */
function sectionIn(sections: readonly Section[], name: string, path: string, related: string): Section {
  const [section, second] = sections.filter((one) => one.name === name);
  if (section && second)
    throw invalidSource(
      `${path} has two sections [${name}], in lines ${section.at} and ${second.at}.`,
      "Delete or rename the one that is out of date.",
    );
  if (section) return section;
  const plain = (text: string | undefined) => text?.trim().toLowerCase();
  const alike = sections.find((one) => plain(one.name) === plain(name));
  const unread = sections.find((one) => one.at > 0 && one.name === undefined);
  const instead = alike
    ? `, but [${alike.name}] in line ${alike.at}`
    : unread
      ? `; the header in line ${unread.at} cannot be read`
      : "";
  throw invalidSource(
    `${path} has no section [${name}]${instead}${related}.`,
    alike
      ? `Write the header as [${name}]; spaces and capitals count.`
      : unread
        ? `Write the header as [name], such as [${name}], on a line of its own.`
        : "Choose another with --section, or add it with host, client_token, client_secret and access_token.",
  );
}

function sectionValues(
  source: CredentialSource,
  related: string,
): { readonly values: CredentialValues; readonly status: FileStatus } | undefined {
  const { edgercPath, section } = source;
  let file: EdgercFile;
  try {
    file = source.readFile(edgercPath);
  } catch (error) {
    if (!source.isPathExplicit && (error as { code?: unknown }).code === "ENOENT") return undefined;
    throw invalidSource(
      `The credentials file ${edgercPath} cannot be read${related}.`,
      "Check --edgerc, or the file's permissions.",
    );
  }
  const sections = sectionsOf(file.text, edgercPath);
  const values = valuesIn(sectionIn(sections, section, edgercPath, related), `Section [${section}] of ${edgercPath}`);
  const missing = missingOf(values);
  if (missing.length > 0) {
    const hasDefaults = section !== "DEFAULT" && sections.some(({ name }) => name === "DEFAULT");
    const defaults = hasDefaults ? ", and no section takes values from [DEFAULT]" : "";
    throw incompleteSource(
      `The credentials in section [${section}] of ${edgercPath} lack ${missing.join(", ")}${defaults}${related}.`,
    );
  }
  return { values, status: file.status };
}

const vendorHost = /^[a-z0-9-]+\.(luna|purge)\.akamaiapis\.net$/;

const missingOf = (values: CredentialValues) =>
  requiredKeys.filter((key) => values[key] === undefined || values[key] === "");
const incompleteSource = (what: string): Failure =>
  invalidSource(what, "Add the missing values; all four belong to one API client.");

type HostRule = Pick<CredentialSource, "isAnyHostAllowed">;

function validateCredentials(
  values: CredentialValues,
  place: string,
  source: HostRule,
  warnings: readonly CredentialWarning[],
): Credentials {
  for (const [key, value] of Object.entries(values))
    if (!(key === "headers_to_sign" ? /^[\w, -]+$/ : /^(?!["'])[\x21-\x7e]+$/).test(value))
      throw invalidSource(
        `${key} in ${place} contains a space, a line break or another character that is not allowed.`,
        "Copy the value again, on one line, without spaces; a comment after it begins with a semicolon.",
      );
  const { host = "", client_token = "", client_secret = "", access_token = "" } = values;
  const bare = host
    .toLowerCase()
    .replace(/^https:\/\//, "")
    .replace(/\/$/, "");
  const isHostUsable = source.isAnyHostAllowed ? /^[a-z0-9.-]+(:\d+)?$/.test(bare) : vendorHost.test(bare);
  if (!isHostUsable)
    throw invalidSource(
      `host in ${place} is not a host of the management APIs.`,
      "It ends in .luna.akamaiapis.net or .purge.akamaiapis.net; a different one is set with --upstream.",
    );
  const maxBodyBytes = Number(values.max_body ?? 131_072);
  if (!Number.isSafeInteger(maxBodyBytes) || maxBodyBytes < 1)
    throw invalidSource(`max_body in ${place} is not a number of bytes.`, "Leave it out, or write 131072.");
  return hideValues({
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
  const access = fileAccessOf(status, user);
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
  const values = environmentValues(source);
  const unset = missingOf(values).map((key) => variableOf(key, source.section));
  if (unset.length === 0) return validateCredentials(values, "the AKAMAI_* variables", source, []);
  // Some of the variables are set and expected to be used, so an error about the file mentions them, too.
  const related = unset.length < requiredKeys.length ? `, and the variables lack ${unset.join(", ")}` : "";
  const file = sectionValues(source, related);
  if (file) {
    const place = `section [${source.section}] of ${source.edgercPath}`;
    return validateCredentials(file.values, place, source, warningsOf(source, file.status));
  }
  if (Object.keys(source.environment).length === 0) return undefined;
  throw incompleteSource(`The credentials in the AKAMAI_* variables lack ${unset.join(", ")}.`);
}

/** Fields of JSON by the names that an .edgerc has for them: `clientToken` is `client_token`. */
function valuesOfJson(text: string, place: string): CredentialValues {
  const members = parsedJson(text);
  if (members === undefined)
    throw invalidSource(`${place} begins like JSON but is not valid.`, "Write an object with the four values as text.");
  const known = new Set<string>([...requiredKeys, ...optionalKeys]);
  const entries = Object.entries(members as object).map(
    ([name, value]) => [name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value] as const,
  );
  return Object.fromEntries(entries.filter(([key, value]) => known.has(key) && typeof value === "string"));
}

/** The only section of a text, with or without a header. */
function onlySection(text: string, place: string): Section {
  const [section = { name: undefined, at: 0, lines: [] }, ...others] = sectionsOf(text, place).filter(
    ({ at, lines }) => at > 0 || lines.some((line) => /^\s*[^\s;#]/.test(line)),
  );
  if (others.length > 0) throw invalidSource(`${place} has several sections.`, "Have it write only one.");
  return section;
}

/**
 * Parses the credentials in a text: a section of an .edgerc, with or without its header, or a JSON object.
 * @param place The source of the text, for errors, which repeat no value.
 * @throws Failure `bad_configuration` with the problem.
 */
export function credentialsIn(text: string, place: string, hostRule: HostRule): Credentials {
  const bare = text.trim();
  const isJson = bare.startsWith("{");
  const values = isJson ? valuesOfJson(bare, place) : valuesIn(onlySection(text, place), place);
  const missing = missingOf(values);
  if (missing.length > 0) throw incompleteSource(`${place} lacks ${missing.join(", ")}.`);
  return validateCredentials(values, place, hostRule, []);
}
