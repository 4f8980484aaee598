/** Plans on disk: private, whole, and never approved by what cannot be read or was put there by somebody else. */
import {
  chmodSync,
  copyFileSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { directoryPlanStorage } from "../../src/guard/plans/directory.js";
import { createPlans } from "../../src/guard/plans/index.js";
import { holdsForEach } from "../lab/laws.js";
import { needs } from "../lab/needs.js";
import { promise } from "../lab/rules.js";
import { hasModes, keptMode } from "../lab/users.js";
import { binding, shownTo } from "./plan-binding.js";
import { removeDirectories, stateDirectory } from "./plan-stores.js";
import { redeemed } from "./redeemed.js";

const plansIn = (directory: string, log: (line: string) => void = () => undefined) =>
  createPlans({ ttlMs: 600_000, storage: directoryPlanStorage(directory), log });
/** What makes a directory of plans one that others could change, as far as modes say. */
const openDirectories: readonly (readonly [what: string, spoil: (directory: string) => void])[] = [
  ["others can write to", (directory) => chmodSync(join(directory, "plans"), 0o722)],
  ["others can replace", (directory) => chmodSync(directory, 0o777)],
];
/** The same of a file; and a link, for which Windows asks for a right that few users have. */
const openFiles: readonly (readonly [what: string, spoil: (file: string) => void])[] = [
  ["can be changed by others", (file) => chmodSync(file, 0o666)],
  [
    "is a link",
    (file) => {
      renameSync(file, `${file}.target`);
      symlinkSync(`${file}.target`, file);
    },
  ],
];
const modeOf = (path: string) => lstatSync(path).mode & 0o777;

afterAll(removeDirectories);

/** A plan that a person approved, and the path of its files. */
async function approved() {
  const directory = join(stateDirectory(), "state");
  const plans = plansIn(directory);
  const { id } = await plans.open(binding, shownTo("person"));
  await plans.approve(id, "terminal");
  return { directory, plans, id, file: (suffix: string) => join(directory, "plans", `${id}.${suffix}`) };
}

describe("the directory", () => {
  it("the plan directory appears with the first plan, closed to others", async () => {
    const directory = join(stateDirectory(), "a", "b");
    const plans = plansIn(directory);
    expect(await plans.list()).toEqual([]);
    expect(await plans.approvedFor(binding)).toBeUndefined();
    expect(await plans.find(`plan_${"A".repeat(22)}`)).toBeUndefined();
    expect(() => lstatSync(directory)).toThrow();
    const { id } = await plans.open(binding, shownTo("confirm"));
    await redeemed(plans, id, binding, "confirm");
    await plans.sending(id);
    await plans.settle(id, { state: "done", says: "it answered 201" });
    expect([modeOf(directory), modeOf(join(directory, "plans"))]).toEqual([keptMode(0o700), keptMode(0o700)]);
    const names = readdirSync(join(directory, "plans"));
    const own = ["json", "sending", "settled", "taken"].map((suffix) => `${id}.${suffix}`);
    expect(names.toSorted()).toEqual(["key", ...own]);
    for (const name of names) expect(modeOf(join(directory, "plans", name))).toBe(keptMode(0o600));
  });

  it.each<readonly [string, (directory: string) => void]>([
    // Where files have no modes, no directory is known to be one of these.
    ...(hasModes ? openDirectories : []),
    [
      "is below a file",
      (directory) => {
        rmSync(directory, { recursive: true });
        writeFileSync(directory, "");
      },
    ],
  ])("nothing is opened or approved in a directory that %s", async (_, spoil) => {
    const { plans, id, directory } = await approved();
    spoil(directory);
    const unusable = {
      code: "not_allowed",
      message: `The plans cannot be stored in ${JSON.stringify(join(directory, "plans"))}.`,
      detail: expect.objectContaining({ next: expect.stringContaining("--state-dir") }),
    };
    for (const use of [
      () => plans.open(binding, shownTo("confirm")),
      () => redeemed(plans, id, binding, "person"),
      () => plans.approve(id, "terminal"),
      () => plans.approvedFor(binding),
      () => plans.list(),
      () => plans.refuse(id),
    ])
      await expect(use()).rejects.toMatchObject(unusable);
  });

  it("a plan directory that fails after redemption lets nothing be sent", needs.modes, async () => {
    const { directory, id } = await approved();
    const said: string[] = [];
    const plans = plansIn(directory, (line) => said.push(line));
    await redeemed(plans, id, binding, "person");
    chmodSync(join(directory, "plans"), 0o777);
    await expect(plans.sending(id)).rejects.toMatchObject({ code: "not_allowed" });
    await plans.settle(id, { state: "not_sent", says: "it was not sent" });
    expect(said).toEqual([expect.stringContaining(`the outcome of ${id} could not be recorded`)]);
  });

  it.each<readonly [string, (file: string) => void]>([
    ["is damaged", (file) => writeFileSync(file, "short")],
    ...(hasModes ? [["can be read by others", (file: string) => chmodSync(file, 0o640)] as const] : []),
  ])(promise("plan-key-checked", "approves nothing with a key that %s"), async (_, spoil) => {
    const { directory, plans, id } = await approved();
    spoil(join(directory, "plans", "key"));
    const refused = {
      code: "not_allowed",
      message: expect.stringContaining(JSON.stringify(join(directory, "plans", "key"))),
      detail: { why: expect.stringMatching(/Nothing was sent\.$/), next: expect.stringMatching(/^Remove the file/) },
    };
    await expect(plans.open(binding, shownTo("confirm"))).rejects.toMatchObject(refused);
    await expect(plans.approvedFor(binding)).rejects.toMatchObject(refused);
    await expect(redeemed(plans, id, binding, "person")).rejects.toMatchObject(refused);
  });

  it("a plan approves nothing under another key than at its preview", async () => {
    const { directory, plans, id } = await approved();
    rmSync(join(directory, "plans", "key"));
    expect(await plans.approvedFor(binding)).toBeUndefined();
    await expect(redeemed(plans, id, binding, "person")).rejects.toMatchObject({ code: "approval_refused" });
  });
});

/** Ways to spoil a file; all files of a plan are read by one function, whose own tests have more of them. */
const spoiled: readonly (readonly [what: string, spoil: (path: string) => void])[] = [
  ["cut", (path) => writeFileSync(path, readFileSync(path, "utf8").slice(0, -2))],
  [
    "of another plan",
    (path) => writeFileSync(path, readFileSync(path, "utf8").replace(/plan_.{22}/, `plan_${"x".repeat(22)}`)),
  ],
  ...(hasModes ? openFiles : []),
];
const [[, cutShort]] = spoiled as [(typeof spoiled)[number]];

describe("a damaged or foreign file", () => {
  it("a plan whose file is truncated is not read", async () => {
    const { directory, id, file } = await approved();
    cutShort(file("json"));
    const plans = plansIn(directory);
    await expect(redeemed(plans, id, binding, "person")).rejects.toMatchObject({ message: "There is no such plan." });
    await expect(plans.approve(id, "terminal")).rejects.toMatchObject({ message: "There is no such plan." });
    expect(await plans.approvedFor(binding)).toBeUndefined();
    expect(await plans.list()).toEqual([]);
  });

  it.each(spoiled)("an approval whose file is %s approves nothing", async (_, spoil) => {
    const { plans, id, file } = await approved();
    spoil(file("approved"));
    expect(await plans.find(id)).toMatchObject({ status: "open" });
    expect(await plans.approvedFor(binding)).toBeUndefined();
    await expect(plans.approve(id, "terminal")).rejects.toMatchObject({ message: "This plan cannot be approved." });
    await expect(redeemed(plans, id, binding, "person")).rejects.toMatchObject({
      message: "No person has approved this plan yet.",
    });
  });

  it("a redemption whose file is truncated does not reopen the plan", async () => {
    const { directory, plans, id, file } = await approved();
    await redeemed(plans, id, binding, "person");
    cutShort(file("taken"));
    const after = plansIn(directory);
    expect(await after.find(id)).toMatchObject({ status: "unknown" });
    await expect(redeemed(after, id, binding, "person")).rejects.toMatchObject({ message: "This plan has been used." });
  });

  it("the file of an approval approves no other plan", async () => {
    const { plans, id, file, directory } = await approved();
    const other = await plans.open(binding, shownTo("person"));
    const place = join(directory, "plans", `${other.id}.approved`);
    for (const put of [copyFileSync, linkSync]) {
      put(file("approved"), place);
      await expect(redeemed(plans, other.id, binding, "person")).rejects.toMatchObject({ code: "approval_refused" });
      rmSync(place);
    }
    expect(await plans.approvedFor(binding)).toBe(id);
  });

  it("an id with a path in it reaches no file", async () => {
    const { plans } = await approved();
    const endings = ["/../../etc/passwd", `${"a".repeat(21)}/`, `${"a".repeat(22)}\n`, "\0"];
    await holdsForEach(["../plans", "", ...endings.map((end) => `plan_${end}`)], async (id) => {
      expect(await plans.find(id)).toBeUndefined();
      expect(await plans.refuse(id)).toBe(false);
      await expect(redeemed(plans, id, binding, "person")).rejects.toMatchObject({ message: "There is no such plan." });
    });
  });
});

it("a live process with the pid of an ended one is not mistaken for it", async () => {
  const { directory, plans, id, file } = await approved();
  await redeemed(plans, id, binding, "person");
  const taken = JSON.parse(readFileSync(file("taken"), "utf8"));
  const statusWith = async (process: object, atMs = taken.atMs) => {
    writeFileSync(file("taken"), JSON.stringify({ ...taken, atMs, process: { ...taken.process, ...process } }));
    return (await plansIn(directory).find(id))?.status;
  };
  expect(await statusWith({})).toBe("redeemed");
  expect(await statusWith({ pid: 4_194_305 })).toBe("not_sent");
  if (process.platform === "linux") expect(await statusWith({ started: "1" })).toBe("not_sent");
  // A pid of another machine or container means nothing here, so it is given the time of the longest call.
  expect(await statusWith({ pid: 4_194_305, space: "elsewhere" })).toBe("redeemed");
  expect(await statusWith({ pid: 4_194_305, space: "elsewhere" }, Date.now() - 3_600_001)).toBe("not_sent");
});
