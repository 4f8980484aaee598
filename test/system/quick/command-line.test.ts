/** `edgewise call`, `show` and `completion` as a person at a shell uses them. */
import { spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { folder } from "../../lab/files.js";
import { needs } from "../../lab/needs.js";
import { bareEnvironment } from "../../lab/session.js";
import { typed } from "../typed.js";

const run = (args: readonly string[]) => typed(args);
/** The same as a process of its own, which has a standard input. */
const spawned = (args: readonly string[], input: string) =>
  spawnSync(process.execPath, ["dist/server.js", ...args], {
    encoding: "utf8",
    env: bareEnvironment(),
    timeout: 30_000,
    input,
  });

it("takes arguments as flags, as JSON and from stdin, and Edgewise's own flags anywhere", async () => {
  const asJson = await run([
    "call",
    "report_type_get",
    '{"reportName":"endpoint-usage-by-time","version":1}',
    "--emulator",
  ]);
  for (const [args, input] of [
    [["call", "report_type_get", "--reportName", "endpoint-usage-by-time", "--emulator", "--version=1"], ""],
    [
      ["--emulator", "call", "--output", "json", "report_type_get", "--version", "1", "-"],
      '{"reportName":"endpoint-usage-by-time"}',
    ],
  ] as const) {
    const { stdout, stderr, status } = spawned(args, input);
    expect([stderr, status]).toEqual(["", 0]);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(asJson.stdout));
  }
});

it("names the flag that the check refuses, and the JSON member where there was JSON", async () => {
  const flagged = await run(["call", "purge_queue_get", "--queueName", "third"]);
  expect(JSON.parse(flagged.stdout)).toMatchObject({ fields: [{ field: "--queueName", given: '"third"' }] });
  expect(flagged.status).toBe(78);
  const missing = await run(["call", "purge_submit", "--body.objects", "", "--output", "csv"]);
  expect(missing.stderr).toContain("--queueName: takes ");
  expect(missing.stderr).toContain("--body.objects at [0]: ");
  expect(missing.stderr).toContain("edgewise call purge_submit --help");
  expect([missing.stdout, missing.status]).toEqual(["", 78]);
  const object = await run(["call", "purge_submit", "--body", '{"objects":[]}']);
  expect(JSON.parse(object.stdout)).toMatchObject({ fields: [{ field: "--queueName" }, { field: "--body.objects" }] });
  const mixed = await run(["call", "purge_submit", '{"queueName":"third"}', "--body.objects", "a", "--body.type", "b"]);
  expect(JSON.parse(mixed.stdout)).toMatchObject({ fields: [{ field: "queueName" }, { field: "--body.type" }] });
  const json = await run(["call", "purge_queue_get", '{"queueName":"third"}']);
  expect(JSON.parse(json.stdout)).toMatchObject({ fields: [{ field: "queueName" }] });
});

it.each([
  [["call", "purge_queue_get", "--queuName", "default"], /no argument --queuName \(did you mean "--queueName"\?\)/],
  [["call", "purge_status", "--purgeId", "a", "--wiat"], /no argument --wiat/],
  [["call", "purge_queue_get", "--queueName", "default", "--output", "xml"], /--output takes table, json/],
  [["doctor", "--output", "csv"], /doctor has no flag --output/],
  [["call", "purge_queu_get", "--help"], /did you mean "purge_queue_get"/],
  [["completion", "tcsh"], /completion takes the name of a shell/],
])("says what is wrong with %j and leaves with 78", async (args, message) => {
  const { stdout, stderr, status } = await run(args);
  expect(stderr).toMatch(message);
  expect([stdout, status]).toEqual(["", 78]);
});

const _isWindows = process.platform === "win32";

/** The example on a page of help, run by a shell in which `edgewise` is the program. */
function runInShell(command: string) {
  const bin = folder();
  symlinkSync(resolve("dist/server.js"), join(bin, "edgewise"));
  const env = bareEnvironment();
  return spawnSync("sh", ["-c", command], {
    encoding: "utf8",
    env: { ...env, PATH: `${bin}:${env["PATH"]}` },
    timeout: 30_000,
    input: "",
  });
}

it.each(["report_data_get", "purge_submit", "dns_zone_get", "diagnosis_run"])(
  "prints help for %s whose example runs in sh",
  needs.posix,
  async (tool) => {
    const { stdout, status } = await run(["call", tool, "--help"]);
    expect(status).toBe(0);
    const example = /Example:\n {2}(.*)/.exec(stdout)?.[1] ?? "";
    const made = runInShell(example);
    const shown = JSON.parse(made.stdout) as Record<string, unknown>;
    expect([made.stderr, shown["error"]]).toEqual(["", undefined]);
    expect(made.status).toBe("approval" in shown ? 1 : 0);
  },
);

it("answers a request for help in an environment that is broken", async () => {
  const environment = bareEnvironment({ EDGEWISE_NONSENSE: "1" });
  const { stdout, status } = await typed(["call", "--policy", "/none", "purge_status", "-h"], environment);
  expect([stdout.split("\n")[0], status]).toEqual(["edgewise call purge_status [ARGUMENTS]", 0]);
});

it("writes CSV and NDJSON with nothing but rows on stdout, and the whole answer", async () => {
  const call = ["call", "report_types_list"];
  const { reports } = JSON.parse((await run(call)).stdout) as { reports: { name: string }[] };
  const csv = parse((await run([...call, "--output", "csv"])).stdout, { columns: true }) as { name: string }[];
  const lines = (await run([...call, "--output=ndjson"])).stdout.trim().split("\n");
  expect(csv.map(({ name }) => name)).toEqual(reports.map(({ name }) => name));
  expect(lines.map((line) => (JSON.parse(line) as { name: string }).name)).toEqual(reports.map(({ name }) => name));
  const table = await run([...call, "--output", "table"]);
  expect(table.stdout).toContain(`reports (${reports.length} rows):`);
  expect(table.stderr).toBe("");
});

it("gives the whole answer unless it is told how much", async () => {
  const call = ["call", "operation_describe", "--tool", "purge_submit"];
  expect(JSON.parse((await run([...call, "--max-result-tokens", "500"])).stdout)).toHaveProperty("cut", true);
  expect(JSON.parse((await run(call)).stdout)).not.toHaveProperty("cut");
});

it("writes nothing on stderr while long work runs without a terminal", async () => {
  const { stdout, stderr, status } = await run(["call", "diagnosis_run", "--url", "http://api.shop.example/cart"]);
  expect(JSON.parse(stdout)).toHaveProperty("findings");
  expect([stderr, status]).toEqual(["", 0]);
});

it("reads resources, fixed, live and of a template, and lists them", async () => {
  expect((await run(["show"])).stdout).toMatch(/^operation:\/\/\{tool\} +Operation page$/m);
  expect((await run(["show"])).stdout).toMatch(/^guide:\/\/\{service\} +Guide of a service$/m);
  expect((await run(["show", "guide://purge"])).stdout).toMatch(/^# Content purge\n[\s\S]*```mermaid\n/);
  expect((await run(["show", "operation://purge_status"])).stdout).toMatch(/^# purge_status\n/);
  expect(JSON.parse((await run(["show", "operation://purge_status.json"])).stdout)).toMatchObject({
    tool: "purge_status",
  });
  expect((await run(["show", "operation://purge_status/answers"])).stdout).toMatch(
    /^# Responses of purge_status\n\n\*\*200\*\*/,
  );
  const help = async (tool: string) => (await run(["call", tool, "--help"])).stdout;
  expect(await help("purge_status")).toContain("Its responses: edgewise show operation://purge_status/answers");
  expect(await help("diagnosis_run")).not.toContain("/answers");
  expect(JSON.parse((await run(["show", "contract://contracts"])).stdout)).toEqual(expect.anything());
  const { stdout, stderr, status } = await run(["show", "report://nothing"]);
  expect(stderr).toContain('There is no resource "report://nothing".\n`edgewise show` lists the resources');
  expect([stdout, status]).toEqual(["", 1]);
  expect((await run(["show", "operation://purge_status", "--services", "dns"])).status).toBe(1);
});

it("shows the whole preview of a plan that a call has kept", async () => {
  const env = bareEnvironment();
  const at = (args: readonly string[]) => typed(args, env);
  const made = await at([
    "call",
    "purge_submit",
    "--queueName",
    "default",
    "--body.objects",
    "https://www.example.com/",
  ]);
  const { plan } = JSON.parse(made.stdout) as { plan: string };
  expect((await at(["show", `plan://${plan}`])).stdout).toMatch(/^REMOVE URL "https:\/\/www\.example\.com\/"/);
});

const candidates = async (...words: string[]): Promise<string[]> =>
  (await run(["completion", "candidates", ...words])).stdout.split("\n").filter(Boolean);
const wordsOf = (lines: readonly string[]): string[] => lines.map((line) => line.split("\t")[0] ?? "");

it("completes commands, tools, the flags of a tool and their values", async () => {
  expect(wordsOf(await candidates(""))).toEqual(expect.arrayContaining(["call", "show", "doctor", "completion"]));
  expect(await candidates("ca")).toEqual(["call\tmake one call, and print its result"]);
  expect(await candidates("help", "set")).toEqual([
    "setup\tprint a client's configuration, or merge it into the client's file",
    "settings\tthe settings, which every command takes",
  ]);
  expect(wordsOf(await candidates("audit", "verify", "--h"))).toEqual(["--head", "--host", "--help"]);
  expect(wordsOf(await candidates("audit", "show", "--he"))).toEqual(["--help"]);
  expect(await candidates("plans", "--js")).toEqual(["--json\tWrite JSON."]);
  expect(wordsOf(await candidates("--emulator", "--section", "x", "audit", ""))).toEqual(["verify", "head", "show"]);
  expect(await candidates("call", "purge_s")).toEqual([
    "purge_submit\tContent purge: submit",
    "purge_status\tContent purge: status",
  ]);
  expect(wordsOf(await candidates("policy", "check", "purge_q"))).toEqual(["purge_queue_get"]);
  const words = ["--output", "csv", "call", "purge_submit"];
  expect(await candidates(...words, "--queueName", "")).toEqual(["default", "emergency"]);
  expect(await candidates(...words, "--body.type=c")).toEqual(["--body.type=cpcode"]);
  expect(wordsOf(await candidates(...words, "--body.o"))).toEqual(["--body.objects"]);
  expect(wordsOf(await candidates(...words, "--wait", "--body.objects", "a", "--body."))).toEqual(
    ["objects", "action", "type", "domain"].map((name) => `--body.${name}`),
  );
  expect(wordsOf(await candidates(...words, "--wait", "--queueName", "default", ""))).not.toContain("--queueName");
  expect(wordsOf(await candidates(...words, "--no-"))).toEqual(["--no-wait"]);
  expect(await candidates("call", "purge_status", "--output", "n")).toEqual(["ndjson"]);
  expect(await candidates("http", "--surface", "c")).toEqual(["core", "catalogue"]);
  expect(await candidates("http", "--edgerc", "")).toEqual([]);
  expect(wordsOf(await candidates("show", "operation://purge_st"))).toEqual(["operation://purge_status"]);
  expect(await candidates("no-such-command", "")).toEqual([]);
});

it("completes what is typed whatever is in the environment or on the line", () => {
  const { stdout, status } = spawnSync(
    process.execPath,
    ["dist/server.js", "completion", "candidates", "call", "purge_status", "--help", "--purge"],
    { encoding: "utf8", env: bareEnvironment({ EDGEWISE_NONSENSE: "1", NODE_TLS_REJECT_UNAUTHORIZED: "0" }) },
  );
  expect([wordsOf(stdout.trim().split("\n")), status]).toEqual([["--purgeId"], 0]);
});

/** Whether a shell is there; those that Windows can have take other paths than Node does. */

/** A script in a file: fish reads none from a socket, and a socket is what Node makes of a child's stdin. */
function scriptFile(shell: string, text: string): string {
  const file = join(folder(), "script");
  writeFileSync(file, text);
  return file;
}

/** What a script prints, one line each, in a shell that reads no settings. */
function printedBy(shell: string, command: string, script: string): string[] {
  const { stdout, stderr } = runInShell(`${command} ${scriptFile(shell, script)}`);
  expect(stderr).toBe("");
  return stdout.trim().split("\n");
}

/** What a shell offers for a line, with its completion loaded from the program and no key pressed. */
const offered: Readonly<Record<string, (line: string) => string[]>> = {
  // Bash itself cuts a line at its word breaks before it calls the function.
  bash(line) {
    const lines = printedBy(
      "bash",
      "bash --norc",
      `eval "$(edgewise completion bash)"
COMP_LINE=${JSON.stringify(line)} COMP_POINT=\${#COMP_LINE}
_edgewise
printf '%s\\n' "\${COMPREPLY[@]}"
complete -p edgewise
`,
    );
    expect(lines.at(-1)).toBe("complete -o default -F _edgewise edgewise");
    return lines.slice(0, -1).filter(Boolean);
  },
  // The functions of zsh's completion system work only while a key is handled, so these print what they are handed.
  zsh(line) {
    const words = line.split(" ").map((word) => `'${word}'`);
    return printedBy(
      "zsh",
      "zsh -f",
      `compdef() { [[ "$*" == "_edgewise edgewise" ]] || print -r -- "compdef $*" }
_describe() { print -rl -- "\${(@P)2}" }
_files() { print -r -- "a file" }
source <(edgewise completion zsh)
words=(${words.join(" ")}) CURRENT=${words.length}
_edgewise
`,
    );
  },
  fish: (line) =>
    printedBy("fish", "fish --no-config", `edgewise completion fish | source\ncomplete -C ${JSON.stringify(line)}\n`),
};

const offers: Readonly<Record<string, readonly (readonly [line: string, candidates: readonly string[]])[]>> = {
  bash: [
    ["edgewise ca", ["call"]],
    ["edgewise call purge_st", ["purge_status"]],
    ["edgewise call report_chart --to", ["--to", "--tools", "--token-file"]],
    ["edgewise call contract_product_summary_get --to", ["--to", "--tools", "--token-file"]],
    ["edgewise call purge_submit --queueName ", ["default", "emergency"]],
    ["edgewise call purge_submit --body.type=c", ["cpcode"]],
    ["edgewise show operation://purge_st", ["//purge_status"]],
    ["edgewise http --edgerc ", []],
  ],
  zsh: [
    ["edgewise ca", ["call:make one call, and print its result"]],
    ["edgewise call purge_submit --queueName ", ["default", "emergency"]],
    ["edgewise show operation://purge_st", ["operation\\://purge_status:Content purge\\: status"]],
    ["edgewise http --edgerc ", ["a file"]],
  ],
  fish: [
    ["edgewise ca", ["call\tmake one call, and print its result"]],
    ["edgewise call purge_submit --queueName ", ["default", "emergency"]],
    ["edgewise show operation://purge_st", ["operation://purge_status\tContent purge: status"]],
    ["edgewise http --edgerc dist/serv", ["dist/server.js"]],
  ],
};

describe.each(["bash", "zsh", "fish"])("the completion for %s", (shell) => {
  it("asks the program for each word", async () => {
    const { stdout, stderr, status } = await run(["completion", shell]);
    expect([stderr, status]).toEqual(["", 0]);
    expect(stdout).toContain(" completion candidates ");
    const quotes = stdout.replaceAll(/^ *#.*$/gm, "").match(/"/g) ?? [];
    expect(quotes.length % 2).toBe(0);
  });

  describe(`where ${shell} is installed`, needs.shell(shell), () => {
    it("is a script that the shell can read", async () => {
      const file = scriptFile(shell, (await run(["completion", shell])).stdout);
      expect(spawnSync(shell, ["-n", file], { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
    });

    it.each(offers[shell] ?? [])("completes %j", (line, candidates) => {
      expect(offered[shell]?.(line)).toEqual(candidates);
    });
  });
});
