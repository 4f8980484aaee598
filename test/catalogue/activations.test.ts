/** Laws over all activations: a preview says how what would be active differs from what is, wherever there are versions. */
import { expect, it } from "vitest";
import { createWorld } from "../../src/emulator/world.js";
import type { AnyOperation } from "../../src/language/define.js";
import { guardOf } from "../../src/language/effect.js";
import { resultsOf } from "../../src/language/guards.js";
import { memberAt } from "../../src/language/member.js";
import { sentenceText } from "../../src/language/sentence.js";
import { allServices } from "../../src/tools/index.js";
import { type Args, callsIn } from "../lab/calls.js";
import { holdsForEach } from "../lab/laws.js";
import nothingActive from "./nothing-active.json" with { type: "json" };

type Calls = ReturnType<typeof callsIn>;

const now = Date.UTC(2026, 4, 20, 12);
const services = await allServices("documents");
/** Activations of services in which one version of several can be read. */
const activations = services.flatMap(({ operations }) => {
  const all = Object.entries<AnyOperation>(operations);
  const hasVersions = all.some(([name]) => /_versions?_(get|list)$/.test(name));
  return all.filter(([, operation]) => hasVersions && guardOf(operation)?.kind === "activate");
});

/** What each activation reads where no version is active. */
const reads: Readonly<Record<string, { args: Args; present?: unknown; related: Args }>> = nothingActive;

const command = (name: string, payload: object) => ({ body: { policyManagerRequest: { [name]: payload } } });
const property = { arlId: "175780", assetId: "10333526" };
const idIn = async (calls: Calls, tool: string, args: Args): Promise<number> =>
  Number(memberAt((await calls.answer(tool, args)).body, "response.id"));
/** A version with one rule of another name beside those of the present one. */
const rule = (type: string) => ({ type, name: "Another", matches: [{ matchType: "country", matchValue: "DE" }] });

/** For each activation, a call in a world in which another version is active where it would be. */
const calledWhereAnotherIsActive: Readonly<Record<string, (calls: Calls) => Promise<Args>>> = {
  property_version_activate: async () => ({
    propertyId: "prp_175780",
    body: { propertyVersion: 3, network: "STAGING", notifyEmails: ["operations@shop.example"] },
  }),
  edgelogic_policy_version_activate: async () => ({ policyId: 1001, version: 2, body: { network: "prod" } }),
  edgelogic_origin_activate: async () => ({ originId: "shopBalancer", body: { network: "PRODUCTION", version: 2 } }),
  visitor_policy_activate: async (calls) => {
    const rules = [{ type: "vpMatchRule", name: "Another", matchURL: "/cart", passThroughPercent: 25 }];
    const update = command("update", { id: 102, overwriteRules: false, matchRules: rules });
    const id = await idIn(calls, "visitor_policy_update", update);
    return command("activate", { tapiocaIDs: [id], ...property, network: "staging" });
  },
  saasaccess_policy_activate: async (calls) => {
    await calls.approved("saasaccess_policy_activate", { network: "production", ids: ["103"] });
    const update = command("update", { overwriteRules: false, matchRules: [rule("saMatchRule")] });
    const id = await idIn(calls, "saasaccess_policy_update", { id: 103, ...update });
    return { network: "production", ids: [String(id)] };
  },
  live_version_activate: async () => ({ domain: "live.shop.example", versionId: 2, environment: "Production" }),
};

it("an activation shows what it replaces, how it differs, and the way back", () =>
  holdsForEach(activations, async (name) => {
    const calls = callsIn(createWorld({ frozenAt: now }));
    const args = (await calledWhereAnotherIsActive[name]?.(calls)) ?? expect.fail("It has no world.");
    const { summary, lines, plan } = await calls.previewed(name, args);
    const head = lines.findIndex((line) => /^From version \S+ to version \S+ /.test(line));
    const [first] = lines.slice(head + 1).filter((line) => !/^[A-Z][a-z]+:$/.test(line));
    expect(first).toMatch(/^[-+] | → |: moves from /);
    const [, from] = /^From version (\S+) to /.exec(lines[head] ?? "") ?? [];
    expect(summary).toMatch(new RegExp(`\\bversion ${from}\\b`));
    const outcome = await calls.call(name, { ...args, confirm: plan.id });
    const notes = outcome.kind === "answer" ? outcome.reply.notes.join("\n") : "";
    expect(notes).toContain(`eturn to version ${from}`);
    expect(`${summary} ${notes}`).not.toMatch(/no (other )?version/i);
  }));

it("activation over nothing: sentence, difference and way back agree", () =>
  holdsForEach(activations, (name, operation) => {
    const guard = guardOf(operation);
    if (
      guard?.compares === undefined ||
      typeof guard.says !== "function" ||
      typeof guard.undo !== "object" ||
      !("by" in guard.undo)
    )
      throw new Error(name);
    const { by } = guard.undo;
    // Everything could be read, and nothing is active.
    const nothing = reads[name];
    if (nothing === undefined) throw new Error(`What ${name} reads where nothing is active is not known.`);
    const { args, present, related } = nothing;
    const statement = guard.says(args, present, related) ?? expect.fail("It says nothing.");
    expect(resultsOf(statement)).toMatch(/no (other )?version .*is active there now/);
    expect(guard.compares(args, present, related)[0]?.text).toMatch(/^No version .*is active on [A-Z]+ now/);
    const back = typeof by === "string" ? by : by({ given: args, before: present, related });
    const said = typeof back === "object" && "says" in back ? back.says : back;
    expect(sentenceText(said)).toMatch(/No (other )?version .*was active .*before/);
  }));
