/** What somebody meets who is new here: what the program prints of each mishap is what docs/troubleshooting.md has. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { folder } from "../lab/files.js";
import { bareEnvironment } from "../lab/session.js";
import { typed } from "./typed.js";
import { json, startUpstream } from "./upstream.js";

interface Mishap {
  readonly args?: readonly string[];
  /** The text of `~/.edgerc`; an empty one makes it a directory, which even an administrator cannot read. */
  readonly edgerc?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Starts what the command meets, and returns what it adds to the command line. */
  readonly meets?: () => Promise<{ readonly args: readonly string[]; close(): Promise<unknown> }>;
}

const lines = (secret: string, host = "akab-x.luna.akamaiapis.net") =>
  `[default]\nhost = ${host}\nclient_token = ct-1\nclient_secret = ${secret}\naccess_token = at-1\n`;
const secret = "bm90LXRvLWJlLXNob3duLWFueXdoZXJl";
const answers = (status: number, body: object, headers?: () => Record<string, string>) => async () => {
  const upstream = await startUpstream((response) => json(response, status, body, headers?.()));
  return { args: ["--upstream", upstream.url], close: upstream.close };
};

const mishaps: Readonly<Record<string, Mishap>> = {
  "No credentials": {},
  "Wrong section": { args: ["--section", "prod"], edgerc: lines(secret) },
  "Line break in a secret": { edgerc: lines(`${secret}\n${secret}=`) },
  "Line break in a variable": {
    env: {
      AKAMAI_HOST: "akab-x.luna.akamaiapis.net",
      AKAMAI_CLIENT_TOKEN: "ct-1",
      AKAMAI_CLIENT_SECRET: `${secret}\n`,
      AKAMAI_ACCESS_TOKEN: "at-1",
    },
  },
  "Unreadable file": { edgerc: "" },
  "Wrong host": { edgerc: lines(secret, "control.akamai.example") },
  "Unknown host": { edgerc: lines(secret), args: ["--upstream", "https://edgewise.invalid"] },
  "A proxy": {
    edgerc: lines(secret),
    args: ["--upstream", "https://edgewise.invalid"],
    env: { HTTPS_PROXY: "http://user:password@proxy.example:3128" },
  },
  "Clock off by a minute": {
    meets: answers(400, { detail: "Invalid timestamp" }, () => ({ date: new Date(Date.now() - 60_000).toUTCString() })),
  },
  "Missing grant": { args: ["call", "purge_queue_get", '{"queueName":"default"}'], meets: answers(403, {}) },
  "Port taken": {
    args: ["http"],
    meets: async () => {
      const server = createServer().listen(0, "127.0.0.1");
      await new Promise((listening) => server.once("listening", listening));
      return {
        args: ["--port", String((server.address() as AddressInfo).port)],
        close: () => new Promise((closed) => server.close(closed)),
      };
    },
  },
  "Old Node": { env: { NODE_OPTIONS: `--require=${resolve("test/system/old-node.cjs")}` } },
  "Unknown flag": { args: ["--secton", "prod"] },
  "Unknown command": { args: ["docter"] },
  "Broken JSON": { args: ["call", "purge_queue_get", '{"queueName":'] },
  "Unknown tool": { args: ["call", "purge_queue", "{}"] },
};

/** Runs `edgewise doctor`, or the command of the mishap. */
async function outcomeOf({ args = [], edgerc, env, meets }: Mishap) {
  const home = folder();
  if (edgerc === "") mkdirSync(join(home, ".edgerc"));
  else if (edgerc !== undefined) writeFileSync(join(home, ".edgerc"), edgerc, { mode: 0o600 });
  const met = await meets?.();
  const words = [...(args[0]?.startsWith("--") === false ? [] : ["doctor"]), ...args, ...(met?.args ?? [])];
  const environment = bareEnvironment({ HOME: home, ...env });
  // Another Node is a matter of the process, and what such a process says comes before any of its work.
  const { status, stdout, stderr } = env?.["NODE_OPTIONS"]
    ? spawnSync(process.execPath, ["dist/server.js", ...words], { env: environment, encoding: "utf8" })
    : await typed(words, environment);
  await met?.close();
  const generalized = (text: string) => text.replaceAll(home, "~").replaceAll(/(?<=The clock is |, port )\d+/g, "N");
  return { code: status, stdout: generalized(stdout), stderr: generalized(stderr) };
}

/** The rows of the page: a name, what is wrong, what to do, and the exit code. Paths and numbers have a word in their place. */
const page = readFileSync("docs/troubleshooting.md", "utf8");
const rows = page.split("\n").filter((line) => /^\| .* \| \d+ \|$/.test(line));
const cells = rows.map(
  (row) => row.slice(2, -2).split(" | ") as [name: string, what: string, next: string, code: string],
);

it("the page for troubleshooting has all mishaps, and no others", () => {
  expect(cells.map(([name]) => name)).toEqual(Object.keys(mishaps));
});

it.each(cells)("%s", async (name, what, next, expectedCode) => {
  const mishap = mishaps[name] ?? {};
  const { code, stdout, stderr } = await outcomeOf(mishap);
  expect(code).toBe(Number(expectedCode));
  expect(stdout + stderr).not.toContain(secret);
  expect(stdout + stderr).not.toContain("password@");
  if (code === 78) expect([stdout, stderr]).toEqual(["", `edgewise: ${what}\n${next}\n`]);
  else if (mishap.args?.[0] === "call") expect(JSON.parse(stdout)).toMatchObject({ message: what, next });
  else {
    // The page of the doctor: a state and a subject, what is found, and below it what to do.
    const [before = "", after] = stdout.split(` ${what}\n`);
    expect(before.split("\n").at(-1)).toMatch(code === 0 ? /^not set \w+ *$/ : /^FAIL {4}\w+ *$/);
    expect(after?.split("\n")[0]?.trim()).toBe(next);
  }
});
