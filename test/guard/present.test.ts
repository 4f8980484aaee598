/** What a body repeats of the present state, on a made-up service: filled in, refused when it is stale, bound to the plan. */
import { describe, expect, it } from "vitest";
import { type AnyOperation, chosenBy, json, op } from "../../src/language/define.js";
import type { Failure } from "../../src/language/failure.js";
import { z } from "../../src/language/z.js";
import { repeats } from "../../src/schema/fills.js";
import { secret } from "../../src/schema/marks.js";
import { caller, start } from "../lab/made-up.js";

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
      says: (_, __, { owners }) => `ACTIVATE the job of ${JSON.stringify(owners)}`,
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
        `ACTIVATE the job of ${owner === undefined ? "nobody" : JSON.stringify(owner)}`,
      target: (_, __, { owner }: Beside) => owner?.name ?? "the job",
      warns: (_, __, related) => ("owner" in related ? [] : ["The owner is not known."]),
    },
    shownBy: { by: "info_get", args: ({ kind }) => ({ kind: infoOf[String(kind)] }) },
    relatedReads: { owner: { by: "owner_get", args: ({ id }) => ({ ownerOf: id }) } },
    resolves: repeats("body.stamp", "stamp", "info_get"),
    example: { id: 1, kind: "review", body: { word: "w" } },
  }),
};

/** Calls of the service whose state has the stamps one after the other, and what was sent. */
function startWith(...stamps: (string | undefined)[]) {
  return startBeside(() => ({ body: { name: "Mia", token: "hunter2" } }), stamps);
}

function startBeside(owner: () => { readonly status?: number; readonly body: object }, stamps: (string | undefined)[]) {
  let owners = 0;
  const bodies: unknown[] = [];
  const asked: string[] = [];
  const { calls } = start(
    ({ method, url, body, headers }) => {
      if (method === "POST") {
        bodies.push(JSON.parse(new TextDecoder().decode(body)));
        return { body: {} };
      }
      if (url.pathname === "/owners/1") {
        owners += 1;
        return owner();
      }
      asked.push(`${url.pathname} ${headers["accept"]}`);
      const stamp = stamps.length > 1 ? stamps.shift() : stamps[0];
      return stamp === undefined ? { status: 404, body: {} } : { body: { stamp, text: "t" } };
    },
    {
      operationOf: async (tool) => {
        const declared = operations[tool];
        return declared && { service: "jobs", declared };
      },
    },
  );
  const call = (args: object) => calls.call("job_approve", { id: 1, ...args }, caller);
  const failure = async (args: object): Promise<Failure> => {
    const outcome = await call(args);
    if (outcome.kind !== "failure") throw new Error(`It was a ${outcome.kind}.`);
    return outcome.failure;
  };
  const shown = async (args: object) => {
    const outcome = await call(args);
    if (outcome.kind !== "preview") throw new Error(`It was a ${outcome.kind}.`);
    return outcome;
  };
  /** Calls, and calls again with the plan that came and other arguments. */
  const confirmed = async (args: object, others: object) => call({ ...others, confirm: (await shown(args)).plan.id });
  /** Calls, and calls again with the plan that came. */
  const approved = async (args: object) => {
    const { preview, plan } = await shown(args);
    return { preview, answer: await call({ ...args, confirm: plan.id }) };
  };
  return { approved, confirmed, failure, bodies, asked, owners: () => owners };
}
const release = { kind: "release", body: { word: "yes" } };

describe("a member that the present state determines", () => {
  it("is filled in, shown before it is sent, and named in a note", async () => {
    const { approved, bodies, asked } = startWith("s1");
    const { preview, answer } = await approved(release);
    expect(JSON.stringify(preview)).toContain("s1");
    expect(answer).toMatchObject({
      kind: "answer",
      reply: { notes: [expect.stringContaining("body.stamp was left out")] },
    });
    expect(bodies).toEqual([{ word: "yes", stamp: "s1" }]);
    expect(asked[0]).toBe("/jobs/1/info/release application/vnd.info.v1+json");
  });

  it.each([
    ["before the approved call is made", ["s1", "s2"]],
    ["while it is made", ["s1", "s1", "s2"]],
  ])("ends the approval when the state has changed %s, whoever fills it in", async (_, stamps) => {
    const { approved, bodies } = startWith(...stamps);
    const { answer } = await approved(release);
    expect(answer).toMatchObject({
      kind: "failure",
      failure: { code: "approval_refused", message: "The state has changed since the preview." },
    });
    expect(bodies).toEqual([]);
  });

  it("still binds the approval to all other arguments", async () => {
    const { confirmed, bodies } = startWith("s1");
    expect(await confirmed(release, { ...release, body: { word: "no" } })).toMatchObject({
      failure: { code: "approval_refused", message: "These are not the arguments that were approved." },
    });
    expect(bodies).toEqual([]);
  });

  it("a member fixed by the state is refused only if the state differs", async () => {
    const stale = { kind: "release", body: { word: "yes", stamp: "s0" } };
    const { failure, bodies } = startWith("s1");
    expect(await failure(stale)).toMatchObject({
      code: "invalid_input",
      detail: { fields: [{ field: "body.stamp", given: '"s0"', takes: expect.stringContaining('"s1"') }] },
    });
    expect(bodies).toEqual([]);
    for (const stamp of ["s0", undefined]) {
      const other = startWith(stamp);
      await other.approved(stale);
      expect(other.bodies).toEqual([{ word: "yes", stamp: "s0" }]);
    }
  });

  it("is asked for where it is left out and there is none", async () => {
    expect((await startWith(undefined).failure(release)).detail.fields).toEqual([
      { field: "body.stamp", takes: expect.stringContaining("info_get, which has none now") },
    ]);
  });

  it("is left out of a body whose medium has no such member", async () => {
    const { approved, bodies, asked } = startWith("s1");
    await approved({ kind: "review", body: { word: "yes" } });
    expect(bodies).toEqual([{ word: "yes" }]);
    expect(asked[0]).toContain("/info/warnings");
  });
});

it("the state is read in the version that the call has", async () => {
  const { approved, asked } = startWith("s1");
  await approved({ ...release, version: "v2" });
  expect([...new Set(asked)]).toEqual(["/jobs/1/info/release application/vnd.info.v2+json"]);
});

describe("what is read beside the state", () => {
  it("is told in the preview without its secrets, and read for that alone", async () => {
    const { approved, owners } = startWith("s1");
    const { preview, answer } = await approved(release);
    expect(preview).toMatchObject({
      summary: 'ACTIVATE the job of {"name":"Mia","token":"[secret, 7 characters]"}.',
      target: "Mia",
      warnings: [],
    });
    expect(answer.kind).toBe("answer");
    expect(owners()).toBe(1);
  });

  it("may change without ending the approval", async () => {
    let name = 0;
    const { approved } = startBeside(() => ({ body: { name: `owner ${name++}`, token: "t" } }), ["s1"]);
    expect((await approved(release)).answer.kind).toBe("answer");
  });

  it("is known to be missing where nothing is there", async () => {
    const { approved } = startBeside(() => ({ status: 404, body: {} }), ["s1"]);
    const { preview } = await approved(release);
    expect(preview).toMatchObject({ summary: "ACTIVATE the job of nobody.", target: "the job", warnings: [] });
  });

  it("what cannot be read beside the state is unknown and blocks nobody", async () => {
    const { approved } = startBeside(() => ({ status: 403, body: {} }), ["s1"]);
    const { preview, answer } = await approved(release);
    expect(preview.warnings).toEqual([
      "owner_get could not be read, so this preview is incomplete.",
      "The owner is not known.",
    ]);
    expect(answer.kind).toBe("answer");
  });
});

describe("what an approval is bound to beside the state", () => {
  interface Answered {
    readonly status?: number;
    readonly body?: object;
  }
  /** Starts a job whose first owner is answered so, one answer for each reading. */
  async function startedWith(...answers: readonly Answered[]) {
    let readings = 0;
    const { calls, sent } = start(
      ({ url }) => {
        if (url.pathname === "/owners/2") return { status: 404, body: {} };
        if (url.pathname !== "/owners/1") return { body: {} };
        readings += 1;
        return answers[readings - 1] ?? {};
      },
      {
        operationOf: async (tool) => {
          const declared = operations[tool];
          return declared && { service: "jobs", declared };
        },
      },
    );
    const shown = await calls.call("job_start", { id: 1 }, caller);
    if (shown.kind !== "preview") throw new Error(`It was a ${shown.kind}.`);
    const answer = await calls.call("job_start", { id: 1, confirm: shown.plan.id }, caller);
    return { preview: shown.preview, answer, isSent: sent.includes("POST /jobs/1/runs") };
  }
  const mia = { body: { name: "Mia", token: "hunter2" } };

  it("reads that bind a plan show no secrets and repeat before sending", async () => {
    const { preview, answer, isSent } = await startedWith(mia, mia);
    expect(preview.summary).toBe('ACTIVATE the job of [{"name":"Mia","token":"[secret, 7 characters]"},null].');
    expect([answer.kind, isSent]).toEqual(["answer", true]);
  });

  it.each<[string, Answered, Answered]>([
    ["has changed", mia, { body: { name: "Eve", token: "hunter2" } }],
    ["is gone", mia, { status: 404, body: {} }],
    ["can no longer be read", mia, { status: 403, body: {} }],
    ["can be read after all", { status: 403, body: {} }, mia],
  ])("ends the approval when it %s", async (_, before, after) => {
    const { answer, isSent } = await startedWith(before, after);
    expect(answer).toMatchObject({ kind: "failure", failure: { code: "approval_refused" } });
    expect(isSent).toBe(false);
  });

  it("is said to be unknown where it cannot be read", async () => {
    const { preview, answer } = await startedWith({ status: 403, body: {} }, { status: 403, body: {} });
    expect(preview.warnings).toEqual(["owner_get could not be read, so this preview is incomplete."]);
    expect(answer.kind).toBe("answer");
  });
});
