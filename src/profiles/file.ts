/** The file of profiles: its schema, and its profiles; errors name the field and a suggestion, and never a secret. */
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { profileName } from "../language/account.js";
import { Failure, quoteValue } from "../language/failure.js";
import { memberAt, pathTo } from "../language/member.js";
import { usualVendorWords, type VendorWords } from "../language/vendor-words.js";
import { z } from "../language/z.js";
import { tiers } from "../policy/tier.js";
import { hasPrincipalPattern } from "../policy/who.js";
import { principalPatternsShape } from "../policy/who-shape.js";
import { keysAt } from "../schema/problems.js";
import { type FileStatus, fileAccessOf, processUser, readWithStatus, refuseOpenFile } from "../system/file-access.js";
import { didYouMean } from "../text/nearest.js";
import { parsedJson } from "../text/parsed-json.js";
import { isZone, zoneText } from "../time/zone.js";
import { upstreamOrigin } from "../wire/origin.js";

/** The source of a credential. */
export type CredentialFrom =
  /** Variables, or a section of the `.edgerc` in the settings. */
  | { readonly kind: "section"; readonly section: string }
  /** A section of a file, whatever the variables are. */
  | { readonly kind: "file"; readonly edgerc?: string; readonly section: string }
  | {
      readonly kind: "fields";
      readonly host: string;
      readonly clientToken: string;
      readonly clientSecret: string;
      readonly accessToken: string;
      /** Whether other users can read the file with the values. */
      readonly isOpen: boolean;
    }
  /** The output of a program, which is run without a shell. */
  | { readonly kind: "command"; readonly program: string; readonly args: readonly string[] };

const text = (takes: string) => z.string(takes).min(1, takes);
const object = "an object";

/** A word of the vendor, which is used in media types, paths and names of fields. */
const word = z.string("a word").regex(/^[A-Za-z][A-Za-z0-9-]*$/, "a word of letters, digits and -");

/** The source of a credential. One object has the fields of all three kinds, so that a misspelled one is named. */
export const credentialSchema = z.strictObject(
  {
    edgerc: text("the path of an .edgerc file").optional().describe("Path of an .edgerc file; default ~/.edgerc"),
    section: text("the name of a section").optional().describe("Section of that file"),
    host: text("a host").optional().describe("The four values of an API client, instead of a section"),
    clientToken: text("a client token").optional().describe("The second of them"),
    clientSecret: text("a client secret").optional().describe("The third"),
    accessToken: text("an access token").optional().describe("The fourth"),
    command: z
      .array(text("a word"), "a list of words")
      .min(1, "a program and its arguments")
      .optional()
      .describe("A program and its arguments, run without a shell; it prints a section of an .edgerc, or JSON"),
  },
  object,
);

/** The fields of one profile. */
export const profileSchema = z.strictObject(
  {
    credential: credentialSchema.optional().describe("Source of its credential; default: the section with its name"),
    credentials: z
      .array(
        z.strictObject(
          {
            subject: text("the subject of a token").describe("Subject of a token, or name of a token of the file"),
            issuer: text("the URL of an issuer").optional().describe("Issuer of the token; any by default"),
            credential: credentialSchema.describe("Source of the credential for this subject"),
          },
          object,
        ),
        "a list",
      )
      .min(1, "a list of at least one item")
      .optional()
      .describe("Credentials of certain subjects; others use the profile's own, if it has one"),
    only: z
      .strictObject(principalPatternsShape, object)
      .refine(hasPrincipalPattern, `at least one of ${Object.keys(principalPatternsShape).join(", ")}`)
      .optional()
      .describe("Callers that may use it; all by default"),
    accountSwitchKey: text("an account switch key").optional().describe("Account that its calls act on"),
    account: text("the name of an account").optional().describe("The same by its name, instead of its switch key"),
    baseUrl: text("the URL of an origin").optional().describe("URL to call instead of the credential's host"),
    vendor: word.optional().describe("Word for <vendor> in media types and paths"),
    vendorWords: z
      .strictObject({ "free-ca": word.optional(), vendorRuleId: word.optional() } satisfies Record<
        keyof typeof usualVendorWords,
        z.ZodType
      >)
      .refine((words) => {
        const all = Object.values({ ...usualVendorWords, ...words });
        return new Set(all).size === all.length;
      }, "different terms for different words")
      .optional()
      .describe("Vendor terms for the words of the documents"),
    timeZone: z
      .string(zoneText)
      .refine(isZone, zoneText)
      .optional()
      .describe("Time zone of calls that do not name one"),
    contractId: text("the id of a contract")
      .optional()
      .describe("Contract of calls that need one and do not name it, without ctr_"),
    groupId: text("the id of a group in quotes")
      .regex(/^(grp_)?\d+$/, "the digits of a group's id, in quotes")
      .optional()
      .describe("Group of calls that need one and do not name it, without grp_"),
    highestTier: z
      .enum(tiers, `one of ${tiers.join(", ")}`)
      .optional()
      .describe(`The highest tier of its calls: ${tiers.join(", ")}`),
  },
  object,
);

/** The credential for the calls of one subject. */
interface SubjectCredential {
  readonly subject: string;
  readonly issuer?: string | undefined;
  readonly credential: CredentialFrom;
}

/** A profile of the file, or of a section only; its contract and its group are without prefixes. */
export interface Profile
  extends Readonly<Omit<z.output<typeof profileSchema>, "credential" | "credentials" | "vendorWords">> {
  readonly name: string;
  /** Absent if only the subjects of `credentials` have one. */
  readonly credential?: CredentialFrom;
  readonly credentials?: readonly SubjectCredential[];
  readonly vendorWords?: VendorWords | undefined;
}

/** The file, without the fields of its profiles, each of which is validated separately. */
export const fileSchema = z.strictObject(
  {
    defaultProfile: text("the name of a profile").optional().describe("Profile of calls that do not name one"),
    profiles: z
      .record(z.string(), z.unknown(), object)
      .refine(
        (all) => Object.keys(all).every((name) => profileName.test(name)),
        "profiles whose names are of letters, digits, _, . and -",
      )
      .refine((all) => Object.keys(all).length > 0, "at least one profile")
      .describe("The profiles by their names"),
  },
  object,
);

/** The profiles of a file, in order. */
export interface ProfileFile {
  readonly usual: string | undefined;
  readonly profiles: readonly Profile[];
}

const unusable = (path: string, problems: readonly string[]): Failure =>
  new Failure("bad_configuration", `The configuration ${path} cannot be used: ${problems.join("; ")}.`, {
    next: "Correct the file, and look at it with `edgewise profiles`; docs/access.md describes it.",
  });

/** Where a secret may be, even in a wrong place: a credential, and a URL with a password. */
const mayBeSecret = ["credential", "credentials", "baseUrl"];

/** A problem in words; possible secrets are never repeated. */
function issueProblems(
  issue: z.core.$ZodIssue,
  value: unknown,
  schema: z.ZodObject,
  place: readonly string[],
): string[] {
  const path = [...place, ...issue.path].reduce<string>(pathTo, "");
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(schema, issue.path);
    return issue.keys.map(
      (key) =>
        `there is no member ${pathTo(path, key)}${didYouMean(key, known)}${known.length > 0 ? `; known: ${known.join(", ")}` : ""}`,
    );
  }
  const given = memberAt(value, issue.path);
  const isSecret = mayBeSecret.some((name) => issue.path.includes(name));
  const was = given === undefined ? "is required and " : isSecret ? "" : `was given as ${quoteValue(given)}, and `;
  return [`${path || "the file"} ${was}takes ${issue.message}`];
}

function parseOrRefuse<S extends z.ZodObject>(
  path: string,
  schema: S,
  value: unknown,
  place: readonly string[],
): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw unusable(
    path,
    result.error.issues.flatMap((issue) => issueProblems(issue, value, schema, place)),
  );
}

const fourFields = ["host", "clientToken", "clientSecret", "accessToken"] as const;

/** A path with `~` for the home directory; Windows accepts both slashes after it. */
const atHome = (path: string, platform: NodeJS.Platform): string =>
  (platform === "win32" ? /^~[\\/]/ : /^~\//).test(path) ? join(homedir(), path.slice(2)) : path;

/** The environment on which the values of a profile can depend. */
interface ConfigurationFile {
  readonly path: string;
  /** Whether other users can read it. */
  readonly isOpen: boolean;
  readonly platform: NodeJS.Platform;
}

/** The source of a credential: a command, four values, or a section of a file. */
function credentialOf(
  { path, isOpen, platform }: ConfigurationFile,
  name: string,
  credential: z.output<typeof credentialSchema> | undefined,
  place = `profiles.${name}.credential`,
): CredentialFrom {
  const { command, edgerc, section, ...fields } = credential ?? {};
  const [program, ...args] = command ?? [];
  const some = fourFields.filter((field) => fields[field] !== undefined);
  const isSection = edgerc !== undefined || section !== undefined;
  const kinds = [program !== undefined, some.length > 0, isSection].filter(Boolean).length;
  if (kinds > 1)
    throw unusable(path, [`${place} takes one of a command, the four values ${fourFields.join(", ")}, and a section`]);
  if (program !== undefined) return { kind: "command", program, args };
  const missing = fourFields.filter((field) => fields[field] === undefined);
  if (some.length > 0 && missing.length > 0)
    throw unusable(path, [`${place} lacks ${missing.join(", ")}; all four belong to one API client`]);
  if (some.length > 0) {
    const { host = "", clientToken = "", clientSecret = "", accessToken = "" } = fields;
    return { kind: "fields", host, clientToken, clientSecret, accessToken, isOpen };
  }
  if (!isSection) return { kind: "section", section: name };
  return {
    kind: "file",
    section: section ?? "default",
    ...(edgerc === undefined ? {} : { edgerc: resolve(dirname(path), atHome(edgerc, platform)) }),
  };
}

/** All vendor words, with defaults. */
const wordsOf = (given: Partial<Record<keyof VendorWords, string | undefined>>): VendorWords => ({
  "free-ca": given["free-ca"] ?? usualVendorWords["free-ca"],
  vendorRuleId: given.vendorRuleId ?? usualVendorWords.vendorRuleId,
});

/** A profile of the file; an id is stored as the API usually has it, without its prefix. */
function profileIn(file: ConfigurationFile, name: string, value: unknown): Profile {
  const profile = parseOrRefuse(file.path, profileSchema, value, ["profiles", name]);
  const { credential, credentials, baseUrl, vendorWords, contractId, groupId, ...plain } = profile;
  if (plain.account !== undefined && plain.accountSwitchKey !== undefined)
    throw unusable(file.path, [`profiles.${name} takes one of account and accountSwitchKey`]);
  return {
    name,
    ...plain,
    // With credentials of certain subjects, the default would give everyone else one that is not theirs.
    ...(credential === undefined && credentials !== undefined
      ? {}
      : { credential: credentialOf(file, name, credential) }),
    ...(credentials === undefined
      ? {}
      : {
          credentials: credentials.map(({ credential: from, ...whose }, at) => ({
            ...whose,
            credential: credentialOf(file, name, from, `profiles.${name}.credentials[${at}].credential`),
          })),
        }),
    // An origin has no password, so that it can be shown with the profile.
    ...(baseUrl === undefined ? {} : { baseUrl: upstreamOrigin(baseUrl, `profiles.${name}.baseUrl`) }),
    ...(vendorWords === undefined ? {} : { vendorWords: wordsOf(vendorWords) }),
    ...(contractId === undefined ? {} : { contractId: contractId.replace(/^ctr_/, "") }),
    ...(groupId === undefined ? {} : { groupId: groupId.replace(/^grp_/, "") }),
  };
}

/**
 * Reads a file of profiles.
 * @throws Failure `bad_configuration` with the field and what it takes, or if others can write to the file.
 */
export function readProfiles(path: string, user = processUser()): ProfileFile {
  let text: string;
  let status: FileStatus;
  try {
    ({ text, status } = readWithStatus(path));
  } catch {
    throw new Failure("bad_configuration", `The configuration ${path} cannot be read.`, {
      next: "Check --config, and the file's permissions.",
    });
  }
  // Anyone who can write to it chooses the program that is run for a credential.
  const why = "They could run a program, or send the credential to another host.";
  const what = `the configuration ${path}`;
  refuseOpenFile(status, { path, what, forbids: "writing", why, chmod: "600" }, user);
  const value = parsedJson(text);
  if (value === undefined) throw unusable(path, ["this is not JSON"]);
  const { defaultProfile: usual, profiles } = parseOrRefuse(path, fileSchema, value, []);
  const names = Object.keys(profiles);
  if (usual !== undefined && !names.includes(usual))
    throw unusable(path, [
      `defaultProfile was given as ${quoteValue(usual)}, which is no profile${didYouMean(usual, names)}`,
    ]);
  const file = { path, isOpen: fileAccessOf(status, user)?.canUse ?? false, platform: user.platform };
  return { usual, profiles: names.map((name) => profileIn(file, name, profiles[name])) };
}
