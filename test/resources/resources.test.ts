/** What is read under an address, and how a name is completed, when the API gives it, lacks it or refuses it. */
import { expect, it } from "vitest";
import { Failure, type FailureCode } from "../../src/language/failure.js";
import { readingsOf } from "../../src/mcp/tool.js";
import { completeTemplate, type ResourceLibrary, readResource } from "../../src/resources/index.js";
import { allServices } from "../../src/tools/index.js";
import { offeringAll, reader } from "../lab/options.js";

const tools = new Map(
  ["purge_submit", "purge_status", "x_purge"].map((name) => [name, { service: "purge", effect: "read" as const }]),
);
const declared = (await readingsOf(await allServices("documents"))).resources;
const kept = new Map<string, unknown>([
  ["local h1", { rows: ["\u202e", "the secret"] }],
  ["local h2", { data: [{ a: 'the secret, "1"', b: "\u202e" }, { a: 2 }] }],
]);
const stranger = { ...reader, owner: "someone else" };

function library(answer: (args: object) => unknown): { readonly asked: object[]; readonly library: ResourceLibrary } {
  const asked: object[] = [];
  const invoke = async (_: string, args: object) => {
    asked.push(args);
    return { status: 200, body: answer(args), headers: {}, notes: [] };
  };
  return {
    asked,
    library: {
      ...offeringAll(tools),
      declared,
      api: async () => ({
        invoke,
        storedResult: async (owner, handle) => {
          const content = kept.get(`${owner} ${handle}`);
          return content === undefined ? undefined : { content };
        },
        plan: async () => undefined,
        secrets: ["the secret"],
      }),
    },
  };
}

const refusing = (code: FailureCode) =>
  library(() => {
    throw new Failure(code, "It was refused.", { next: "Do something else." });
  }).library;

it("a resource that the API lacks is absent; other failures are thrown", async () => {
  const read = (code: FailureCode) => readResource(refusing(code), "alert://templates/s@99", reader);
  for (const code of ["not_found", "invalid_input"] as const) expect(await read(code)).toBeUndefined();
  await expect(read("forbidden")).rejects.toMatchObject({
    message: "It was refused.",
    detail: { next: "Do something else." },
  });
});

it("a resource: each part of its address is an argument, and none is empty", async () => {
  const { asked, library: any } = library((args) => args);
  const content = await readResource(any, "property://prp_1/versions/3/rules", reader);
  expect(content).toMatchObject({ isPrivate: true, mimeType: "application/json" });
  for (const uri of [
    ...["property:///versions/3/rules", "property://prp_1/versions//rules", "property://prp_1/versions/3"],
    ...["alert://templates/a/b", "alert://templates/", "alert://templates/a b", "contract://contracts//products"],
  ])
    expect([uri, await readResource(any, uri, reader)]).toEqual([uri, undefined]);
  expect(asked).toEqual([{ propertyId: "prp_1", propertyVersion: "3", validateRules: false }]);
});

it("a resource of 9 MiB is too large", async () => {
  const { library: large } = library(() => ({ text: "x".repeat(9 * 1024 * 1024) }));
  const reading = readResource(large, "contract://contracts", reader);
  await expect(reading).rejects.toMatchObject({ code: "too_large" });
});

it("completions: names with the prefix first, none after a refusal", async () => {
  const template = "contract://contracts/{contractId}/products";
  const { library: full } = library(() => ["X-C-1", "C-2", "D", "C-1", "C-2\u200b", "C-\u202e3"]);
  expect(await completeTemplate(full, template, "contractId", "C-", reader)).toEqual(["C-2", "C-1", "X-C-1"]);
  expect(await completeTemplate(full, template, "another", "C-", reader)).toEqual([]);
  expect(await completeTemplate(refusing("forbidden"), template, "contractId", "C-", reader)).toEqual([]);
  expect(await completeTemplate(full, "operation://{tool}", "tool", "purge", reader)).toEqual([
    "purge_submit",
    "purge_status",
    "x_purge",
  ]);
});

it("a stored result is read by its owner, without secrets", async () => {
  const { library: any } = library(() => ({}));
  const content = await readResource(any, "result://h1", reader);
  expect(content).toEqual({ mimeType: "application/json", text: '{"rows":["[U+202E]","[secret]"]}', isPrivate: true });
  expect(await readResource(any, "result://h1", stranger)).toBeUndefined();
  expect(await readResource(any, "result://h3", reader)).toBeUndefined();
});

it.each([
  ["csv", "text/csv", 'a,b\n"[secret], ""1""",[U+202E]\n2,\n'],
  ["markdown", "text/markdown", '| a | b |\n| --- | --- |\n| [secret], "1" | [U+202E] |\n| 2 |  |\n'],
])("reads the rows of a stored result as %s", async (format, mimeType, text) => {
  const { library: any } = library(() => ({}));
  const content = await readResource(any, `result://h2/${format}`, reader);
  expect(content).toEqual({ mimeType, text, isPrivate: true });
  expect(await readResource(any, `result://h2/${format}`, stranger)).toBeUndefined();
  expect(await readResource(any, "result://h2/xml", reader)).toBeUndefined();
});

it("a guide is read where a tool of its service is offered", async () => {
  const { library: any, asked } = library(() => ({}));
  const content = await readResource(any, "guide://purge", reader);
  expect(content).toMatchObject({ mimeType: "text/markdown", isPrivate: false });
  expect(content?.text).toMatch(/^# Content purge\n[\s\S]*```mermaid\nstateDiagram-v2\n/);
  for (const none of ["guide://dns", "guide://workflows", "guide://constructor", "guide://", "guide://purge/x"])
    expect(await readResource(any, none, reader)).toBeUndefined();
  expect(await completeTemplate(any, "guide://{service}", "service", "pu", reader)).toEqual(["purge"]);
  expect(await completeTemplate(any, "guide://{service}", "another", "pu", reader)).toEqual([]);
  expect(asked).toEqual([]);
});
