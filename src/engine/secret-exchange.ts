/**
 * Secret files between the instances of a server: one that is asked for a file that another one has fetches it there,
 * with a signed request that is used once and an answer that only the two can read.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { Failure } from "../language/failure.js";
import type { Fetched, FilesElsewhere, MadeFile, MadeFiles } from "../secrets/files.js";
import { seal, unseal } from "../secrets/sealing.js";
import type { Instances, State } from "../state/index.js";

/** What an instance asks another one. */
interface PeerRequest {
  readonly method: string;
  readonly path: string;
}

interface PeerAnswer {
  readonly status: number;
  readonly body?: Buffer;
}

/** Answers a request to a path of a secret file, which has no body. */
export type AnswerPeer = (request: PeerRequest, authorization: string | undefined) => Promise<PeerAnswer>;

/** How old a request may be, and how long its use is remembered. */
const freshMs = 30_000;
const rememberedMs = 2 * freshMs;
/** The time for an answer. */
const answerMs = 1_500;
/** Longer than the lease of an instance. */
const claimedAgainMs = 15_000;
/** More than a sealed secret has. */
const maxAnswerBytes = 8_192;

const scheme = "Edgewise-Instance";
// The names of clients and of files need no escapes.
const pathOf = ({ directory, name }: MadeFile): string =>
  `/secret-files/${directory === "" ? "" : `${directory}/`}${name}`;

/** The file that a path names. */
function fileAt(path: string): MadeFile | undefined {
  const [, directory = "", name = ""] = /^\/secret-files\/(?:([\w.-]+)\/)?([\w.-]+)$/.exec(path) ?? [];
  return name === "" ? undefined : { directory, name };
}

/** What is signed of a request, and what its answer is sealed for. */
const wordsOf = (kind: "request" | "answer", { method, path }: PeerRequest, atMs: string, nonce: string): string =>
  JSON.stringify([kind, method, path, atMs, nonce]);

const signature = (key: Buffer, words: string): Buffer => createHmac("sha256", key).update(words).digest();

/** With what, and for whom, the answer to a request is sealed. */
interface Verified {
  readonly key: Buffer;
  readonly audience: string;
}

/** @returns undefined if the request is not signed with a key of these instances, is too old, or was used before. */
async function verified(
  { keys, now, useTicket }: Pick<State, "keys" | "now" | "useTicket">,
  request: PeerRequest,
  authorization: string | undefined,
): Promise<Verified | undefined> {
  const [given = "", atMs = "", nonce = "", mac = "", ...rest] = authorization?.split(/[ :]/) ?? [];
  if (given !== scheme || rest.length > 0) return undefined;
  const bytes = Buffer.from(mac, "base64url");
  const words = wordsOf("request", request, atMs, nonce);
  const key = keys.of("instances").find((one) => {
    const right = signature(one, words);
    return bytes.length === right.length && timingSafeEqual(bytes, right);
  });
  if (key === undefined || !(Math.abs(now() - Number(atMs)) <= freshMs)) return undefined;
  if (!(await useTicket(`instance ${nonce}`, now() + rememberedMs))) return undefined;
  return { key, audience: wordsOf("answer", request, atMs, nonce) };
}

/** Asks another instance. @returns its answer, opened; undefined if it cannot be reached. */
async function ask(
  { keys, now }: Pick<State, "keys" | "now">,
  address: string,
  request: PeerRequest,
): Promise<{ readonly status: number; readonly text: string | undefined } | undefined> {
  const [key] = keys.of("instances");
  const [atMs, nonce] = [String(now()), randomBytes(16).toString("base64url")];
  const mac = signature(key, wordsOf("request", request, atMs, nonce)).toString("base64url");
  try {
    const answer = await fetch(new URL(request.path, address), {
      method: request.method,
      headers: { authorization: `${scheme} ${atMs}:${nonce}:${mac}` },
      redirect: "error",
      signal: AbortSignal.timeout(answerMs),
    });
    const { status, headers } = answer;
    const isShort = Number(headers.get("content-length") ?? Number.NaN) <= maxAnswerBytes;
    if (status !== 200 || !isShort) {
      await answer.body?.cancel();
      return { status, text: undefined };
    }
    const sealed = Buffer.from(await answer.arrayBuffer());
    return { status, text: unseal(sealed, key, wordsOf("answer", request, atMs, nonce)) };
  } catch {
    return undefined;
  }
}

/** What an answer without a secret says of the other instance. */
const whyNot = (status: number | undefined): string => {
  if (status === undefined) return "that one cannot be reached";
  if (status === 404) return "that one no longer has it in a form that can be used";
  return "that one has refused it: its operator compares the keys and the addresses of the instances";
};

type Keep = Parameters<FilesElsewhere["fetch"]>[1];

/**
 * Creates the exchange of an instance, which then is asked for the files that it has from before it was restarted.
 * @param files The files that are here.
 */
export function createSecretExchange(
  state: Pick<State, "keys" | "now" | "useTicket">,
  { own, find, secretHolders }: Pick<Instances, "own" | "find" | "secretHolders">,
  files: MadeFiles,
): { readonly elsewhere: FilesElsewhere; readonly answer: AnswerPeer } {
  let lastTurn: Promise<unknown> = Promise.resolve();
  /** Writes or deletes a file by who has it, one after the other: otherwise what was just fetched could be deleted. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = lastTurn.then(work);
    lastTurn = turn.catch(() => undefined);
    return turn;
  };

  const fetchFrom = async (holder: string, file: MadeFile, keep: Keep): Promise<Fetched> => {
    const peer = await find(holder);
    if (!peer) return { why: "that one is gone, or serves no address" };
    const path = pathOf(file);
    const answer = await ask(state, peer.address, { method: "GET", path });
    if (answer?.text === undefined) return { why: whyNot(answer?.status) };
    const { text } = answer;
    const moved = await inTurn(async () => {
      const discard = await keep(text);
      if (!discard) return "not stored";
      if (await secretHolders.take(file, holder)) return "taken";
      // Another instance was faster, or another call of this one.
      if ((await secretHolders.find(file)) !== own()) await discard();
      return "late";
    });
    if (moved === "not stored") return { why: "it cannot be stored here" };
    // A copy that could not be deleted is asked for by no instance.
    if (moved === "taken") await ask(state, peer.address, { method: "DELETE", path });
    return { secret: text };
  };

  const fetchFile: FilesElsewhere["fetch"] = async (file, keep) => {
    let asked: string | undefined;
    let fetched: Fetched | undefined;
    for (;;) {
      const holder = await secretHolders.find(file);
      if (holder === undefined || holder === own()) return undefined;
      // Another instance may have fetched it in the meantime; then there is another one to ask.
      if (holder === asked) return fetched;
      asked = holder;
      fetched = await fetchFrom(holder, file, keep);
      if ("secret" in fetched) return fetched;
    }
  };

  /** Answers a request that is verified. */
  const answerVerified = async (file: MadeFile, method: string, { key, audience }: Verified): Promise<PeerAnswer> => {
    if (method === "DELETE")
      return inTurn(async () => {
        // It is kept until another instance is known to have it.
        const holder = await secretHolders.find(file);
        if (holder === undefined || holder === own()) return { status: 409 };
        await files.delete(file);
        return { status: 204 };
      });
    const secret = method === "GET" && (await secretHolders.find(file)) === own() ? await files.read(file) : undefined;
    return secret === undefined ? { status: 404 } : { status: 200, body: seal(secret, key, audience) };
  };

  const answer: AnswerPeer = async (request, authorization) => {
    const file = fileAt(request.path);
    if (!file) return { status: 403 };
    try {
      const given = await verified(state, request, authorization);
      return given ? await answerVerified(file, request.method, given) : { status: 403 };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { status: 503 };
    }
  };

  // The lease of a process that was killed ends after that of the one in its place has begun.
  const claim = async (): Promise<void> => secretHolders.claim(await files.list());
  claim().catch(() => undefined);
  setTimeout(() => void claim().catch(() => undefined), claimedAgainMs).unref();

  return {
    elsewhere: {
      add: secretHolders.add,
      // A name without a file is found nowhere, which is what a call then says.
      remove: (file) => secretHolders.remove(file).catch(() => undefined),
      fetch: fetchFile,
    },
    answer,
  };
}
