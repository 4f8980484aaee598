/** What somebody meets who is new here: each mishap is told in two lines, what is wrong and what to do, and is on the page. */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { folder } from "../lab/files.js";
import { bareEnvironment } from "../lab/session.js";
import { json, startUpstream } from "./upstream.js";

interface Mishap {
  readonly args?: readonly string[];
  /** The text of `~/.edgerc`; an empty one makes it a directory, which even an administrator cannot read. */
  readonly edgerc?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Starts what the command meets, and returns what it adds to the command line. */
  readonly meets?: () => Promise<{ readonly args: readonly string[]; close(): Promise<unknown> }>;
  readonly code: 0 | 1 | 78;
  /** Both lines as the page has them: paths and numbers that depend on the machine have a word in their place. */
  readonly says: readonly [what: string, next: string];
}

const lines = (secret: string, host = "akab-x.luna.akamaiapis.net") =>
  `[default]\nhost = ${host}\nclient_token = ct-1\nclient_secret = ${secret}\naccess_token = at-1\n`;
const secret = "bm90LXRvLWJlLXNob3duLWFueXdoZXJl";
const answers = (status: number, body: object, headers?: () => Record<string, string>) => async () => {
  const upstream = await startUpstream((response) => json(response, status, body, headers?.()));
  return { args: ["--upstream", upstream.url], close: upstream.close };
};

const mishaps: Readonly<Record<string, Mishap>> = {
  "No credentials": {
    code: 0,
    says: [
      "The embedded emulator serves every call: no credentials are configured.",
      "For real calls, put an API client's host and three tokens into ~/.edgerc, under [default].",
    ],
  },
  "Wrong section": {
    args: ["--section", "prod"],
    edgerc: lines(secret),
    code: 1,
    says: [
      "~/.edgerc has no section [prod].",
      "Choose another with --section, or add it with host, client_token, client_secret and access_token.",
    ],
  },
  "Line break in a secret": {
    edgerc: lines(`${secret}\n${secret}=`),
    code: 1,
    says: [
      "Section [default] of ~/.edgerc has a line that is not a key with a value, perhaps the rest of a broken value.",
      "Write each value on one line, and a comment after a semicolon.",
    ],
  },
  "Line break in a variable": {
    env: {
      AKAMAI_HOST: "akab-x.luna.akamaiapis.net",
      AKAMAI_CLIENT_TOKEN: "ct-1",
      AKAMAI_CLIENT_SECRET: `${secret}\n`,
      AKAMAI_ACCESS_TOKEN: "at-1",
    },
    code: 1,
    says: [
      "client_secret in the AKAMAI_* variables contains a space, a line break or another character that is not allowed.",
      "Copy the value again, on one line, without spaces; a comment after it begins with a semicolon.",
    ],
  },
  "Unreadable file": {
    edgerc: "",
    code: 1,
    says: ["The credentials file ~/.edgerc cannot be read.", "Check --edgerc, or the file's permissions."],
  },
  "Wrong host": {
    edgerc: lines(secret, "control.akamai.example"),
    code: 1,
    says: [
      "host in section [default] of ~/.edgerc is not a host of the management APIs.",
      "It ends in .luna.akamaiapis.net or .purge.akamaiapis.net; a different one is set with --upstream.",
    ],
  },
  "Unknown host": {
    edgerc: lines(secret),
    args: ["--upstream", "https://edgewise.invalid"],
    code: 1,
    says: [
      "https://edgewise.invalid cannot be reached (name).",
      "The host name does not resolve: check `host` in the credential, and DNS.",
    ],
  },
  "A proxy": {
    edgerc: lines(secret),
    args: ["--upstream", "https://edgewise.invalid"],
    env: { HTTPS_PROXY: "http://user:password@proxy.example:3128" },
    code: 1,
    says: [
      "https://edgewise.invalid cannot be reached (name); HTTPS_PROXY is set, and Edgewise uses no proxy.",
      "Let this machine connect to the host directly, or name a gateway that forwards requests with --upstream.",
    ],
  },
  "Clock off by a minute": {
    meets: answers(400, { detail: "Invalid timestamp" }, () => ({ date: new Date(Date.now() - 60_000).toUTCString() })),
    code: 1,
    says: [
      "The clock is N s ahead; signatures older than 30 s are refused.",
      "Synchronize the machine's clock with NTP.",
    ],
  },
  "Missing grant": {
    args: ["call", "purge_queue_get", '{"queueName":"default"}'],
    meets: answers(403, {}),
    code: 1,
    says: [
      "purge_queue_get was refused: the credential lacks a permission (403).",
      "Check the API client's grants, and the account switch key if one is set.",
    ],
  },
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
    code: 78,
    says: [
      "The server cannot listen on 127.0.0.1, port N. Another program listens on this port.",
      "Choose another --port, or 0 for any free one.",
    ],
  },
  "Old Node": {
    env: { NODE_OPTIONS: `--require=${resolve("test/system/old-node.cjs")}` },
    code: 78,
    says: [
      `This is Node 20.18.3, and Edgewise needs ${manifest.engines.node.replace(">=", "")} or newer.`,
      "Install a newer Node, or start Edgewise with the path of one.",
    ],
  },
  "Unknown flag": {
    args: ["--secton", "prod"],
    code: 78,
    says: [
      'There is no flag --secton (did you mean "--section"?).',
      "`edgewise --help` lists the settings, and `edgewise COMMAND --help` the flags of a command.",
    ],
  },
  "Unknown command": {
    args: ["docter"],
    code: 78,
    says: ['There is no command "docter" (did you mean "doctor"?).', "`edgewise --help` lists the commands."],
  },
  "Broken JSON": {
    args: ["call", "purge_queue_get", '{"queueName":'],
    code: 78,
    says: [
      "The arguments are not a JSON object.",
      'Write them as one quoted word, such as \'{"queueName":"default"}\'.',
    ],
  },
  "Unknown tool": {
    args: ["call", "purge_queue", "{}"],
    code: 78,
    says: [
      'There is no tool "purge_queue" (did you mean "purge_queue_get"?).',
      "`edgewise operations` lists the tools.",
    ],
  },
};

/** Runs `edgewise doctor`, or the command of the mishap. */
async function outcomeOf({ args = [], edgerc, env, meets }: Mishap) {
  const home = folder();
  if (edgerc === "") mkdirSync(join(home, ".edgerc"));
  else if (edgerc !== undefined) writeFileSync(join(home, ".edgerc"), edgerc, { mode: 0o600 });
  const met = await meets?.();
  const words = [...(args[0]?.startsWith("--") === false ? [] : ["doctor"]), ...args, ...(met?.args ?? [])];
  const child = spawn(process.execPath, ["dist/server.js", ...words], {
    env: bareEnvironment({ HOME: home, ...env }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const written = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      written[stream] += text;
    });
  const code = await new Promise((left) => child.once("close", left));
  await met?.close();
  const generalized = (text: string) => text.replaceAll(home, "~").replaceAll(/(?<=The clock is |, port )\d+/g, "N");
  return { code, stdout: generalized(written.stdout), stderr: generalized(written.stderr) };
}

it.each(Object.entries(mishaps))("%s", async (_, mishap) => {
  const { code, stdout, stderr } = await outcomeOf(mishap);
  const [what, next] = mishap.says;
  expect(code).toBe(mishap.code);
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

it("are on the page for troubleshooting, all of them and no others", () => {
  const page = readFileSync("docs/troubleshooting.md", "utf8");
  const rows = Object.entries(mishaps).map(
    ([name, { says, code }]) => `| ${name} | ${says[0]} | ${says[1]} | ${code} |`,
  );
  expect(page.split("\n").filter((line) => /^\| .* \| \d+ \|$/.test(line))).toEqual(rows);
});
