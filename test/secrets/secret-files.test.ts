/** Secrets in files alone, on a made-up service: what a call waits for, what it never does, and whose the files are. */
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { CallOrigin, Outcome } from "../../src/calls/index.js";
import { createPlans } from "../../src/guard/index.js";
import { directoryPlanStorage } from "../../src/guard/plans/directory.js";
import type { Account } from "../../src/language/account.js";
import { type AnyOperation, json, op } from "../../src/language/define.js";
import { secret } from "../../src/language/marks.js";
import { SendFailure } from "../../src/language/wire.js";
import { z } from "../../src/language/z.js";
import { type SecretFilesOf, type SecretHolders, secretFiles } from "../../src/secrets/files.js";
import type { ProcessUser } from "../../src/system/file-access.js";
import { file, folder } from "../lab/files.js";
import { caller, start, type Upstream } from "../lab/made-up.js";
import { needs } from "../lab/needs.js";
import { answerOf, failureOf, planOf } from "../lab/outcome.js";
import { promise } from "../lab/rules.js";
import { hasModes, keptMode, onWindows } from "../lab/users.js";

const common = { does: "Does something.", example: {} } as const;
const guarded = { ...common, effect: "destructive", guard: { kind: "credential" }, shownBy: "badges_list" } as const;
const made: Readonly<Record<string, AnyOperation>> = {
  badges_list: op("GET /badges", { ...common, returns: { 200: json(z.array(z.unknown())) } }),
  badge_create: op("POST /badges", {
    ...guarded,
    returns: { 201: json(z.looseObject({ pin: secret(z.string(), { isShownOnce: true }).optional() })) },
    secretTo: { members: ["pin"] },
  }),
  badge_pin_set: op("PUT /badges/pin", {
    ...guarded,
    body: json({ pin: secret(z.string().min(4), { isFromFile: true }) }),
    returns: { 200: json(z.looseObject({})) },
    example: { pinFile: "pin" },
  }),
};

const desk = (upstream: Upstream, files: SecretFilesOf, stateDir = folder(), more: Parameters<typeof start>[1] = {}) =>
  start((request) => (request.method === "GET" ? { body: [] } : upstream(request)), {
    operationOf: async (tool) => {
      const declared = Object.hasOwn(made, tool) ? made[tool] : undefined;
      return declared && { service: "badges", declared };
    },
    secretFiles: files,
    plans: createPlans({ ttlMs: 600_000, storage: directoryPlanStorage(join(stateDir, "state")) }),
    ...more,
  });
type Desk = ReturnType<typeof desk>;
const changesOf = ({ sent }: Desk): string[] => sent.filter((line) => !line.startsWith("GET"));
async function approved({ calls }: Desk, tool: string, args: object, by: CallOrigin = caller): Promise<Outcome> {
  const shown = await calls.call(tool, { ...args }, by);
  if (shown.kind !== "preview") return shown;
  return calls.call(tool, { ...args, confirm: shown.plan.id }, by);
}
const pinned: Upstream = () => ({ status: 201, body: { pin: "4711-0815" } });
const filesIn = (dir: string) => readdirSync(dir, { withFileTypes: true }).filter((one) => one.isFile());

it(promise("file-before-request", "a returned secret has an empty owner-only file before the request"), async () => {
  const dir = folder();
  let found: [number, string, number][] = [];
  const outcome = await approved(
    desk((request) => {
      found = filesIn(dir).map(({ name }) => {
        const path = join(dir, name);
        return [statSync(path).mode & 0o777, readFileSync(path, "utf8"), statSync(path).nlink];
      });
      return pinned(request);
    }, secretFiles(dir)),
    "badge_create",
    {},
  );
  expect(found).toEqual([[keptMode(0o600), "", 1]]);
  expect(outcome).toMatchObject({ kind: "answer", reply: { body: { pin: "[secret, 9 characters]" } } });
  expect(filesIn(dir).map(({ name }) => readFileSync(join(dir, name), "utf8"))).toEqual(["4711-0815"]);
});

it("a returned secret has no file for a preview, and a new one for a call", async () => {
  const dir = folder();
  const one = desk(pinned, secretFiles(dir));
  expect((await one.calls.call("badge_create", {}, caller)).kind).toBe("preview");
  expect(filesIn(dir)).toEqual([]);
  for (let count = 1; count <= 3; count += 1) {
    await approved(one, "badge_create", {});
    expect(filesIn(dir)).toHaveLength(count);
  }
});

it(promise("secret-nowhere-else", "a returned secret appears nowhere else in the answer, in any form"), async () => {
  const dir = folder();
  const pin = "x7+/ü-quite-secret";
  const body = {
    pin,
    message: `Your pin is ${pin}.`,
    links: [`https://badges.example/?pin=${encodeURIComponent(pin)}`],
    seen: { [pin]: Buffer.from(pin).toString("base64") },
  };
  const returning = async (body: object) => {
    const one = desk(() => ({ status: 201, body }), secretFiles(dir));
    return answerOf(await approved(one, "badge_create", {}));
  };
  const reply = await returning(body);
  for (const form of [pin, encodeURIComponent(pin), Buffer.from(pin).toString("base64")])
    expect(JSON.stringify(reply)).not.toContain(form);
  expect(reply.body).toMatchObject({ pin: `[secret, ${pin.length} characters]`, message: "Your pin is [secret]." });
  // A short one is part of too many words.
  const short = { pin: "pin", again: "pin", message: "Your pin was made." };
  const shown = { ...short, pin: "[secret, 3 characters]", again: "[secret]" };
  expect((await returning(short)).body).toMatchObject(shown);
});

const linkIn = (dir: string): string => {
  symlinkSync(folder(), join(dir, "link"), "junction");
  return join(dir, "link");
};
const openedTo = (dir: string): string => {
  chmodSync(dir, 0o777);
  return dir;
};
/** Notes of which files are here. */
function notesIn(names: Set<string>): SecretHolders {
  return {
    add: async ({ name }) => void names.add(name),
    remove: async ({ name }) => void names.delete(name),
    find: async () => undefined,
  };
}

it.each<readonly [string, (dir: string) => string | undefined]>([
  ["no directory", () => undefined],
  ["a link to a directory", linkIn],
  ["a file in the directory's place", () => file("")],
  ...(hasModes ? [["a directory that others can write to", openedTo] as const] : []),
])("a returned secret is not asked for with %s: nothing is sent", async (_, place) => {
  const noted = new Set<string>();
  const one = desk(pinned, secretFiles(place(folder()), { holders: notesIn(noted) }));
  expect(failureOf(await approved(one, "badge_create", {})).code).toBe("not_allowed");
  expect([changesOf(one), [...noted]]).toEqual([[], []]);
});

it("a returned secret that cannot be saved is reported lost, not shown", async () => {
  const broken: SecretFilesOf = (holder) => ({
    ...secretFiles(folder())(holder),
    create: async () => ({ path: "/nowhere", write: async () => false, discard: async () => undefined }),
  });
  const { notes, body } = answerOf(await approved(desk(pinned, broken), "badge_create", {}));
  expect(notes.join(" ")).toContain("pin could not be stored and is not shown. The change was made");
  expect(JSON.stringify([notes, body])).not.toContain("4711-0815");
});

it.each<[string, Upstream]>([
  ["is refused", () => ({ status: 403, body: { title: "No" } })],
  ["is lost", () => new SendFailure("overdue", true)],
  ["holds none", () => ({ status: 201, body: {} })],
])("a returned secret leaves no empty file where the answer %s", async (_, upstream) => {
  const dir = folder();
  const noted = new Set<string>();
  await approved(desk(upstream, secretFiles(dir, { holders: notesIn(noted) })), "badge_create", {});
  expect([filesIn(dir), [...noted]]).toEqual([[], []]);
});

it("a returned secret is kept by the process that sends the request", async () => {
  const [state, first, second] = [folder(), folder(), folder()];
  const shown = await desk(pinned, secretFiles(first), state).calls.call("badge_create", {}, caller);
  const other = desk(pinned, secretFiles(second), state);
  const outcome = await other.calls.call("badge_create", { confirm: planOf(shown).id }, caller);
  expect(outcome.kind).toBe("answer");
  expect([filesIn(first).length, filesIn(second).length]).toEqual([0, 1]);
});

const answering: Upstream = () => ({ body: {} });
const write = (dir: string, name: string, text: string) => writeFileSync(join(dir, name), text, { mode: 0o600 });

it("a secret to set: file and directory modes matter except on Windows", needs.modes, async () => {
  const dir = folder();
  write(dir, "pin", "1234\n");
  const read = (user?: ProcessUser) =>
    secretFiles(dir, user && { user })({ tokenName: undefined, account: "a" }).read("pin");
  const refusedBut = async (why: string) => {
    expect(await read()).toEqual({ takes: expect.stringContaining(why) });
    expect(await read(onWindows)).toBe("1234");
  };
  chmodSync(join(dir, "pin"), 0o644);
  await refusedBut("has mode 0600");
  chmodSync(dir, 0o777);
  await refusedBut("to which no other user can write");
});

it("a secret to set: a file of at most 4,096 bytes, and no link", needs.modes, async () => {
  const dir = folder();
  const read = (name: string) => secretFiles(dir)({ tokenName: undefined, account: "a" }).read(name);
  write(dir, "full", "x".repeat(4_096));
  write(dir, "longer", "x".repeat(4_097));
  symlinkSync(join(dir, "full"), join(dir, "link"));
  expect(await read("full")).toBe("x".repeat(4_096));
  expect(await read("longer")).toEqual({ takes: expect.stringContaining("of at most 4096 bytes") });
  expect(await read("link")).toEqual({ takes: expect.stringContaining("that exists and can be read") });
});

it("another process's plan sets a secret while its file is unchanged", async () => {
  const [state, dir] = [folder(), folder()];
  write(dir, "pin", "1234\n");
  const set = async (more = {}) =>
    desk(answering, secretFiles(dir), state).calls.call("badge_pin_set", { pinFile: "pin", ...more }, caller);
  const [shown, again] = [planOf(await set()), planOf(await set())];
  expect((await set({ confirm: shown.id })).kind).toBe("answer");
  write(dir, "pin", "4321\n");
  expect(failureOf(await set({ confirm: again.id })).code).toBe("approval_refused");
});

it(promise("plan-without-secret", "a plan keeps neither a secret to set nor an unkeyed hash of it"), async () => {
  const [state, dir] = [folder(), folder()];
  write(dir, "pin", "swordfish");
  const one = desk(answering, secretFiles(dir), state);
  await one.calls.call("badge_pin_set", { pinFile: "pin" }, caller);
  const plans = join(state, "state", "plans");
  const [name = ""] = readdirSync(plans).filter((file) => file.endsWith(".json"));
  const kept = JSON.parse(readFileSync(join(plans, name), "utf8")) as { requestHash: string };
  const other = desk(answering, secretFiles(dir));
  const shown = await other.calls.call("badge_pin_set", { pinFile: "pin" }, caller);
  expect(planOf(shown).requestHash).not.toBe(kept.requestHash);
  expect(JSON.stringify(kept)).not.toContain("swordfish");
});

it(promise("own-token-files", "a secret to set comes from the files of the client's token alone"), async () => {
  const dir = folder();
  const [alice, bob]: [CallOrigin, CallOrigin] = [
    { ...caller, owner: "client:alice", tokenName: "alice" },
    { ...caller, owner: "client:bob", tokenName: "bob" },
  ];
  await approved(desk(pinned, secretFiles(dir)), "badge_create", {}, alice);
  const [file = ""] = readdirSync(join(dir, "alice"));
  write(dir, "pin", "1234");
  const one = desk(answering, secretFiles(dir));
  const set = (pinFile: string, by: CallOrigin) => approved(one, "badge_pin_set", { pinFile }, by);
  for (const [name, by] of [
    [file, bob],
    [`../alice/${file}`, bob],
    ["pin", bob],
    ["pin", alice],
    [file, caller],
    ["alice", caller],
  ] as const)
    expect([name, await set(name, by)]).toMatchObject([name, { failure: { code: "invalid_input" } }]);
  expect(changesOf(one)).toEqual([]);
  expect((await set(file, alice)).kind).toBe("answer");
  expect((await set("pin", caller)).kind).toBe("answer");
});

it.each<[string, Partial<Account>]>([
  ["profile", { profile: "two" }],
  ["section", { section: "other" }],
  ["host", { host: "other" }],
  ["switch key", { switchKey: "other" }],
])(promise("secret-files-of-account", "a secret file for an account with another %s is refused"), async (_, other) => {
  const dir = folder();
  const account = { profile: "one", section: "default", host: "upstream", isEmulated: false };
  await approved(desk(pinned, secretFiles(dir), undefined, { account }), "badge_create", {});
  const [{ name: file } = { name: "" }] = filesIn(dir);
  // Created before names of files contained the account.
  const older = file.replace(/-[0-9a-f]{12}(?=-[0-9a-f]{12}$)/, "");
  write(dir, older, "1234");
  write(dir, "pin", "1234");
  const set = (pinFile: string, on: Account) =>
    approved(desk(answering, secretFiles(dir), undefined, { account: on }), "badge_pin_set", { pinFile });
  for (const name of [file, older]) {
    const crossed = await set(name, { ...account, ...other });
    expect(crossed).toMatchObject({ kind: "failure", failure: { code: "invalid_input" } });
    expect(JSON.stringify(crossed)).toContain("belongs to another account, or does not name its account");
  }
  expect((await set(file, account)).kind).toBe("answer");
  // The user's own choice, which the preview shows with its account.
  expect((await set("pin", { ...account, ...other })).kind).toBe("answer");
});

it("a missing secret file is reported, or a terminal asks for it", async () => {
  const dir = folder();
  const one = desk(answering, secretFiles(dir));
  const missing = await one.calls.call("badge_pin_set", {}, caller);
  expect(JSON.stringify(missing)).toContain(dir);
  const asked: string[][] = [];
  const askSecret = async (...about: string[]) => {
    asked.push(about);
    return "5678";
  };
  const outcome = await approved(one, "badge_pin_set", {}, { ...caller, askSecret });
  expect(outcome.kind).toBe("answer");
  expect(new Set(asked.map(String))).toEqual(new Set(["pinFile,pin"]));
});

it("a secret file on another instance is refused with its address", async () => {
  const directories = [folder(), folder()];
  const holders = new Map<string, number>();
  const [first, second] = directories.map((dir, at) =>
    desk(
      (request) => (request.method === "POST" ? pinned(request) : answering(request)),
      secretFiles(dir, {
        holders: {
          ...notesIn(new Set()),
          add: async ({ name }) => void holders.set(name, at),
          find: async ({ name }) => {
            const holder = holders.get(name);
            return holder === undefined || holder === at ? undefined : `http://edgewise-${holder}:3940/`;
          },
        },
      }),
    ),
  ) as [Desk, Desk];
  await approved(first, "badge_create", {});
  const [{ name: pinFile } = { name: "" }] = filesIn(directories[0] ?? "");
  const refused = await approved(second, "badge_pin_set", { pinFile });
  expect(failureOf(refused)).toMatchObject({
    code: "not_found",
    message: `The secret file "${pinFile}" is on another instance of this server, http://edgewise-0:3940/.`,
    detail: {
      next: expect.stringMatching(/^Make the call at http:\/\/edgewise-0:3940\/, or ask the operator to copy/),
    },
  });
  expect(JSON.stringify(refused)).not.toContain("4711-0815");
  expect(changesOf(second)).toEqual([]);
  expect((await approved(first, "badge_pin_set", { pinFile })).kind).toBe("answer");
  // As copied by an operator.
  write(directories[1] ?? "", pinFile, readFileSync(join(directories[0] ?? "", pinFile), "utf8"));
  expect((await approved(second, "badge_pin_set", { pinFile })).kind).toBe("answer");
  const missing = await approved(second, "badge_pin_set", { pinFile: `${pinFile.slice(0, -12)}000000000000` });
  expect(JSON.stringify(missing)).toContain("that exists and can be read");
});

it("a secret to set is not accepted as an argument", async () => {
  const one = desk(answering, secretFiles(folder()));
  const outcome = await one.calls.call("badge_pin_set", { body: { pin: "1234" } }, caller);
  expect(outcome).toMatchObject({ kind: "failure", failure: { code: "invalid_input" } });
  expect(JSON.stringify(outcome)).not.toContain("1234");
});
