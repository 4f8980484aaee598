/** What a refused caller is told of a service that the vendor may no longer run. */
import { describe, expect, it } from "vitest";
import { op, undocumented } from "../../src/language/define.js";
import type { Failure } from "../../src/language/failure.js";
import { type Standing, standingInWords } from "../../src/language/hint.js";
import { service } from "../../src/language/service.js";
import { z } from "../../src/language/z.js";
import { asMarkdown, operationPage } from "../../src/pages/tool-page.js";
import { callOver } from "../wire/exchange.js";

const about = { name: "olds", document: "A", title: "Olds", about: "Olds", rules: {} } as const;
const successor = "Old v3 (/old/v3)";
const alive: Standing = { state: "alive", since: "2024-07-18", successor };
const made = (standing: Standing, own?: Standing) => {
  const read = op("GET /old", {
    does: "Reads.",
    returns: undocumented,
    example: {},
    ...(own ? { standing: own } : {}),
  });
  const readOne = op("GET /old/{id}", {
    does: "Reads one.",
    path: { id: z.string() },
    returns: undocumented,
    example: { id: "7" },
  });
  return service("old", { ...about, standing, operations: { old_get: read, old_thing_get: readOne } });
};

async function nextAfter(
  status: number,
  standing: Standing,
  options: { own?: Standing; isEmulated?: boolean; type?: string; id?: string; text?: string } = {},
) {
  const { own, type, id, text = JSON.stringify({ type: type ?? "/x" }), ...rest } = options;
  const send = async () => ({
    status,
    headers: { "content-type": "application/problem+json" },
    body: ReadableStream.from([Buffer.from(text)]),
  });
  const { old_get: whole, old_thing_get: one } = made(standing, own).operations;
  const called = id === undefined ? callOver(send, whole, {}, rest) : callOver(send, one, { id }, rest);
  const failure = await called.then(
    () => Promise.reject(new Error("no failure")),
    (error: Failure) => error,
  );
  return failure.detail.next;
}
const gateway = "https://problems.luna.akamaiapis.net/-/pep-authz/deny";

describe("the advice after a refusal", () => {
  it.each<[Standing, RegExp]>([
    [
      { state: "retired", since: "2025-09-30", successor },
      /retired this .* on 2025-09-30; its successor is Old v3 .*today/,
    ],
    [{ state: "retired", since: "2025" }, /retired this part of its APIs in 2025\.$/],
    [{ state: "superseded", successor }, /superseded this .* its successor is Old v3 \(\/old\/v3\)/],
    [{ state: "unknown" }, /No public notice/],
    [alive, /^$/],
  ])("is in words what is known: %j", async (standing, advice) => {
    for (const [status, type] of [
      [404, "/x"],
      [405, "/x"],
      [410, "/x"],
      [403, gateway],
    ] as const) {
      const plain = await nextAfter(status, alive, { type });
      const next = await nextAfter(status, standing, { type });
      expect(next.startsWith(plain)).toBe(true);
      expect(next.slice(plain.length)).toMatch(advice);
    }
  });

  it.each([400, 401, 403, 409, 429, 503])("is not given where the service itself answers with %i", async (status) => {
    expect(await nextAfter(status, { state: "retired" })).not.toContain("vendor");
  });

  it("is not given where the service says that it has no such id", async () => {
    const gone: Standing = { state: "retired", successor };
    expect(await nextAfter(404, gone, { id: "7" })).not.toContain("--apis today");
    for (const text of ["", "<!doctype html><html><body>Not found</body></html>"])
      expect(await nextAfter(404, gone, { id: "7", text })).toContain("--apis today");
    expect(await nextAfter(410, gone, { id: "7" })).toContain("--apis today");
  });

  it("is not given by the emulator", async () => {
    expect(await nextAfter(404, { state: "retired" }, { isEmulated: true })).not.toContain("vendor");
  });

  it("is the operation's own where that differs", async () => {
    expect(await nextAfter(404, alive, { own: { state: "retired" } })).toContain("The vendor retired");
    expect(await nextAfter(404, { state: "retired" }, { own: alive })).not.toContain("vendor");
  });
});

it("is on the operation's page in a few words, unless the service is alive", () => {
  const standings: Standing[] = [
    alive,
    { state: "superseded", successor },
    { state: "retired", since: "2025-09-30" },
    { state: "unknown" },
  ];
  const words = [
    "alive",
    "superseded by Old v3 (/old/v3)",
    "retired 2025-09-30",
    "unknown whether the vendor still runs it",
  ];
  expect(standings.map(standingInWords)).toEqual(words);
  for (const [index, standing] of standings.entries()) {
    const declared = made(standing);
    const page = operationPage("old_get", declared.operations.old_get, declared, 0);
    expect(page.standing).toBe(words[index]);
    const isShown = asMarkdown(page).includes(` · ${words[index]}\n`);
    expect(isShown).toBe(standing !== alive);
  }
});
