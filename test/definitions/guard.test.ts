/** The guard of imported operations: no change leaves without an approval, and a preview leads with what matters. */
import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { declaredRoutes } from "../../scripts/box.js";
import type { Outcome } from "../../src/calls/index.js";
import { operationRows } from "../../src/commands/operations.js";
import { readConfig } from "../../src/config.js";
import type { ImportedTool } from "../../src/definitions/library.js";
import { definitionFiles } from "../../src/definitions/store.js";
import { openImported } from "../../src/engine/imported.js";
import { menuOf } from "../../src/engine/menu.js";
import { allServices } from "../../src/tools/index.js";
import { file } from "../lab/files.js";
import { holdsForEach } from "../lab/laws.js";
import { caller } from "../lab/made-up.js";
import { needs } from "../lab/needs.js";
import { answerOf, failureOf, planOf, previewOf } from "../lab/outcome.js";
import { promise } from "../lab/rules.js";
import { argumentsFor, importing, ofEachKind, receiving, toolsOf, toysImported } from "./boxed.js";

type Made = Awaited<ReturnType<typeof importing>>;

describe("over the network", () => {
  let made: Made;
  let received: Awaited<ReturnType<typeof receiving>>;
  beforeAll(async () => {
    received = await receiving();
    made = await importing({}, received.flags);
  });
  afterAll(async () => {
    await made.engine.close();
    received.close();
  });

  it(promise("imported-forged-confirm", "only reads leave, also with a confirmation that was made up"), async () => {
    const all = toolsOf(made.library);
    const tools = ofEachKind(made.library);
    for (const tool of tools) {
      const args = argumentsFor(tool);
      await made.engine.calls.call(tool.name, args, caller);
      if (tool.effect !== "read")
        await made.engine.calls.call(tool.name, { ...args, confirm: "plan_AAAAAAAAAAAAAAAAAAAAAA" }, caller);
    }
    const pathOf = (text: string) => text.split(" ")[1]?.split("?")[0] ?? "";
    const reviewed = tools.filter(({ route, effect }) => route.startsWith("POST ") && effect === "read");
    const patterns = reviewed.map(({ route }) => new RegExp(`^${pathOf(route).replaceAll(/\{\w+\}/g, "[^/]+")}$`));
    const sent = received.requests.map(({ line }) => line);
    const changes = sent.filter((line) => !/^(?:GET|HEAD) /.test(line));
    expect(sent.length).toBeGreaterThan(10);
    expect(new Set(tools.map(({ effect }) => effect))).toEqual(new Set(all.map(({ effect }) => effect)));
    expect(changes).toHaveLength(reviewed.length);
    expect(changes.filter((line) => !patterns.some((pattern) => pattern.test(pathOf(line))))).toEqual([]);
  });
});

const patterns = operationRows(await allServices()).map(
  ({ method, path }) => new RegExp(`^${method} ${path.replaceAll(/[.?]/g, "\\$&").replaceAll(/\{[^}]+\}/g, "[^/]+")}$`),
);
/** Whether the emulator of a declared service answers an imported read, or the read of the state before a change. */
const isOfDeclared = (library: Made["library"], tool: ImportedTool): boolean => {
  const { shownBy = tool.name } = tool.facts().compiled;
  const { route = tool.route } = library.find(shownBy) ?? {};
  return [tool.route, route].some((one) => patterns.some((pattern) => pattern.test(one)));
};

describe("on the emulator", () => {
  let made: Made;
  beforeAll(async () => {
    made = await importing();
  });
  afterAll(() => made.engine.close());

  const call = (tool: string, args: Record<string, unknown>): Promise<Outcome> =>
    made.engine.calls.call(tool, args, caller);
  async function previewed(tool: string, args: Record<string, unknown>) {
    const outcome = await call(tool, args);
    return { ...previewOf(outcome), plan: planOf(outcome) };
  }
  async function approved(tool: string, args: Record<string, unknown>) {
    const { plan } = await previewed(tool, args);
    return answerOf(await call(tool, { ...args, confirm: plan.id }));
  }
  const property = { domainName: "example.net", propertyName: "www" };

  it(
    promise("imported-changes-preview", "every read answers, and every change previews and sends nothing"),
    async () => {
      const kinds = { answer: 0, preview: 0, refused: 0, byDeclared: 0 };
      await holdsForEach(ofEachKind(made.library), async (tool) => {
        const outcome = await call(tool.name, argumentsFor(tool));
        const { refused } = tool.facts().compiled;
        const wanted = refused !== undefined ? "failure" : tool.effect === "read" ? "answer" : "preview";
        const { status = 0 } = outcome.kind === "failure" ? outcome.failure.detail : {};
        // The emulator of a declared service answers for itself: it knows none of the made-up ids, and has rules.
        const isByDeclared = [400, 403, 404].includes(status) && isOfDeclared(made.library, tool);
        if (!isByDeclared) expect(outcome).toMatchObject({ kind: wanted });
        kinds[isByDeclared ? "byDeclared" : wanted === "failure" ? "refused" : wanted] += 1;
      });
      expect(made.lines.filter((line) => line.startsWith("edgewise"))).toEqual([]);
      expect(kinds.answer).toBeGreaterThan(kinds.byDeclared);
      expect(kinds.preview).toBeGreaterThan(5);
    },
  );

  it("an imported change shows what it replaces and what does not fit", async () => {
    const body = { name: "www", type: "failove", sticky: true };
    const { lines, warnings } = await previewed("gtm_domain_property_update", { ...property, body });
    expect(lines.join("\n")).toMatch(/Changes: \d+ removed, 2 changed, 1 added/);
    expect(warnings).toEqual([
      expect.stringMatching(/^body\.type is not one of "static", /),
      expect.stringMatching(/^body has "sticky"/),
      expect.stringMatching(/^body lacks \w+, /),
    ]);
  });

  it("a change whose state no read shows says so, and is critical", async () => {
    const { summary, plan } = await previewed("site_shield_map_acknowledge", { id: 5 });
    expect(summary).toContain("its present state was not read");
    expect(plan.tier).toBe("critical");
  });

  it.each<[string, Record<string, unknown>]>([
    ["iam_api_client_self_update", { body: {} }],
    ["iam_api_client_self_credential_dd19_deactivate", { credentialId: 4001 }],
  ])("%s is critical and warns that it is of the calling client", async (tool, args) => {
    const { warnings, plan } = await previewed(tool, args);
    expect(warnings[0]).toMatch(/^This is of the API client that makes the calls here: it could end them/);
    expect(plan.tier).toBe("critical");
  });

  it("flags that change what a call does lead its preview", async () => {
    const { summary, plan } = await previewed("datastream_log_stream_create", { activate: true, body: {} });
    expect(summary).toMatch(/^With activate=true, which can change what this does: /);
    expect(plan.tier).toBe("critical");
    const inactive = await previewed("datastream_log_stream_create", { activate: false, body: {} });
    expect(inactive.summary).not.toContain("With");
  });

  it("an approval is void when the state or the arguments have changed", async () => {
    const args = { ...property, body: { name: "www", type: "static" } };
    const { plan } = await previewed("gtm_domain_property_update", args);
    await approved("gtm_domain_property_update", { ...property, body: { name: "www", type: "failover" } });
    const codeOf = async (given: object) => failureOf(await call("gtm_domain_property_update", { ...given })).code;
    expect(await codeOf({ ...args, confirm: plan.id })).toBe("approval_refused");
    const again = await previewed("gtm_domain_property_update", args);
    const other = { ...property, body: { name: "www", type: "performance" }, confirm: again.plan.id };
    expect(await codeOf(other)).toBe("approval_refused");
  });

  it("written data comes back marked as sampled, deleted data is gone", async () => {
    const body = { name: "shop", type: "static" };
    const args = { domainName: "example.net", propertyName: "shop" };
    const { notes } = await approved("gtm_domain_property_update", { ...args, body });
    expect(notes.join()).toContain("Sampled from the definition");
    expect(await call("gtm_domain_property_get", args)).toMatchObject({ kind: "answer", reply: { body } });
    await approved("gtm_domain_property_delete", args);
    expect(failureOf(await call("gtm_domain_property_get", args)).code).toBe("not_found");
  });

  it("a change's returned secret goes to a file, and a read's is masked", async () => {
    const reply = await approved("sandbox_rotate_jwt_run", { sandboxId: "s1" });
    expect(JSON.stringify(reply.body)).toMatch(/"jwtToken":"\[secret, \d+ characters\]"/);
    const [file = ""] = readdirSync(made.secrets);
    expect(file).toContain("sandbox_rotate_jwt_run");
    expect(readFileSync(join(made.secrets, file), "utf8")).toMatch(/^jwtToken \d+$/);
    const body = { livenessTests: [{ testObjectPassword: "hunter2" }] };
    const liveness = await previewed("gtm_domain_property_update", { ...property, body });
    expect(JSON.stringify(liveness)).not.toContain("hunter2");
  });

  it("unknown or missing arguments and operations with files are refused", async () => {
    const refused = async (tool: string, args: Record<string, unknown>) => failureOf(await call(tool, args));
    for (const [args, field] of [
      [{ networkListId: "1", colour: "red" }, "colour"],
      [{}, "networkListId"],
      [{ networkListId: "../../identity-management/v3/users" }, "networkListId"],
    ] as const) {
      const { code, detail } = await refused("network_list_get", args);
      expect([code, detail.fields?.[0]?.field]).toEqual(["invalid_input", field]);
    }
    for (const body of ["H4sIAAAAAAAA", { file: "a.tgz" }, undefined]) {
      const { code, message } = await refused("edge_worker_id_version_create", { edgeWorkerId: 1, body });
      expect([code, message]).toEqual(["not_allowed", expect.stringContaining("application/gzip")]);
    }
  });

  it("several changes are one plan, and a batch of reads needs none", async () => {
    const lists = ["one", "two"].map((mapName) => ({ domainName: "a.example", mapName }));
    const deletions = { tool: "gtm_domain_geographic_map_delete", arguments: lists };
    const { lines, plan } = await previewed("call_batch", deletions);
    expect(lines.length).toBeGreaterThan(4);
    expect(plan.tier).toBe("critical");
    const reads = { tool: "gtm_domain_geographic_map_get", arguments: lists };
    expect((await call("call_batch", reads)).kind).toBe("workflow");
  });

  it("a change can be undone where its state is shown as it is written", async () => {
    const args = { domainName: "example.net", mapName: "europe" };
    const before = answerOf(await call("gtm_domain_geographic_map_get", args));
    const changed = { ...args, body: { ...(before.body as object), name: "other" } };
    const { plan } = await previewed("gtm_domain_geographic_map_update", changed);
    await call("gtm_domain_geographic_map_update", { ...changed, confirm: plan.id });
    const back = await previewed("change_restore", { plan: plan.id });
    expect(back.lines.join("\n")).toMatch(/name: other → /);
  });
});

it("an imported tool yields to an offered tool of its method and path", async () => {
  const { definitions } = toysImported({ "/groups": { get: {} }, "/groups/{id}/toys": { get: {} } }, "/papi/v0");
  const files = definitionFiles(definitions, await declaredRoutes(), {});
  const made = await importing(files);
  const [own = "", other = ""] = Object.keys(definitions[0]?.operations ?? {});
  const offered = (choice: object) => menuOf(made.catalogue, { surface: "all", hasImported: true, ...choice }).tools;
  expect([offered({}).has(own), offered({}).has(other)]).toEqual([false, true]);
  expect(offered({ services: ["dns", definitions[0]?.id] }).has(own)).toBe(true);
  await made.engine.close();
});

describe("the operator", () => {
  const search = { "POST /etp-report/v3/configs/{configId}/feedbacks/details": "read" };

  it("can lower a guard by the exact method and path, and only so", async () => {
    const overrides = { ...search, "PUT /config-gtm/v1/domains/{domainName}": "update" };
    const made = await importing({ "overrides.json": JSON.stringify(overrides) });
    const lowered = { effect: "read", isLowered: true };
    expect(made.library.find("internet_report_feedback_detail_create")).toMatchObject(lowered);
    const kindOf = async (tool: string, args: object) => (await made.engine.calls.call(tool, { ...args }, caller)).kind;
    expect(await kindOf("internet_report_feedback_detail_create", { configId: 1, body: {} })).toBe("answer");
    expect(await kindOf("gtm_domain_update", { domainName: "a.example", body: {} })).toBe("answer");
    expect(await kindOf("gtm_domain_property_delete", { domainName: "a", propertyName: "b" })).toBe("preview");
    const asked = made.menu.findCall("operation_update", { tool: "gtm_domain_update", arguments: {} });
    expect(asked).not.toHaveProperty("refused");
    await made.engine.close();
  });

  it.each([["[]"], ['{"POST *": "read"}'], ['{"POST /a": "destructive"}'], ["{"]])(
    "lowers nothing with %s, and the start fails",
    async (text) => {
      await expect(importing({ "overrides.json": text })).rejects.toMatchObject({ code: "bad_configuration" });
    },
  );

  it("lowers nothing with a file that other users can write", needs.modes, async () => {
    const made = await importing({ "overrides.json": "{}" });
    await made.engine.close();
    chmodSync(join(made.dir, "overrides.json"), 0o666);
    const config = readConfig(["--emulator", "--imported", "on", "--imports-dir", made.dir], {});
    expect(() => openImported(config)).toThrow("Other users can write to the file");
  });

  it("policy rules match imported operations only if they say so", async () => {
    const rules = [
      { id: "all-deletions", effect: "deny", tools: ["*_delete"] },
      { id: "gtm", effect: "deny", imported: true, tools: ["gtm_domain_property_delete"] },
      { id: "lists", effect: "allow", imported: true, services: ["site_shield"] },
    ];
    const made = await importing({}, ["--policy", file({ version: 1, rules })]);
    const call = (tool: string, args: object) => made.engine.calls.call(tool, { ...args }, caller);
    const property = { domainName: "a", propertyName: "b" };
    expect(await call("gtm_domain_property_delete", property)).toMatchObject({ failure: { code: "not_allowed" } });
    const kindOf = async (tool: string, args: object) => (await call(tool, args)).kind;
    expect(await kindOf("gtm_domain_geographic_map_delete", { domainName: "a", mapName: "b" })).toBe("preview");
    expect(await kindOf("site_shield_map_acknowledge", { id: 5 })).toBe("answer");
    expect(await call("alert_definition_delete", { definitionId: "s@2071" })).toMatchObject({
      failure: { code: "not_allowed" },
    });
    await made.engine.close();
  });

  it("imported operations obey read-only mode and service and tool lists", async () => {
    const made = await importing({}, ["--read-only"]);
    const changes = ofEachKind(made.library).filter(({ effect }) => effect !== "read");
    expect(changes.length).toBeGreaterThan(5);
    await holdsForEach(
      changes.map(({ name }) => name),
      async (name) =>
        expect(await made.engine.calls.call(name, {}, caller)).toMatchObject({ failure: { code: "not_allowed" } }),
    );
    const asked = (choice: object) =>
      menuOf(made.catalogue, { surface: "all", hasImported: true, ...choice }).findCall("operation_read", {
        tool: "gtm_domains_list",
        arguments: {},
      });
    expect(asked({})?.refusal).toBeUndefined();
    expect(asked({ services: ["dns", "gtm"] })?.refusal).toBeUndefined();
    expect(asked({ services: ["dns"] })?.refusal?.message).toContain("left out");
    expect(asked({ excludeTools: ["gtm_*"] })?.refusal?.message).toContain("left out");
    expect(made.menu.listed.map(({ tool }) => tool.name)).not.toContain("gtm_domains_list");
    expect(made.menu.findCall("gtm_domains_list", {})?.refusal?.message).toContain("not listed here");
    await made.engine.close();
  });
});
