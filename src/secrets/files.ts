/** Secrets outside of arguments and results: fields of a body come from files, secrets of a response go to one. */
import { createHash, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { bodySchema } from "../language/choice.js";
import type { AnyOperation } from "../language/define.js";
import { Failure } from "../language/failure.js";
import { markOf } from "../language/marks.js";
import { mediaList } from "../language/media.js";
import { onceFor } from "../language/once-for.js";
import { z } from "../language/z.js";
import { fileAccessOf, isOpenDirectory, makeDirectory, type ProcessUser, processUser } from "../system/file-access.js";

type Values = Readonly<Record<string, unknown>>;

/** A name without a directory, so that callers cannot choose other locations. */
const fileName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

const FileName = z
  .string()
  .regex(fileName, "the name of a file in the secret directory, and never a secret itself")
  .optional()
  .describe("File in the server's secret directory that contains it; the user creates it, mode 0600");

/** The fields of a body whose values come from files, each by the argument that names its file. */
export const secretFileArguments = onceFor(({ spec }: Pick<AnyOperation, "spec">): Readonly<Record<string, string>> => {
  const body = bodySchema(mediaList(spec.body));
  const members = body instanceof z.ZodObject ? Object.entries(body.shape as Readonly<Record<string, z.ZodType>>) : [];
  return Object.fromEntries(
    members.flatMap(([name, one]) => (markOf(one, "secret")?.isFromFile ? [[`${name}File`, name]] : [])),
  );
});

/** The arguments for a body: itself without fields that come from files, and the names of those files. */
export function bodyArguments(operation: AnyOperation): Readonly<Record<string, z.ZodType>> {
  const whole = bodySchema(mediaList(operation.spec.body));
  if (whole === undefined) return {};
  const from = secretFileArguments(operation);
  const files = Object.fromEntries(Object.keys(from).map((name) => [name, FileName]));
  if (Object.keys(files).length === 0) return { body: whole };
  const rest = (whole as z.ZodObject).omit(
    Object.fromEntries(Object.values(from).map((member) => [member, true])) as never,
  );
  return { ...(Object.keys(rest.shape).length === 0 ? {} : { body: rest }), ...files };
}

/**
 * Whether the response of a call will contain a secret, so that a file for it has to be created before the call is
 * sent.
 */
export const returnsSecret = ({ spec: { secretTo } }: AnyOperation, values: Values): boolean =>
  secretTo !== undefined && (secretTo.unless === undefined || values[secretTo.unless] !== true);

/** What is wrong with an argument, in the words of a field problem. */
export interface SecretProblem {
  readonly takes: string;
}

/**
 * The body with the secrets, and the secrets.
 * @param secretOf Returns the secret for an argument, or why there is none.
 * @returns the problems of the arguments without one instead.
 */
export async function withFileSecrets(
  operation: AnyOperation,
  body: unknown,
  secretOf: (argument: string, member: string) => Promise<string | SecretProblem>,
): Promise<
  | { readonly body: unknown; readonly secrets: readonly string[] }
  | { readonly problems: readonly (SecretProblem & { readonly field: string })[] }
> {
  const from = Object.entries(secretFileArguments(operation));
  if (from.length === 0) return { body, secrets: [] };
  const schema = bodySchema(mediaList(operation.spec.body));
  const shape = schema instanceof z.ZodObject ? (schema.shape as Readonly<Record<string, z.ZodType>>) : {};
  const members: Record<string, string> = {};
  const problems: (SecretProblem & { readonly field: string })[] = [];
  for (const [field, member] of from) {
    const found = await secretOf(field, member);
    if (typeof found !== "string") problems.push({ field, ...found });
    else if (shape[member]?.safeParse(found).success === true) members[member] = found;
    // The schema's message could repeat the value.
    else problems.push({ field, takes: `a file whose text is a valid ${member}` });
  }
  if (problems.length > 0) return { problems };
  return { body: { ...(body as Values | undefined), ...members }, secrets: Object.values(members) };
}

/** A file into which the secret of a response goes. */
interface CreatedFile {
  /** The directory of its client in the secret directory; empty for the latter itself. */
  readonly directory: string;
  readonly name: string;
}

/**
 * Which instance of a server has which of the files that secrets of responses were written to. What is in them is never
 * shared.
 */
export interface SecretHolders {
  /**
   * Records that this instance has a new file.
   * @throws Failure `failed` if that is impossible.
   */
  add(file: CreatedFile): Promise<void>;
  /**
   * Removes the record of a file that this instance does not have after all.
   * @throws Failure `failed` if that is impossible.
   */
  remove(file: CreatedFile): Promise<void>;
  /**
   * The address of another instance that has a file; undefined if none is known to.
   * @throws Failure `failed` if that cannot be determined.
   */
  find(file: CreatedFile): Promise<string | undefined>;
}

/** A new file for one secret. */
export interface SecretFile {
  readonly path: string;
  /** Writes the secret, on disk when it returns; false if that fails. */
  write(secret: string): Promise<boolean>;
  /** Removes the file, into which nothing was written. */
  discard(): Promise<void>;
}

/** The files of one client, which other clients' calls cannot name. */
interface SecretFiles {
  /**
   * Creates a new, empty file that only its owner can read.
   * @throws Failure `not_allowed` if none can be created, `failed` if the other instances cannot know of it.
   */
  create(tool: string): Promise<SecretFile>;
  /**
   * The text of a file, without its last line end; or what the argument takes instead. Without a name, what to name.
   * @throws Failure `not_found` if the file is on another instance.
   */
  read(name: string | undefined): Promise<string | SecretProblem>;
}

interface SecretHolder {
  /** The name of the client's token; undefined if none is required, for whom the directory itself is used. */
  readonly tokenName: string | undefined;
  /** The account, as a key, that the secrets belong to. */
  readonly account: string;
}

/** The files of a client's calls on an account. */
export type SecretFilesOf = (holder: SecretHolder) => SecretFiles;

const maxBytes = 4_096;

/** The end of the name of a file with a secret: time, account, and a random part. */
const createdName = /-\d{8}T\d{6}Z(?:-(?<account>[0-9a-f]{12}))?-[0-9a-f]{12}$/;
const accountMark = (account: string): string => createHash("sha256").update(account).digest("hex").slice(0, 12);

const isSystemError = (error: unknown): boolean => (error as NodeJS.ErrnoException).syscall !== undefined;

/** Why a directory cannot contain secrets; undefined if it can, or if it does not exist yet. */
async function problemWith(dir: string, user: ProcessUser): Promise<string | undefined> {
  const found = await lstat(dir).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  });
  if (found === undefined) return undefined;
  if (!found.isDirectory()) return "It is a link, or not a directory.";
  return isOpenDirectory(found, user) ? "It belongs to another user, or others can write to it." : undefined;
}

/**
 * The same for the secret directory and a client's directory in it, because anyone who can write to the former can
 * replace the latter.
 */
const problemOf = async (root: string, dir: string, user: ProcessUser): Promise<string | undefined> =>
  (await problemWith(root, user)) ?? (dir === root ? undefined : problemWith(dir, user));

const unusable = (dir: string | undefined, why: string): Failure =>
  new Failure(
    "not_allowed",
    `The secret that this call returns cannot be stored in ${dir === undefined ? "a file" : JSON.stringify(dir)}.`,
    {
      why: `${why} Secrets are never shown, so the call needs a file for it. It was not made, and nothing was sent.`,
      next: "Ask the operator to set --secret-dir to a directory that only this server's user can write to.",
    },
  );

const openFile = (path: string, handle: Awaited<ReturnType<typeof open>>): SecretFile => ({
  path,
  async write(secret) {
    try {
      await handle.writeFile(secret);
      await handle.sync();
      return true;
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return false;
    } finally {
      await handle.close();
    }
  },
  async discard() {
    await handle.close();
    await unlink(path).catch(() => undefined);
  },
});

/** The text of a file that only its owner can read, or what the argument takes instead. */
async function textOf(path: string, where: string, user: ProcessUser): Promise<string | SecretProblem> {
  // Links are not followed, and a pipe does not block.
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const status = await handle.stat();
    if (!status.isFile() || status.size > maxBytes) return { takes: `${where}, of at most ${maxBytes} bytes` };
    const access = fileAccessOf(status, user);
    if (access && (access.owner !== "self" || access.canUse))
      return { takes: `${where}, which belongs to the user that Edgewise runs as and has mode 0600` };
    const text = (await handle.readFile("utf8")).replace(/\r?\n$/, "");
    const isOneLine = text !== "" && !/[\p{Cc}\ufffd]/u.test(text);
    return isOneLine ? text : { takes: `${where}, with a single line of text` };
  } finally {
    await handle.close();
  }
}

/** The directory of a client's files, in the secret directory. */
interface SecretPlace {
  readonly root: string;
  readonly dir: string;
  readonly user: ProcessUser;
}

/**
 * Creates a new file.
 * @throws Failure `not_allowed` if that is impossible.
 */
async function newFile({ root, dir, user }: SecretPlace, path: string): Promise<SecretFile> {
  try {
    makeDirectory(dir, 0o700);
    const problem = await problemOf(root, dir, user);
    if (problem !== undefined) throw unusable(dir, problem);
    // Never an existing file, and never the target of a link.
    return openFile(path, await open(path, "wx", 0o600));
  } catch (error) {
    if (error instanceof Failure || !isSystemError(error)) throw error;
    throw unusable(dir, "The system does not allow a file there.");
  }
}

const elsewhereFailure = (name: string, address: string): Failure =>
  new Failure(
    "not_found",
    `The secret file ${JSON.stringify(name)} is on another instance of this server, ${address}.`,
    {
      why: "A secret stays on the instance that wrote it to a file: it never enters the shared store.",
      next: `Make the call at ${address}, or ask the operator to copy the file from there into the same directory on this instance, with mode 0600.`,
    },
  );

/**
 * The text of a file by its name in a directory, or what to name instead.
 * @param holderOf The address of another instance that has a file with this name.
 * @throws Failure `not_found` if another instance has it.
 */
async function readSecret(
  place: SecretPlace | undefined,
  name: string | undefined,
  account: string,
  holderOf: (name: string) => Promise<string | undefined>,
): Promise<string | SecretProblem> {
  if (place === undefined)
    return { takes: "a file in the secret directory, and this server has none: its operator sets --secret-dir" };
  const { root, dir, user } = place;
  const where = `the name of a file in ${JSON.stringify(dir)}`;
  if (name === undefined)
    return {
      takes: `${where}, into which the user has put the secret; only edgewise call, at a terminal, asks for it`,
    };
  const createdNameParts = createdName.exec(name);
  if (createdNameParts && createdNameParts.groups?.["account"] !== accountMark(account))
    return {
      takes: `${where} that the user has created, or that a call on this account has created; this one belongs to another account, or does not name its account`,
    };
  try {
    if ((await problemOf(root, dir, user)) !== undefined)
      return { takes: `${where}, a directory of this server's user to which no other user can write` };
    return await textOf(join(dir, name), where, user);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const holder = createdNameParts ? await holderOf(name) : undefined;
    if (holder !== undefined) throw elsewhereFailure(name, holder);
    return { takes: `${where} that exists and can be read` };
  }
}

/**
 * The files of a server's clients.
 * @param root The directory; undefined if none is set, so that there can be no files.
 * @param holders Which instance has which file, if there can be several.
 */
export const secretFiles =
  (
    root: string | undefined,
    { user = processUser(), holders }: { readonly user?: ProcessUser; readonly holders?: SecretHolders } = {},
  ): SecretFilesOf =>
  ({ tokenName, account }) => {
    const dir = root === undefined || tokenName === undefined ? root : join(root, tokenName);
    const place = root === undefined || dir === undefined ? undefined : { root, dir, user };
    const directory = tokenName ?? "";
    return {
      async create(tool) {
        if (place === undefined)
          throw unusable(dir, "With --state-dir memory there is none unless --secret-dir names one.");
        const time = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
        const name = `${tool}-${time}-${accountMark(account)}-${randomBytes(6).toString("hex")}`;
        const file = { directory, name };
        await holders?.add(file);
        // A record that cannot be removed ends with this instance.
        const forget = async (): Promise<void> => holders?.remove(file).catch(() => undefined);
        try {
          const created = await newFile(place, join(place.dir, name));
          return { ...created, discard: () => created.discard().then(forget) };
        } catch (error) {
          await forget();
          throw error;
        }
      },

      read: (name) => readSecret(place, name, account, async (found) => holders?.find({ directory, name: found })),
    };
  };
