/** Plans and marks as files: what is not exactly what it should be is no plan, and a damaged mark. */
import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Plan } from "../../src/guard/plan.js";
import { directoryPlanStorage } from "../../src/guard/plans/directory.js";
import type { PlanMark, PlanMarkOf } from "../../src/guard/plans/storage.js";
import { withMember } from "../../src/language/member.js";
import { damaged } from "../../src/system/private-directory.js";
import { binding, shownTo } from "./plan-binding.js";
import { removeDirectories, stateDirectory } from "./plan-stores.js";

afterAll(removeDirectories);
const id = `plan_${"aZ09_-".repeat(4).slice(0, 22)}`;
const { preview } = shownTo("confirm");
const plan: Plan = {
  ...{ ...binding, ...shownTo("confirm"), id, createdAtMs: 0, expiresAtMs: 1_000 },
  requests: ["q"],
  approvers: 2,
  ticket: "OPS-1",
  breaks: ["frozen", "quiet"],
  requester: { subject: "carol", issuer: "https://login.example.com", client: "app", software: "assistant 1.0" },
  preview: { ...preview, network: "staging", count: 0, changes: 0 },
  before: [{ tool: "t", given: {}, state: 1 }],
};
const proc = { pid: 1, started: "5", space: "here" };
const subject = { subject: "ann", issuer: "https://login.example.com" };
const person = { by: "ann", subject, reason: "planned" };
const optionalOfPerson = ["by", "subject", "subject.issuer", "reason"];
const redeemed: PlanMarkOf<"taken"> = {
  ...{ id, as: "redeemed", atMs: 0, channel: "page", approvedAtMs: 0, ...person, process: proc },
  first: { channel: "terminal", atMs: 0, by: "bob" },
};
const marks: readonly (readonly [PlanMark, PlanMarkOf<PlanMark>, optional: readonly string[]])[] = [
  ["first", { id, channel: "terminal", atMs: 0, ...person }, optionalOfPerson],
  ["approved", { id, channel: "terminal", atMs: 0, ...person }, optionalOfPerson],
  ["taken", redeemed, [...optionalOfPerson, "first", "first.by", "process.started"]],
  ["taken", { id, as: "refused", atMs: 0, channel: "confirm", ...person }, ["channel", ...optionalOfPerson]],
  ["taken", { id, as: "void", atMs: 0, because: "newer" }, []],
  ["sending", { id, atMs: 0 }, []],
  ["settled", { id, atMs: 0, state: "done", says: "x" }, []],
];

/** A storage with the plan in it; files can be written as no storage writes them. */
async function opened() {
  const directory = stateDirectory();
  const storage = directoryPlanStorage(directory);
  await storage.add(plan);
  const at = (name: string) => join(directory, "plans", name);
  const write = (suffix: string, value: unknown) =>
    writeFileSync(at(`${id}.${suffix}`), JSON.stringify(value), { mode: 0o600 });
  return { directory, storage, at, write };
}

type Path = readonly (string | number)[];
/** The paths of all that is in a value, lists and members with their content. */
const pathsIn = (value: unknown, path: Path = []): Path[] => [
  ...(path.length === 0 ? [] : [path]),
  ...(typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, member]) =>
        pathsIn(member, [...path, Array.isArray(value) ? Number(key) : key]),
      )
    : []),
];
const valueAt = (value: unknown, path: Path) =>
  path.reduce<unknown>((at, key) => (at as Record<string | number, unknown>)[key], value);
/** Values that no member of a plan or a mark takes in the place of the one that is there. */
const wrongFor = (value: unknown): unknown[] =>
  typeof value === "number" ? [-1, 0.5, "0", null] : typeof value === "string" ? [5, null, {}] : ["x", null, 5];

/** Whether a member of a mark takes any text. */
const isFreeText = (path: Path): boolean =>
  ["by", "says", "reason", "issuer"].includes(String(path.at(-1))) ||
  path.join(".") === "subject.subject" ||
  path[0] === "process";

describe("a plan", () => {
  const optional = [
    ...["requests", "stateHash", "before", "preview.network", "preview.count", "preview.changes"],
    ...["approvers", "ticket", "breaks", "requester", "requester.issuer", "requester.client", "requester.software"],
  ];
  /** Shown as it was kept, whatever it is. */
  const open = (path: Path) => path[0] === "before";

  it("a plan is read as it was stored, also without its optional parts", async () => {
    const { storage, write } = await opened();
    expect(await storage.read(id)).toStrictEqual({ plan });
    for (const path of optional) {
      const less = withMember(plan, path.split("."), undefined);
      write("json", less);
      expect([path, (await storage.read(id))?.plan]).toEqual([path, JSON.parse(JSON.stringify(less))]);
    }
    const more = { ...plan, preview: { ...plan.preview, more: 1, request: { ...preview.request, more: 1 } } };
    write("json", more);
    expect((await storage.read(id))?.plan).toEqual(more);
  });

  it("a plan with a wrong, missing or extra part is not read", async () => {
    const { storage, write } = await opened();
    const isRead = async (value: unknown) => {
      write("json", value);
      return (await storage.read(id)) !== undefined;
    };
    for (const path of pathsIn(plan).filter((one) => !open(one))) {
      for (const wrong of wrongFor(valueAt(plan, path)))
        expect([path, wrong, await isRead(withMember(plan, path, wrong))]).toEqual([path, wrong, false]);
      const isOptional = optional.includes(path.join(".")) || typeof path.at(-1) === "number";
      if (!isOptional) expect([path, await isRead(withMember(plan, path, undefined))]).toEqual([path, false]);
    }
    for (const [path, wrong] of [
      [["awaits"], "x"],
      [["tier"], "x"],
      [["more"], 1],
      [["id"], `plan_${"x".repeat(22)}`],
    ] as const)
      expect([path, await isRead(withMember(plan, path, wrong))]).toEqual([path, false]);
  });

  it.each([
    ["awaits", ["confirm", "question", "person", "policy"]],
    ["tier", ["read", "write", "guarded", "critical"]],
  ])("the %s of a stored plan can have each known value", async (member, values) => {
    const { storage, write } = await opened();
    for (const value of values) {
      write("json", withMember(plan, [member], value));
      expect((await storage.read(id))?.plan).toHaveProperty(member, value);
    }
  });

  it("without valid JSON, a plan is not read and a mark is damaged", async () => {
    const { storage, at } = await opened();
    writeFileSync(at(`${id}.sending`), "{", { mode: 0o600 });
    expect(await storage.read(id)).toStrictEqual({ plan, sending: damaged });
    writeFileSync(at(`${id}.json`), "{", { mode: 0o600 });
    expect(await storage.read(id)).toBeUndefined();
  });

  it("a plan is not read under an invalid id", async () => {
    const { storage } = await opened();
    for (const name of [`x${id}`, `${id}x`, "plan_x", ""]) expect(await storage.read(name)).toBeUndefined();
  });
});

describe("a mark", () => {
  it.each(marks)("mark %s is set once and read as it was set: %j", async (name, content, optional) => {
    const { storage, write } = await opened();
    expect([await storage.mark(name, content), await storage.mark(name, { ...content, atMs: 9 })]).toEqual([
      true,
      false,
    ]);
    expect(await storage.read(id)).toStrictEqual({ plan, [name]: content });
    for (const path of optional) {
      const less = withMember(content, path.split("."), undefined);
      write(name, less);
      expect((await storage.read(id))?.[name]).toEqual(JSON.parse(JSON.stringify(less)));
    }
  });

  it.each(marks)("wrong, missing or extra parts damage mark %s: %j", async (name, content, optional) => {
    const { storage, write } = await opened();
    const isDamaged = async (value: unknown) => {
      write(name, value);
      return (await storage.read(id))?.[name] === damaged;
    };
    for (const path of pathsIn(content)) {
      for (const wrong of [...wrongFor(valueAt(content, path)), ...(isFreeText(path) ? [] : ["x"])])
        expect([path, wrong, await isDamaged(withMember(content, path, wrong))]).toEqual([path, wrong, true]);
      if (!optional.includes(path.join(".")))
        expect([path, await isDamaged(withMember(content, path, undefined))]).toEqual([path, true]);
    }
    expect(await isDamaged({ ...content, more: 1 })).toBe(true);
    expect(await isDamaged(withMember(content, ["id"], `plan_${"x".repeat(22)}`))).toBe(true);
  });

  it("an outcome mark says what was not made and what each request made", async () => {
    const { storage, write } = await opened();
    const isRead = async (more: object) => {
      const content = { id, atMs: 0, state: "unknown", says: "x", ...more };
      write("settled", content);
      const { settled } = (await storage.read(id)) ?? {};
      if (settled !== damaged) expect(settled).toEqual(content);
      return settled !== damaged;
    };
    for (const known of [{ unmade: [0, 2] }, { unmade: [] }, { made: [{ id: 1 }, null] }, { unmade: [1], made: [{}] }])
      expect([known, await isRead(known)]).toEqual([known, true]);
    for (const [member, all] of [
      ["unmade", [0, "0", null, [-1], [0.5], ["0"], [null]]],
      ["made", [{}, "x", null, ["x"], [1], [[]]]],
    ] as const)
      for (const wrong of all) expect([wrong, await isRead({ [member]: wrong })]).toEqual([wrong, false]);
  });

  it("a redemption mark with a faulty process is damaged", async () => {
    const { storage, write } = await opened();
    for (const more of [{ pid: 0 }, { more: 1 }]) {
      write("taken", { ...redeemed, process: { ...proc, ...more } });
      expect((await storage.read(id))?.taken).toBe(damaged);
    }
  });

  it.each<[PlanMark, object | undefined, string, readonly string[]]>([
    ["approved", marks[1]?.[1], "channel", ["terminal", "page"]],
    ["taken", redeemed, "channel", ["confirm", "elicitation", "terminal", "page", "policy"]],
    ["taken", { id, as: "void", atMs: 0 }, "because", ["arguments", "state", "newer", "asked", "approvers", "freeze"]],
    ["settled", marks.at(-1)?.[1], "state", ["done", "failed", "not_sent", "unknown"]],
  ])("mark %s like %j can have each known value of %s", async (name, content, member, values) => {
    const { storage, write } = await opened();
    for (const value of values) {
      write(name, { ...content, [member]: value });
      expect((await storage.read(id))?.[name]).toHaveProperty(member, value);
    }
  });
});

it("the storage lists each readable plan and removes one with its marks", async () => {
  const { storage, at, write } = await opened();
  const other = `plan_${"b".repeat(22)}`;
  await storage.add({ ...plan, id: other, owner: "q" });
  await storage.mark("sending", { id, atMs: 0 });
  await storage.mark("approved", { id, channel: "page", atMs: 0 });
  const foreign = [`x${other}.json`, ...["json.old", "sending.old", "x"].map((end) => `${other}.${end}`)];
  foreign.push("plan_x.json", "plan_x.taken");
  for (const name of foreign) writeFileSync(at(name), readFileSync(at(`${other}.json`)), { mode: 0o600 });
  const times = { createdAtMs: 0, expiresAtMs: 1_000, awaits: plan.awaits, account: "a", changes: ["r", "q"] };
  const both = [
    { id, owner: "p", ...times, marks: new Set<PlanMark>(["sending", "approved"]) },
    { id: other, owner: "q", ...times, marks: new Set<PlanMark>() },
  ];
  expect((await storage.entries()).toSorted((a, b) => a.owner.localeCompare(b.owner))).toEqual(both);
  // A plan never changes, so that it is read once as long as it is there.
  write("json", "damaged");
  expect(await storage.entries()).toHaveLength(2);
  await storage.remove(id);
  expect(await storage.entries()).toEqual(both.slice(1));
  write("json", "damaged");
  expect(await storage.entries()).toEqual(both.slice(1));
  expect(readdirSync(at(".")).filter((name) => name.startsWith(id))).toEqual([`${id}.json`]);
  expect(storage.keptMs).toBe(604_800_000);
});

it("the storage removes old marks without a plan, and no other file", async () => {
  const { storage, at } = await opened();
  const orphan = `plan_${"c".repeat(22)}`;
  const going = [`${orphan}.taken`, `${orphan}.settled`];
  const staying = [`${id}.taken`, `${orphan}.x`, `${orphan}.text`, "plan_x.taken"];
  for (const name of [...going, ...staying]) {
    writeFileSync(at(name), "", { mode: 0o600 });
    utimesSync(at(name), 1, 1);
  }
  await storage.add({ ...plan, id: `plan_${"d".repeat(22)}` });
  const names = readdirSync(at("."));
  expect(names).toEqual(expect.arrayContaining(staying));
  for (const name of going) expect(names).not.toContain(name);
});
