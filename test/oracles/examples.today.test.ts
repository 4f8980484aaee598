/**
 * The vendor's own examples, where they lie next to the project: each response comes back unchanged, and each request leaves as
 * it is written. Where an example misfits the vendor's own definition, or ours, the place is listed with a reason.
 */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.js";
import type { CompiledOperation, Definition } from "../../src/definitions/definition.js";
import { importedEffectOf } from "../../src/definitions/effect.js";
import { importedOperation } from "../../src/definitions/operation.js";
import { writeFolder } from "../../src/definitions/store.js";
import { importedEntries } from "../../src/emulator/imported.js";
import { serviceEntries } from "../../src/emulator/services/index.js";
import { openImported } from "../../src/engine/imported.js";
import type { AnyOperation } from "../../src/language/define.js";
import { Failure } from "../../src/language/failure.js";
import { lazily } from "../../src/language/once-for.js";
import type { Send, WireRequest } from "../../src/language/wire.js";
import { resolvedExample } from "../../src/pages/example.js";
import { boxed } from "../definitions/boxed.js";
import { folder } from "../lab/files.js";
import { needs } from "../lab/needs.js";
import { startRaw } from "../lab/raw.js";
import { type Answer, callOver } from "../wire/exchange.js";
import { misfittingExamples } from "./differing.js";
import { declared, facts, plain } from "./facts.js";
import { folders, requests, resolved } from "./requests.js";

interface Content {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}
type Contents = Readonly<Record<string, Content>>;
interface Written {
  readonly requestBody?: { readonly content?: Contents };
  readonly responses: Readonly<Record<string, { readonly content?: Contents }>>;
}

const examplesIn = ({ example, examples = {} }: Content): readonly unknown[] =>
  [example, ...Object.values(examples).map(({ value }) => value)].filter((one) => one !== undefined);

const ownOf = (route: string) => declared.find(([, known]) => known === route);

/** The operation of a route: as it is declared, or else as it is imported; its own example has the arguments. */
function operationOf(route: string, [definition, compiled]: readonly [Definition, CompiledOperation]): AnyOperation {
  const own = ownOf(route)?.[2];
  if (own) return own;
  const effect = importedEffectOf(compiled, definition.digest);
  return importedOperation({ compiled, definition, effect, isLowered: true, isSampled: false, title: compiled.route });
}

/** The arguments of an operation apart from its body: those of its example, or 1 for what is required. */
function argumentsOf({ spec, isImported }: AnyOperation, { path = {}, query = {}, headers = {} }: CompiledOperation) {
  const { body: _, ...given } = resolvedExample(spec.example, Date.now());
  if (!isImported) return given;
  const required = [
    ...Object.entries(path),
    ...Object.entries({ ...query, ...headers }).filter(([, one]) => one.isRequired),
  ];
  return Object.fromEntries(required.map(([name]) => [name, "1"]));
}

const files = folders.map((folder) => `../shared/definitions/${folder}/openapi.json`);
const written = files.filter(existsSync).flatMap((path) => {
  const { servers, paths } = JSON.parse(readFileSync(path, "utf8")) as {
    readonly servers: readonly { readonly url: string }[];
    readonly paths: Readonly<Record<string, Readonly<Record<string, Written>>>>;
  };
  const base = new URL(servers[0]?.url.replace("{hostname}", "host.example") ?? "").pathname;
  return Object.entries(paths).flatMap(([at, item]) =>
    Object.entries(item).flatMap(([method, one]) => {
      const route = `${method.toUpperCase()} ${base}${at}`;
      return one.responses === undefined ? [] : [[route, plain(route), one] as const];
    }),
  );
});

/** Where examples misfit, by operation, without their values. */
const misfits = new Map<string, string[]>();
const misfit = (route: string, what: string): void => {
  const known = misfits.get(route) ?? [];
  if (!known.includes(what)) misfits.set(route, [...known, what]);
};

/** Sends a call to an upstream that answers as told. @returns what was sent, and the reply or the failure. */
async function sentFor(operation: AnyOperation, args: Record<string, unknown>, answer: Answer) {
  const sent: WireRequest[] = [];
  const send: Send = async (request) => {
    sent.push(request);
    const headers = { "content-type": "application/json", ...answer.headers };
    return { status: answer.status, headers, body: ReadableStream.from([new TextEncoder().encode(answer.body)]) };
  };
  const outcome = await callOver(send, operation, args, { maxResponseBytes: 10_000_000 }).catch(
    (error: Failure) => error,
  );
  return { sent: sent[0], outcome };
}

/** The emulator's services, the imported ones behind those that are declared. */
const everyEntry = lazily(async () => {
  const dir = folder();
  writeFolder(dir, await boxed());
  const config = readConfig(["--emulator", "--imported", "on", "--imports-dir", dir, "--state-dir", "memory"], {});
  const imported = openImported(config);
  if (imported === undefined) throw new Error("No imports are offered.");
  return [...serviceEntries, ...importedEntries(imported.library)];
});

/**
 * Why the emulator cannot read a request, which is sent on as it is; undefined if it can, even if its world lacks what the
 * request is about.
 */
async function refusedByEmulator({ method, url, headers }: WireRequest, body: string): Promise<string | undefined> {
  const { authorization: _, ...others } = headers;
  const { status, text } = await startRaw({ entries: await everyEntry() }).ask({
    method,
    target: `${url.pathname}${url.search}`,
    headers: others,
    body,
  });
  expect(status, text).toBeLessThan(500);
  if (status !== 400 && status !== 415) return undefined;
  const { detail, errors = [] } = JSON.parse(text) as {
    readonly detail?: string;
    readonly errors?: readonly { readonly detail?: string }[];
  };
  return `${status} ${detail ?? errors[0]?.detail}`;
}

/** The operation of a route and its arguments; undefined if it needs a file. */
function callable(route: string) {
  const known = facts.get(route);
  if (known === undefined) throw new Error(`${route} is in no definition of the box.`);
  if (known[1].refused !== undefined) return undefined;
  const operation = operationOf(route, known);
  return {
    operation,
    given: { ...argumentsOf(operation, known[1]), ...ownOf(route)?.[4] },
    bodyOfExample: resolvedExample(operation.spec.example, 0)["body"],
    anyBody: resolved(Object.values(requests[route]?.body?.content ?? {})[0] ?? {}).type === "array" ? [] : {},
  };
}

/** A body, whose members are in an order of no meaning. */
const readAs = (type: string, text: string): unknown => (/json|\*/.test(type) ? JSON.parse(text) : text);

const asText = (example: unknown, type: string): string =>
  typeof example === "string" && !/json/.test(type) ? example : JSON.stringify(example);

describe("the vendor's examples", needs.outside(written.length > 0, "the vendor's definitions"), () => {
  it.each(written)("of responses to %s come back unchanged", async (title, route, { responses, requestBody }) => {
    const call = callable(route);
    if (!call) return;
    const { operation, given, anyBody, bodyOfExample } = call;
    const [written = anyBody] = Object.values(requestBody?.content ?? {}).flatMap(examplesIn);
    const args = operation.spec.body === undefined ? given : { ...given, body: bodyOfExample ?? written };
    for (const [status, { content = {} }] of Object.entries(responses).filter(([code]) => code.startsWith("2")))
      for (const [type, one] of Object.entries(content))
        for (const example of examplesIn(one)) {
          const answer = {
            status: Number(status),
            headers: { "content-type": type.includes("*") ? "application/json" : type },
            body: asText(example, type),
          };
          const { outcome } = await sentFor(operation, args, answer);
          if (outcome instanceof Failure)
            throw new Error(JSON.stringify({ title, ...outcome.detail, is: outcome.message }));
          expect(outcome.whole ?? outcome.body).toEqual(example);
          const note = outcome.notes.find((text) => text.includes("differs from its declared schema"));
          if (note) misfit(title, `${status}: ${note.replace(/^.* at |; it is.*$/g, "")}`);
        }
  });

  it.each(written.filter(([, , { requestBody }]) => requestBody))(
    "of requests of %s leave as they are written",
    async (title, route, { requestBody }) => {
      const call = callable(route);
      if (!call) return;
      for (const [type, one] of Object.entries(requestBody?.content ?? {}))
        for (const example of examplesIn(one)) {
          const { sent, outcome } = await sentFor(
            call.operation,
            { ...call.given, body: example },
            { status: 204, body: "" },
          );
          if (sent === undefined && outcome instanceof Failure)
            for (const { field } of outcome.detail.fields ?? [{ field: outcome.message }])
              misfit(title, `request: ${field}`);
          else {
            const body = new TextDecoder().decode(sent?.body as Uint8Array);
            expect(readAs(type, body)).toEqual(example);
            if (sent) {
              const refusal = await refusedByEmulator(sent, body);
              if (refusal !== undefined) misfit(title, `emulator: ${refusal}`);
            }
          }
        }
    },
  );

  it("misfit only where that is listed", () => {
    expect(Object.fromEntries(misfits)).toEqual(misfittingExamples);
  });
});
