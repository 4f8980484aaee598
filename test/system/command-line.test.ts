/** The help of `edgewise call`, and `show` and `completion`, as a person at a shell uses them. */
import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { file, folder } from "../lab/files.js";
import { needs } from "../lab/needs.js";
import { bareEnvironment } from "../lab/session.js";
import { typed } from "./typed.js";

const run = (args: readonly string[]) => typed(args);

/** The example on a page of help, run by a shell in which `edgewise` is the program. */
function runInShell(command: string) {
  const bin = folder();
  symlinkSync(resolve("dist/server.js"), join(bin, "edgewise"));
  const env = bareEnvironment();
  return spawnSync("sh", ["-c", command], {
    encoding: "utf8",
    env: { ...env, PATH: `${bin}:${env["PATH"]}` },
    timeout: 100_000,
    input: "",
  });
}

it.each(["report_data_get", "purge_submit", "dns_zone_get", "diagnosis_run"])(
  "the example in the help of %s runs in sh",
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

it("an answer is whole unless --max-result-tokens bounds it", async () => {
  const call = ["call", "operation_describe", "--tool", "purge_submit"];
  expect(JSON.parse((await run([...call, "--max-result-tokens", "500"])).stdout)).toHaveProperty("cut", true);
  expect(JSON.parse((await run(call)).stdout)).not.toHaveProperty("cut");
});

it("long work writes nothing on stderr without a terminal", async () => {
  const { stdout, stderr, status } = await run(["call", "diagnosis_run", "--url", "http://api.shop.example/cart"]);
  expect(JSON.parse(stdout)).toHaveProperty("findings");
  expect([stderr, status]).toEqual(["", 0]);
});

it("show: resources that are fixed, live or of a template, and their list", async () => {
  const show = (...args: string[]) => run(["show", ...args]);
  const listed = (await show()).stdout;
  expect(listed).toMatch(/^operation:\/\/\{tool\} +Operation page$/m);
  expect(listed).toMatch(/^guide:\/\/\{service\} +Guide of a service$/m);
  expect((await show("guide://purge")).stdout).toMatch(/^# Content purge\n/);
  expect((await show("operation://purge_status")).stdout).toMatch(/^# purge_status\n/);
  const json = await show("operation://purge_status.json");
  expect(JSON.parse(json.stdout)).toMatchObject({ tool: "purge_status" });
  const answers = await show("operation://purge_status/answers");
  expect(answers.stdout).toMatch(/^# Responses of purge_status\n\n\*\*200\*\*/);
  const help = async (tool: string) => (await run(["call", tool, "--help"])).stdout;
  expect(await help("purge_status")).toContain("edgewise show operation://purge_status/answers");
  expect(await help("diagnosis_run")).not.toContain("/answers");
  expect(JSON.parse((await show("contract://contracts")).stdout)).toEqual(expect.anything());
  const none = await show("report://nothing");
  expect([none.stdout, none.status, none.stderr]).toEqual(["", 1, expect.stringContaining("`edgewise show` lists")]);
  expect((await show("operation://purge_status", "--services", "dns")).status).toBe(1);
});

it("show: the whole preview of a plan that a call has kept", async () => {
  const env = bareEnvironment();
  const words = ["call", "purge_submit", "--queueName", "default", "--body.objects", "https://www.example.com/"];
  const { plan } = JSON.parse((await typed(words, env)).stdout) as { plan: string };
  const shown = await typed(["show", `plan://${plan}`], env);
  expect(shown.stdout).toMatch(/^REMOVE URL "https:\/\/www\.example\.com\/"/);
});

const candidates = async (...words: string[]): Promise<string[]> =>
  (await run(["completion", "candidates", ...words])).stdout.split("\n").filter(Boolean);
const wordsOf = (lines: readonly string[]): string[] => lines.map((line) => line.split("\t")[0] ?? "");

it("completion: commands, tools, the flags of a tool and their values", async () => {
  expect(wordsOf(await candidates(""))).toEqual(expect.arrayContaining(["call", "show", "doctor", "completion"]));
  expect(wordsOf(await candidates("ca"))).toEqual(["call"]);
  expect(wordsOf(await candidates("help", "set"))).toEqual(["setup", "settings"]);
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

it("completion: whatever is in the environment or on the line", () => {
  const { stdout, status } = spawnSync(
    process.execPath,
    ["dist/server.js", "completion", "candidates", "call", "purge_status", "--help", "--purge"],
    { encoding: "utf8", env: bareEnvironment({ EDGEWISE_NONSENSE: "1", NODE_TLS_REJECT_UNAUTHORIZED: "0" }) },
  );
  expect([wordsOf(stdout.trim().split("\n")), status]).toEqual([["--purgeId"], 0]);
});

/** What a script prints, one line each, in a shell that reads no settings. */
function printedBy(command: string, script: string): string[] {
  // In a file: fish reads no script from a socket, which is what Node makes of the standard input of a child.
  const { stdout, stderr } = runInShell(`${command} ${file(script)}`);
  expect(stderr).toBe("");
  return stdout.trim().split("\n");
}

/** What a shell offers for a line, with its completion loaded from the program and no key pressed. */
const offered: Readonly<Record<string, (line: string) => string[]>> = {
  // Bash itself cuts a line at its word breaks before it calls the function.
  bash(line) {
    const lines = printedBy(
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
    printedBy("fish --no-config", `edgewise completion fish | source\ncomplete -C ${JSON.stringify(line)}\n`),
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
  it(`the script for ${shell} asks the program for each word`, async () => {
    const { stdout, stderr, status } = await run(["completion", shell]);
    expect([stderr, status]).toEqual(["", 0]);
    expect(stdout).toContain(" completion candidates ");
    const quotes = stdout.replaceAll(/^ *#.*$/gm, "").match(/"/g) ?? [];
    expect(quotes.length % 2).toBe(0);
  });

  describe(`where ${shell} is installed`, needs.shell(shell), () => {
    it(`${shell} can read the script`, async () => {
      const script = file((await run(["completion", shell])).stdout);
      expect(spawnSync(shell, ["-n", script], { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
    });

    it.each(offers[shell] ?? [])(`${shell} completes %j`, (line, candidates) => {
      expect(offered[shell]?.(line)).toEqual(candidates);
    });
  });
});
