/** What a body repeats of the present state, on a made-up service: filled in, refused when it is stale, bound to the plan. */
import { describe, expect, it } from "vitest";
import { type AnyOperation, chosenBy, json, op } from "../../src/api/define.js";
import type { Failure } from "../../src/api/failure.js";
import { z } from "../../src/api/z.js";
import { caller, start } from "./made-up.js";

const does = "Does something.";
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
  job_approve: op("POST /jobs/{id}/answer/{kind}", {
    does,
    path: { id: z.int(), kind: z.enum(["review", "release"]) },
    body: chosenBy("kind", {
      review: json({ word: z.string() }),
      release: json({ word: z.string(), stamp: z.string().optional() }),
    }),
    returns: { 200: chosenBy("version", { v1: json(z.unknown()), v2: json(z.unknown()) }) },
    effect: "destructive",
    guard: "activate",
    shownBy: "info_get",
    shownWith: ({ kind }) => ({ kind: infoOf[String(kind)] }),
    fillsFromState: { argument: "body.stamp", at: "stamp" },
    example: { id: 1, kind: "review", body: { word: "w" } },
  }),
};

/** Calls of the service whose state has the stamps one after the other, and what was sent. */
function startWith(...stamps: (string | undefined)[]) {
  const bodies: unknown[] = [];
  const asked: string[] = [];
  const { calls } = start(
    ({ method, url, body, headers }) => {
      if (method === "POST") {
        bodies.push(JSON.parse(new TextDecoder().decode(body)));
        return { body: {} };
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
  /** Calls, and calls again with the plan that came. */
  const approved = async (args: object) => {
    const outcome = await call(args);
    if (outcome.kind !== "preview") throw new Error(`It was a ${outcome.kind}.`);
    return { preview: outcome.preview, answer: await call({ ...args, confirm: outcome.plan.id }) };
  };
  return { approved, failure, bodies, asked };
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

  it("ends the approval when the state has changed since", async () => {
    const { approved, bodies } = startWith("s1", "s1", "s2");
    expect((await approved(release)).answer).toMatchObject({ kind: "failure", failure: { code: "approval_refused" } });
    expect(bodies).toEqual([]);
  });

  it("is refused where another is given than there is, and sent where it is the same or where there is none", async () => {
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
      { field: "body.stamp", takes: expect.stringContaining("info_get, which shows none now") },
    ]);
  });

  it("is left out of a body whose medium has no such member", async () => {
    const { approved, bodies, asked } = startWith("s1");
    await approved({ kind: "review", body: { word: "yes" } });
    expect(bodies).toEqual([{ word: "yes" }]);
    expect(asked[0]).toContain("/info/warnings");
  });
});

it("reads the state in the version that the call has, so that both can be compared", async () => {
  const { approved, asked } = startWith("s1");
  await approved({ ...release, version: "v2" });
  expect([...new Set(asked)]).toEqual(["/jobs/1/info/release application/vnd.info.v2+json"]);
});
