/** What a body repeats of the present state, on a made-up service: filled in, refused when it is stale, bound to the plan. */
import { describe, expect, it } from "vitest";
import { type AnyOperation, chosenBy, json, op } from "../../src/language/define.js";
import { repeats } from "../../src/language/fills.js";
import { act } from "../../src/language/guards.js";
import { secret } from "../../src/language/marks.js";
import { z } from "../../src/language/z.js";
import { type Answer, caller, start } from "../lab/made-up.js";
import { failureOf, planOf, previewOf } from "../lab/outcome.js";

const does = "Does something.";
interface Beside {
  readonly owner?: { readonly name: string; readonly token: string };
}
const infoOf: Readonly<Record<string, string>> = { review: "warnings", release: "release" };
const operations: Readonly<Record<string, AnyOperation>> = {
  info_get: op("GET /jobs/{id}/info/{kind}", {
    does,
    path: { id: z.int(), kind: z.enum(["warnings", "release"]) },
    returns: {
      200: chosenBy("version", {
        v1: json({ stamp: z.string().optional(), text: z.string() }, "application/vnd.info.v1+json"),
        v2: json({ stamp: z.string().optional(), text: z.string() }, "application/vnd.info.v2+json"),
      }),
    },
    example: { id: 1, kind: "warnings" },
  }),
  owner_get: op("GET /owners/{ownerOf}", {
    does,
    path: { ownerOf: z.int() },
    returns: { 200: json(z.object({ name: z.string(), token: secret(z.string()) })) },
    example: { ownerOf: 1 },
  }),
  job_start: op("POST /jobs/{id}/runs", {
    does,
    path: { id: z.int() },
    returns: { 200: json(z.unknown()) },
    effect: "destructive",
    guard: {
      kind: "activate",
      thing: "job",
      says: (_, __, { owners }) => act`ACTIVATE the job of ${JSON.stringify(owners)}`,
    },
    shownBy: "job_get",
    relatedReads: {
      owners: { by: "owner_get", args: ({ id }) => [{ ownerOf: id }, { ownerOf: 2 }], isBound: true },
    },
    example: { id: 1 },
  }),
  job_get: op("GET /jobs/{id}", {
    does,
    path: { id: z.int() },
    returns: { 200: json(z.unknown()) },
    example: { id: 1 },
  }),
  job_approve: op("POST /jobs/{id}/answer/{kind}", {
    does,
    path: { id: z.int(), kind: z.enum(["review", "release"]) },
    body: chosenBy("kind", {
      review: json({ word: z.string() }),
      release: json({ word: z.string(), stamp: z.string().optional() }),
    }),
    returns: { 200: chosenBy("version", { v1: json(z.unknown()), v2: json(z.unknown()) }) },
    effect: "destructive",
    guard: {
      kind: "activate",
      thing: "job",
      says: (_, __, { owner }: Beside) =>
        act`ACTIVATE the job of ${owner === undefined ? "nobody" : JSON.stringify(owner)}`,
      target: (_, __, { owner }: Beside) => owner?.name ?? "the job",
      warns: (_, __, related) => ("owner" in related ? [] : ["The owner is not known."]),
    },
    shownBy: { by: "info_get", args: ({ kind }) => ({ kind: infoOf[String(kind)] }) },
    relatedReads: { owner: { by: "owner_get", args: ({ id }) => ({ ownerOf: id }) } },
    resolves: repeats("body.stamp", "stamp", "info_get"),
    example: { id: 1, kind: "review", body: { word: "w" } },
  }),
};

const mia = { body: { name: "Mia", token: "hunter2" } };
const nextOf = <T>(all: T[]): T | undefined => (all.length > 1 ? all.shift() : all[0]);

/** Calls of the service, which reads these stamps and owners one after the other, and goes on with the last ones. */
function begin(stamps: (string | undefined)[] = ["s1"], owners: Answer[] = [mia]) {
  const bodies: unknown[] = [];
  const asked: string[] = [];
  const { calls, sent } = start(
    ({ method, url, body, headers }) => {
      if (method === "POST") {
        bodies.push(body && JSON.parse(new TextDecoder().decode(body)));
        return { body: {} };
      }
      if (url.pathname === "/owners/1") return nextOf(owners) ?? {};
      if (url.pathname === "/owners/2") return { status: 404 };
      asked.push(`${url.pathname} ${headers["accept"]}`);
      const stamp = nextOf(stamps);
      return stamp === undefined ? { status: 404 } : { body: { stamp, text: "t" } };
    },
    {
      operationOf: async (tool) => {
        const declared = operations[tool];
        return declared && { service: "jobs", declared };
      },
    },
  );
  const call = (args: object, tool = "job_approve") => calls.call(tool, { id: 1, ...args }, caller);
  /** Calls, and calls again with the plan that came. */
  const approved = async (args: object, tool?: string) => {
    const shown = await call(args, tool);
    return { preview: previewOf(shown), answer: await call({ ...args, confirm: planOf(shown).id }, tool) };
  };
  return { call, approved, bodies, asked, sent };
}
const release = { kind: "release", body: { word: "yes" } };

describe("a member that the present state determines", () => {
  it("a member fixed by the state is filled in, previewed, and noted", async () => {
    const { approved, bodies, asked } = begin();
    const { preview, answer } = await approved(release);
    expect(JSON.stringify(preview)).toContain("s1");
    expect(answer).toMatchObject({ reply: { notes: [expect.stringContaining("body.stamp was left out")] } });
    expect(bodies).toEqual([{ word: "yes", stamp: "s1" }]);
    expect(asked[0]).toBe("/jobs/1/info/release application/vnd.info.v1+json");
  });

  it.each([
    ["before the approved call is made", ["s1", "s2"]],
    ["while it is made", ["s1", "s1", "s2"]],
  ])("a state that changes %s ends the approval", async (_, stamps) => {
    const { approved, bodies } = begin(stamps);
    const { code, message } = failureOf((await approved(release)).answer);
    expect([code, message]).toEqual(["approval_refused", "The state has changed since the preview."]);
    expect(bodies).toEqual([]);
  });

  it("a member fixed by the state is refused only if the state differs", async () => {
    const stale = { kind: "release", body: { word: "yes", stamp: "s0" } };
    const { call, bodies } = begin();
    const { code, detail } = failureOf(await call(stale));
    const field = { field: "body.stamp", given: '"s0"', takes: expect.stringContaining('"s1"') };
    expect([code, detail.fields]).toMatchObject(["invalid_input", [field]]);
    expect(bodies).toEqual([]);
    for (const stamp of ["s0", undefined]) {
      const other = begin([stamp]);
      await other.approved(stale);
      expect(other.bodies).toEqual([{ word: "yes", stamp: "s0" }]);
    }
  });

  it("a member fixed by the state is required if the state lacks it", async () => {
    expect(failureOf(await begin([undefined]).call(release)).detail.fields).toEqual([
      { field: "body.stamp", takes: expect.stringContaining("info_get, which has none now") },
    ]);
  });

  it("a member fixed by the state is left out if the medium lacks it", async () => {
    const { approved, bodies, asked } = begin();
    await approved({ kind: "review", body: { word: "yes" } });
    expect(bodies).toEqual([{ word: "yes" }]);
    expect(asked[0]).toContain("/info/warnings");
  });
});

it("the state is read in the version that the call has", async () => {
  const { approved, asked } = begin();
  await approved({ ...release, version: "v2" });
  expect([...new Set(asked)]).toEqual(["/jobs/1/info/release application/vnd.info.v2+json"]);
});

const secretOf = '"token":"[secret, 7 characters]"';
const unread = "owner_get could not be read, so this preview is incomplete.";

describe("a related read", () => {
  it.each<[string, Answer[], string, string, readonly string[]]>([
    ["is shown without its secrets", [mia], `{"name":"Mia",${secretOf}}`, "Mia", []],
    [
      "may change without ending the approval",
      [mia, { body: { name: "Eve", token: "t" } }],
      '{"name":"Mia"',
      "Mia",
      [],
    ],
    ["says that its object does not exist", [{ status: 404 }], "nobody", "the job", []],
    ["is unknown if it fails", [{ status: 403 }], "nobody", "the job", [unread, "The owner is not known."]],
  ])("%s", async (_, owners, who, target, warnings) => {
    const { approved, sent } = begin(["s1"], owners);
    const { preview, answer } = await approved(release);
    expect(preview).toMatchObject({ target, warnings });
    expect(preview.summary).toContain(`ACTIVATE the job of ${who}`);
    expect(answer.kind).toBe("answer");
    // It is read for the preview alone.
    expect(sent.filter((line) => line === "GET /owners/1")).toHaveLength(1);
  });
});

describe("a related read to which an approval is bound", () => {
  /** Starts a job whose first owner is answered so, one answer for each reading. */
  async function startedWith(...owners: Answer[]) {
    const { approved, sent } = begin(["s1"], owners);
    const made = await approved({}, "job_start");
    return { ...made, isSent: sent.includes("POST /jobs/1/runs") };
  }

  it("reads that bind a plan show no secrets and repeat before sending", async () => {
    const { preview, answer, isSent } = await startedWith(mia, mia);
    expect(preview.summary).toBe(`ACTIVATE the job of [{"name":"Mia",${secretOf}},null].`);
    expect([answer.kind, isSent]).toEqual(["answer", true]);
  });

  it.each<[string, Answer, Answer]>([
    ["has changed", mia, { body: { name: "Eve", token: "hunter2" } }],
    ["is gone", mia, { status: 404 }],
    ["can no longer be read", mia, { status: 403 }],
    ["can be read after all", { status: 403 }, mia],
  ])("a bound read ends the approval when its object %s", async (_, before, after) => {
    const { answer, isSent } = await startedWith(before, after);
    expect([failureOf(answer).code, isSent]).toEqual(["approval_refused", false]);
  });

  it("a bound read that fails is reported as unknown", async () => {
    const { preview, answer } = await startedWith({ status: 403 }, { status: 403 });
    expect([preview.warnings, answer.kind]).toEqual([[unread], "answer"]);
  });
});
