/** `edgewise policy check`: the policy's decision on a call and its rule, without sending anything. */
import type { ToolExclusion } from "../calls/offer.js";
import { splitTicket } from "../calls/ticket.js";
import { type AnyWorkflow, isChange } from "../calls/workflow.js";
import { apisOf, type Config, menuSettingsOf } from "../config.js";
import type { Catalogue, ToolEntry } from "../engine/catalogue.js";
import { offeredCatalogue } from "../engine/imported.js";
import { menuWith } from "../engine/menu.js";
import type { Arguments } from "../language/conduct.js";
import { quoteValue } from "../language/failure.js";
import type { Apis } from "../language/service.js";
import {
  breaksInWords,
  type CallerFacts,
  type Freeze,
  jointRuling,
  noPolicy,
  type Policy,
  type PolicyDecision,
  type Ruling,
  rulingOn,
  rulingOnReading,
} from "../policy/index.js";
import { type Principal, scopes } from "../policy/principal.js";
import { ticketForm, ticketInWords, ticketText } from "../policy/ticket.js";
import { configuredProfiles, profileFor } from "../profiles/index.js";
import { validateArguments, validateValues } from "../schema/arguments.js";
import { operation } from "../tools/index.js";
import { workflowsOf } from "../workflows/index.js";
import { argumentsFrom, unknownTool } from "./arguments.js";
import { type Command, flagValue, print, printJson, refuse } from "./command.js";

/** The workflow with a name; undefined if there is none. */
async function workflowOf(tool: string, apis: Apis): Promise<AnyWorkflow | undefined> {
  const workflows = workflowsOf(apis);
  return Object.hasOwn(workflows, tool) ? workflows[tool]?.() : undefined;
}

/**
 * The decision on a call, as far as its facts are known without reading.
 * @throws Failure `invalid_input` for invalid arguments.
 */
async function rulingFor(
  rules: Policy,
  { tool, entry, args }: { readonly tool: string; readonly entry: ToolEntry; readonly args: Arguments },
  apis: Apis,
  caller: CallerFacts,
): Promise<Ruling> {
  const called = { tool, service: entry.service };
  const declared = await operation(tool, entry);
  if (declared) {
    const checked = validateArguments(tool, declared, args);
    return rulingOn(rules, { ...called, declared, checked }, caller, Date.now());
  }
  const workflow = await workflowOf(tool, apis);
  if (workflow) validateValues(tool, workflow.input, args);
  return rulingOnReading(rules, called, caller, Date.now());
}

/**
 * The calls that the policy decides on: for a tool that makes other calls, each of those.
 * @throws Failure `invalid_input` for invalid arguments.
 */
async function decidedCalls(
  tool: string,
  args: Arguments,
  apis: Apis,
): Promise<readonly (readonly [string, Arguments])[]> {
  const workflow = await workflowOf(tool, apis);
  if (!workflow || !isChange(workflow) || !workflow.holdsCalls) return [[tool, args]];
  const { tool: held, arguments: each } = validateValues(tool, workflow.input, args) as unknown as {
    readonly tool: string;
    readonly arguments: readonly Arguments[];
  };
  return each.map((one) => [held, one] as const);
}

/** Why a call is left out before the policy applies: because of its tool, or the operation of a composed change. */
async function leftOutOf(tool: string, config: Config, catalogue: Catalogue): Promise<ToolExclusion | undefined> {
  const { leftOut } = menuWith(menuSettingsOf(config), catalogue);
  const { apis } = apisOf(config);
  const workflow = await workflowOf(tool, apis);
  const made = workflow && isChange(workflow) ? leftOut(workflow.makes) : undefined;
  return leftOut(tool) ?? (made && { ...made, why: `It calls another tool, which is left out. ${made.why}` });
}

/**
 * The profile's settings for the policy: those of `--profile` if there are several.
 * @throws Failure `not_allowed` if the profile is not for the principal.
 */
async function profileFacts(values: Config["values"], principal: Principal | undefined) {
  const configured = await configuredProfiles(values);
  if (configured === undefined) return { section: values.section ?? "default" };
  const { profiles, names } = configured;
  const profile = profiles.find(({ name }) => names === undefined || name === names.usual);
  if (!profile) return refuse("There are several profiles.", "Name one with --profile.");
  const { name, highestTier } = profileFor(profile, { principal, tokenName: principal?.subject });
  return { section: name, ...(highestTier === undefined ? {} : { highestTier }) };
}

/** The principal for whom the policy is asked, with all scopes; undefined for the local user. */
function principalFrom(flags: readonly string[]): Principal | undefined {
  const [subject, groups, client] = ["--as", "--groups", "--client"].map((flag) => flagValue(flags, flag));
  if (subject === undefined && groups === undefined && client === undefined) return undefined;
  if (subject === undefined || subject === "")
    return refuse("A caller needs a subject.", "Write --as SUBJECT: it says who calls.");
  return {
    subject,
    groups: (groups ?? "").split(",").filter((group) => group !== ""),
    client,
    scopes: Object.values(scopes),
  };
}

/** The ticket for which the policy is asked: of `--ticket`, or among the arguments if the policy asks for some. */
function ticketFrom(flags: readonly string[], rules: Policy, given: Arguments) {
  const { args, ticket, refusal } = splitTicket(rules, given);
  if (refusal) throw refusal;
  const flag = flagValue(flags, "--ticket");
  if (flag !== undefined && !ticketForm.test(flag))
    return refuse(`--ticket takes ${ticketText}, not ${quoteValue(flag)}.`, "Write its id as in its tracker.");
  return { args, ticket: flag ?? ticket };
}

/** A freeze as JSON, with its end as an instant. */
const freezeJson = ({ rule, untilMs, zone }: Freeze) => ({
  rule,
  until: untilMs === undefined ? undefined : new Date(untilMs).toISOString(),
  timeZone: zone,
});

/** The tickets that the rules ask for, in a sentence. */
function ticketLine({ tickets = [], lacksTicket }: PolicyDecision, ticket: string | undefined): string | undefined {
  if (tickets.length === 0) return undefined;
  const asked = tickets.map(ticketInWords).join("; and ");
  const has = ticket === undefined ? "none was given" : `${ticket} was given`;
  return `Ticket: it needs ${asked}; ${has}${ticket !== undefined && lacksTicket ? ", which is no such ticket" : ""}.`;
}

/** A decision on a call, and the ticket that was given for it. */
interface CheckedCall extends Ruling {
  readonly tool: string;
  readonly ticket: string | undefined;
}

function asJson({ tool, facts: { tier, because }, ticket, decision }: CheckedCall): object {
  const { effect, rule, why, approvers, fields, tickets, breaks, freezes } = decision;
  return {
    ...{ tool, effect, rule, why, tier, because, approvers, fields, ticket, tickets, breaks },
    freezes: freezes?.map(freezeJson),
  };
}

function asLines({ tool, facts: { tier, because }, ticket, decision }: CheckedCall): string[] {
  const { effect, rule, why, approvers, breaks } = decision;
  const asked = ticketLine(decision, ticket);
  return [
    `${tool}: ${effect}, by ${rule}`,
    `Tier: ${tier}, because ${because.join(", and ")}.`,
    `Why: ${why}`,
    ...(asked === undefined ? [] : [asked]),
    ...(approvers === 2 && breaks === undefined ? ["Two persons have to approve it."] : []),
    ...breaksInWords(decision),
  ];
}

export const policyCommand: Command = async (config, [, tool, json = "{}"], flags) => {
  const { values } = config;
  if (tool === undefined)
    return refuse(
      "policy check takes a tool and its arguments.",
      'Write: edgewise policy check TOOL \'{"name": "value"}\'.',
    );
  const { apis } = apisOf(config);
  const catalogue = offeredCatalogue(config);
  if (!catalogue.has(tool)) throw unknownTool(tool, catalogue);
  const rules =
    values.policy === undefined ? noPolicy : (await import("../policy/file.js")).loadPolicy(values.policy, catalogue);
  const principal = principalFrom(flags);
  const { args: given, ticket } = ticketFrom(flags, rules, argumentsFrom(json));
  const caller = { ...(await profileFacts(values, principal)), principal, ticket, isReadOnly: values["read-only"] };
  const rulings: Ruling[] = [];
  for (const [held, args] of await decidedCalls(tool, given, apis)) {
    const known = catalogue.get(held);
    if (!known) throw unknownTool(held, catalogue);
    const { facts, decision } = await rulingFor(rules, { tool: held, entry: known, args }, apis, caller);
    const left = (await leftOutOf(tool, config, catalogue)) ?? (await leftOutOf(held, config, catalogue));
    rulings.push({ facts, decision: left ? { effect: "deny", rule: left.by, why: `${left.why}.` } : decision });
  }
  const ruled = { tool, ticket, ...jointRuling(rulings) };
  if (flags.includes("--json")) printJson(asJson(ruled));
  else asLines(ruled).forEach(print);
  return ruled.decision.effect === "deny" ? 1 : 0;
};
