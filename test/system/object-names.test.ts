/** Names that every object has, such as `constructor`, at a shell and in a client: they are names like any other. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hostileDefinitions, objectNames, own } from "../definitions/object-names.js";
import { inDepth } from "../lab/depth.js";
import { folder } from "../lab/files.js";
import { connect } from "../lab/session.js";
import { typed } from "./typed.js";

const dir = folder();
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const imports = ["--imports-dir", join(dir, "imports")];
const offering = ["--emulator", "--imported", "on", ...imports];

// A trace of the stack, or a failure that the program did not foresee.
const isFault = (text: string): boolean => /\binternal\b|-32603|\n +at |\b(?:Type|Range|Syntax)Error\b/.test(text);

beforeAll(async () => {
  for (const [name, content] of Object.entries(hostileDefinitions()))
    writeFileSync(join(dir, name), JSON.stringify(content));
  const { stdout, stderr, status } = await typed(["import", dir, ...imports]);
  expect({ status, isFault: isFault(stdout + stderr) }).toEqual({ status: 0, isFault: false });
});

it("a client can search, describe and call by object member names", async () => {
  const session = await connect("v2 2026 stdio", { flags: offering });
  const faults: string[] = [];
  for (const name of objectNames) {
    const calls: readonly (readonly [string, object])[] = [
      ["operation_search", { query: name }],
      ["operation_search", { query: `delete a ${name} of my ${name}s` }],
      ["operation_describe", { tool: name }],
      ["operation_describe", { tool: `guide://${name}` }],
      ["operation_describe", { tool: `${name}#/${name}` }],
      ["operation_read", { tool: name, arguments: {} }],
      ["operation_destructive", { tool: name, arguments: own(name, name) }],
      ["operation_read", { tool: "zones_list", arguments: own(name, name), ...own(name, name) }],
      ["call_batch", { tool: name, arguments: [{}, own(name, 1)] }],
      ["plan_get", { plan: name }],
      [name, own(name, name)],
      ["network_list_get", own(name, name)],
      ["purge_submit", { body: { objects: [name], ...own(name, name) } }],
    ];
    for (const [tool, args] of calls) {
      const found = await session.client
        .callTool({ name: tool, arguments: { ...args } })
        .then((result) => JSON.stringify(result), String);
      if (isFault(found)) faults.push(`${tool} ${JSON.stringify(args)}: ${found}`);
    }
  }
  await session.close();
  expect(faults).toEqual([]);
});

it("a shell completes, explains and decides on object member names", async () => {
  const faults: string[] = [];
  for (const name of inDepth(objectNames, ["constructor", "__proto__", "toString"])) {
    const policy = join(dir, "policy.yaml");
    const lists = [
      `imported: true, tools: ["${name}"]`,
      `imported: true, services: ["${name}"]`,
      `objects: ["${name}"]`,
    ];
    const rules = lists.map((list, at) => `  - {id: r${at}, effect: deny, ${list}}`).join("\n");
    writeFileSync(policy, `version: 1\nrules:\n${rules}\n`);
    const broken = join(dir, "broken.yaml");
    writeFileSync(broken, `version: 1\n${name}: 1\nrules: [{id: a, effect: "${name}", ${name}: 1}]\n`);
    const lines: readonly (readonly string[])[] = [
      ["completion", "candidates", name, ""],
      ["completion", "candidates", "call", name, ""],
      ["completion", "candidates", "call", name, `--${name}=`],
      ["completion", "candidates", "call", "zones_list", `--${name}`, ""],
      ["completion", "candidates", "policy", name, ""],
      ["completion", name],
      ["help", name],
      ["search", name, ...offering],
      ["show", name, ...offering],
      ["call", name, ...offering],
      ["call", "zones_list", `--${name}`, name, ...offering],
      ["call", "zones_list", JSON.stringify(own(name, name)), ...offering],
      ["call", "operation_search", "--query", name, ...offering],
      ["policy", "check", name, "{}", "--policy", policy, ...offering],
      ["policy", "check", "zone_delete", JSON.stringify({ zone: name }), "--policy", policy, ...offering],
      ["policy", "check", "zones_list", "{}", "--policy", broken, ...offering],
      ["operations", "--services", name, ...offering],
      ["imports", "remove", name, ...imports],
      ["imports", name, ...imports],
      ["plans", name],
      [name],
    ];
    for (const line of lines) {
      const { stdout, stderr } = await typed(line);
      if (isFault(`${stdout}${stderr}`))
        faults.push(`${line.join(" ")}: ${stdout.slice(0, 200)}${stderr.slice(0, 300)}`);
    }
  }
  expect(faults).toEqual([]);
});
