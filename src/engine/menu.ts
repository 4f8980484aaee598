/** The part of the catalogue that a client is offered: listed tools, callable tools, and why others are not. */
import { refusalOfTool, type ToolExclusion, type ToolOffer } from "../calls/offer.js";
import { type ProfileNames, profileOf } from "../language/account.js";
import type { Arguments } from "../language/conduct.js";
import { Failure, quoteValue } from "../language/failure.js";
import { standingAdvice } from "../language/hint.js";
import type { WholeCall } from "../language/next-call.js";
import { searchTool } from "../language/server-tools.js";
import { matchesGlob } from "../text/glob.js";
import { didYouMean } from "../text/nearest.js";
import { callToolFailure, callToolOf, callToolsFor, effectOfCallTool, innerCall } from "./call-tools.js";
import { type Catalogue, filterCatalogue, type ReadingListings, type ToolEntry, unlistedNames } from "./catalogue.js";
import { splitProfile, toolInProfiles } from "./profile-argument.js";

/** The settings of a menu. Without services, tools and exclusions nothing is left out. */
export interface MenuChoice {
  /** Every tool, the front-line tools and the call tools, or only the call tools. */
  readonly surface: "all" | "core" | "catalogue";
  /** Whether the APIs are today's, whose catalogue marks the tools that are left out. */
  readonly isOfToday?: true;
  readonly services?: readonly string[];
  /** Whether the services come from the client's URL instead of the settings. */
  readonly areServicesOfAddress?: true;
  /** Patterns of tools' names. */
  readonly tools?: readonly string[];
  readonly excludeTools?: readonly string[];
  /** Whether only reads are listed and callable. */
  readonly isReadOnly?: boolean;
  /** The profiles from which each call chooses; absent if there is only one. */
  readonly profiles?: ProfileNames;
  /** The defaults of the profiles; absent if there are none. */
  readonly fillsIn?: readonly string[];
  /** Whether operations of imported definitions are offered, which only the call tools call. */
  readonly hasImported?: true;
}

/** The default menu. */
export const wholeMenu: MenuChoice = { surface: "all" };

/** Whether a choice leaves out no tool, whichever it lists. */
export const leavesNothingOut = ({ isOfToday, services, tools, excludeTools }: MenuChoice): boolean =>
  isOfToday === undefined && services === undefined && tools === undefined && excludeTools === undefined;

/** Whether a choice lists every tool. */
export const listsEveryTool = (choice: MenuChoice = wholeMenu): boolean =>
  choice.surface === "all" &&
  leavesNothingOut(choice) &&
  choice.isReadOnly !== true &&
  choice.profiles === undefined &&
  choice.fillsIn === undefined &&
  choice.hasImported === undefined;

/** A call resolved by the menu: the tool that is meant, and a failure if the menu does not offer it this way. */
export interface MenuCall {
  readonly tool: string;
  /** Without the profile argument. */
  readonly args: Arguments;
  /** The profile of the call; undefined if there is only one, or if it names none that exists. */
  readonly profile?: string | undefined;
  readonly refusal?: Failure | undefined;
}

export interface Menu extends ToolOffer {
  /** The callable tools: by name if they are listed, else by a call tool. */
  readonly tools: Catalogue;
  readonly choice: MenuChoice;
  /** Equal for menus of the same choice. */
  readonly key: string;
  /** The list of tools, which never depends on earlier calls. */
  readonly listed: readonly ToolEntry[];
  /** Resolves a call; undefined if there is no tool of that name. */
  findCall(name: string, args: Arguments): MenuCall | undefined;
  /**
   * A call as its client sends it: by the tool's name if it is listed, else by a call tool.
   * @param commonArguments Arguments that every tool takes, which are added next to those of the tool.
   * @returns undefined if the tool is not offered here.
   */
  clientCall(call: WholeCall, commonArguments: Arguments): WholeCall | undefined;
}

const isAnyOf = (patterns: readonly string[], name: string): boolean =>
  patterns.some((pattern) => matchesGlob(pattern, name));

/** The services that a tool belongs to; a workflow also belongs to the service that it works with. */
const groupsOf = ({ service, of }: ToolEntry): readonly string[] => (of === undefined ? [service] : [service, of]);

/** Why a tool that today's APIs lack is left out, and what to call instead. */
function retirement({ instead, ...standing }: Required<ToolEntry>["retired"]): ToolExclusion {
  const advice =
    standing.since === undefined && instead !== undefined
      ? undefined
      : standingAdvice({ state: "retired", ...standing });
  const why = advice?.replace(/\.$/, "") ?? "Today's APIs lack it";
  const bySearch =
    standing.successor === undefined
      ? "Do not try again: the vendor has no successor to it."
      : `${searchTool} finds the operations of its successor.`;
  return { by: "--apis today", why, next: instead ?? bySearch };
}

/** Why a tool is left out; undefined if it is not. */
function leftOutBy(
  entry: ToolEntry,
  { services, areServicesOfAddress, tools, excludeTools = [] }: MenuChoice,
): ToolExclusion | undefined {
  const { servesAllTools = false, effect, tool, retired } = entry;
  if (servesAllTools && effect === "read") return undefined;
  if (retired) return retirement(retired);
  if (isAnyOf(excludeTools, tool.name))
    return { by: "--exclude-tools", why: `It is excluded by ${excludeTools.join(", ")}` };
  if (servesAllTools) return undefined;
  const groups = groupsOf(entry);
  if (services && !groups.some((group) => services.includes(group)))
    return {
      by: areServicesOfAddress ? "the URL of this connection" : "--services",
      why: `It belongs to ${groups.join(" and ")}; the services offered are ${services.join(", ")}`,
    };
  if (tools && !isAnyOf(tools, tool.name))
    return { by: "--tools", why: `It is not among the tools offered, ${tools.join(", ")}` };
  return undefined;
}

/** The tools of a read-only list: reads, and tools that make the calls they are given, which are then reads. */
export const readsIn = (entries: readonly ToolEntry[]): ToolEntry[] =>
  entries.flatMap((entry): ToolEntry[] => {
    if (entry.effect === "read") return [entry];
    if (!entry.holdsCalls) return [];
    const annotations = { ...entry.tool.annotations, readOnlyHint: true, destructiveHint: false, idempotentHint: true };
    return [{ ...entry, effect: "read", tool: { ...entry.tool, annotations } }];
  });

function listedEntries(
  tools: readonly ToolEntry[],
  { surface, isReadOnly = false, hasImported }: MenuChoice,
): ToolEntry[] {
  const isCalledByName = surface === "all" && hasImported === undefined;
  const shownOn = {
    all: ({ isBehindCallTools }: ToolEntry) => isCalledByName || isBehindCallTools !== true,
    core: ({ isFrontLine }: ToolEntry) => isFrontLine === true,
    catalogue: ({ servesAllTools, effect }: ToolEntry) => servesAllTools === true && effect === "read",
  }[surface];
  const all = [...tools.filter(shownOn), ...(isCalledByName ? [] : callToolsFor(tools, hasImported === true))];
  return isReadOnly ? readsIn(all) : all;
}

export function menuOf(catalogue: Catalogue, choice: MenuChoice): Menu {
  const tools = filterCatalogue(catalogue, (entry) => leftOutBy(entry, choice) === undefined);
  const entries = [...tools.values()];
  const { profiles } = choice;
  // Without the read-only restriction, because changes are refused with a separate reason.
  const { isReadOnly: _, ...writing } = choice;
  const callable = new Set(listedEntries(entries, writing).map(({ tool }) => tool.name));
  const offer = {
    tools,
    leftOut: (name: string): ToolExclusion | undefined => {
      const entry = leavesNothingOut(choice) ? undefined : catalogue.get(name);
      return entry && leftOutBy(entry, choice);
    },
  };

  /** A call of a tool by its name. */
  const callByName = (tool: string, args: Arguments): MenuCall | undefined => {
    const entry = catalogue.get(tool);
    if (!entry) return undefined;
    if (!tools.has(tool)) return { tool, args, refusal: refusalOfTool(offer, tool) };
    if (callable.has(tool)) return { tool, args };
    const refusal = new Failure("not_allowed", `${tool} is not listed here and cannot be called by its name.`, {
      why: "Only a part of the tools is listed. Nothing was sent.",
      next: `Call ${callToolOf(entry.effect)} with tool set to "${tool}", and its arguments in "arguments".`,
    });
    return { tool, args, refusal };
  };

  /** A call by a call tool, whose effect the tool has to have. */
  const callByCallTool = (name: string, callArguments: Arguments): MenuCall => {
    if (!callable.has(name)) {
      const refusal = new Failure("not_allowed", `${name} is not available here.`, {
        why: "Every tool is listed here and called by its name. Nothing was sent.",
        next: "Call the tool itself.",
      });
      return { tool: name, args: callArguments, refusal };
    }
    const call = innerCall(name, callArguments);
    if (call instanceof Failure) return { tool: name, args: callArguments, refusal: call };
    const { tool, args } = call;
    const entry = catalogue.get(tool);
    const left = refusalOfTool(offer, tool);
    if (left) return { tool, args, refusal: left };
    if (entry && callToolOf(entry.effect) === name) return { tool, args };
    const takes = entry
      ? `a tool with this effect; ${tool} is called by ${callToolOf(entry.effect)}`
      : `the name of a tool${didYouMean(tool, tools.keys())}`;
    // An unknown name is not repeated as the name of a tool.
    return {
      tool: entry ? tool : name,
      args,
      refusal: callToolFailure(name, [{ field: "tool", given: quoteValue(tool), takes }]),
    };
  };

  return {
    choice,
    key: JSON.stringify(choice),
    ...offer,
    listed: listedEntries(entries, choice).map((entry) => toolInProfiles(entry, choice)),
    findCall(name, callArguments) {
      const isCallTool = effectOfCallTool(name) !== undefined;
      const { profile: named, args } = profiles
        ? splitProfile(callArguments, isCallTool)
        : { profile: undefined, args: callArguments };
      const call = isCallTool ? callByCallTool(name, args) : callByName(name, args);
      if (!call || !profiles) return call;
      const profile = profileOf(profiles, named, call.tool);
      if (profile instanceof Failure) return { ...call, refusal: call.refusal ?? profile };
      return { ...call, profile };
    },
    clientCall({ tool, arguments: args }, commonArguments) {
      const entry = tools.get(tool);
      if (!entry || (choice.isReadOnly === true && entry.effect !== "read")) return undefined;
      return callable.has(tool)
        ? { tool, arguments: { ...args, ...commonArguments } }
        : { tool: callToolOf(entry.effect), arguments: { tool, arguments: args, ...commonArguments } };
    },
  };
}

/** The server's own menu, which clients get by default. */
export const serverMenu = ({
  catalogue,
  choice = wholeMenu,
}: {
  readonly catalogue: Catalogue;
  readonly choice?: MenuChoice;
}): Menu => menuOf(catalogue, choice);

/** The resources and prompts of the offered services and tools. */
export function readingsFor(
  { resources, prompts, introductions }: ReadingListings,
  { choice: { services, isOfToday }, leftOut, tools }: Pick<Menu, "choice" | "leftOut" | "tools">,
): ReadingListings {
  // Nothing of a retired API is offered, not even what can be read about it.
  const groups = isOfToday && new Set([...tools.values()].flatMap(groupsOf));
  const isIn = ({ service }: { readonly service: string }) =>
    (services === undefined || services.includes(service)) && (!groups || groups.has(service));
  return {
    resources: resources.filter((one) => (one.tool === undefined ? isIn(one) : leftOut(one.tool) === undefined)),
    prompts: prompts.filter(isIn),
    introductions: introductions.filter(isIn),
  };
}

const listOf = (text: string | undefined): readonly string[] | undefined =>
  text
    ?.split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");

/** The names that `services` takes: those of services, and the group of the workflows. */
export const groupsIn = (catalogue: Catalogue): ReadonlySet<string> =>
  new Set([...catalogue.values()].flatMap(groupsOf));

/** @throws Failure for the first unknown service. */
function checkServices(services: readonly string[], catalogue: Catalogue): void {
  const known = new Set([...groupsIn(catalogue), ...unlistedNames(catalogue).services]);
  for (const service of services)
    if (!known.has(service))
      throw new Failure(
        "bad_configuration",
        `--services: there is no service ${quoteValue(service)}${didYouMean(service, known)}.`,
        { next: `Name some of ${[...known].join(", ")}.` },
      );
}

/** @throws Failure for the first pattern that no tool matches. */
function checkPatterns(flag: string, patterns: readonly string[], catalogue: Catalogue): void {
  const names = [...catalogue.keys(), ...unlistedNames(catalogue).names];
  for (const pattern of patterns)
    if (!names.some((name) => matchesGlob(pattern, name)))
      throw new Failure("bad_configuration", `${flag}: no tool matches ${quoteValue(pattern)}.`, {
        why: "A pattern is the name of a tool, in which * matches any text and ? one character.",
        next: "Correct it; `edgewise operations` lists the tools.",
      });
}

/** The settings from which a menu is made. */
interface MenuSettings {
  readonly isOfToday?: boolean;
  readonly surface: MenuChoice["surface"];
  readonly services: string | undefined;
  readonly tools: string | undefined;
  readonly "exclude-tools": string | undefined;
}

/**
 * Reads the settings of a server's menu.
 * @throws Failure `bad_configuration` for an unknown service, or a pattern that matches no tool.
 */
export function readMenuChoice(
  settings: MenuSettings,
  catalogue: () => Catalogue,
  configured?: { readonly names: ProfileNames | undefined; readonly fillsIn: readonly string[] },
): MenuChoice {
  const [services, tools, excludeTools] = [settings.services, settings.tools, settings["exclude-tools"]].map(listOf);
  // The catalogue file is only read if there is something to look up.
  if (services?.length) checkServices(services, catalogue());
  if (tools?.length) checkPatterns("--tools", tools, catalogue());
  if (excludeTools?.length) checkPatterns("--exclude-tools", excludeTools, catalogue());
  return {
    surface: settings.surface,
    ...(settings.isOfToday ? { isOfToday: true } : {}),
    ...(services ? { services } : {}),
    ...(tools ? { tools } : {}),
    ...(excludeTools ? { excludeTools } : {}),
    ...(configured?.names ? { profiles: configured.names } : {}),
    ...(configured && configured.fillsIn.length > 0 ? { fillsIn: configured.fillsIn } : {}),
  };
}

/**
 * The menu of a server with the same settings.
 * @throws Failure `bad_configuration` for settings that a server refuses.
 */
export const menuWith = (settings: MenuSettings, catalogue: Catalogue): Menu =>
  menuOf(
    catalogue,
    readMenuChoice(settings, () => catalogue),
  );

/** The tools of `menuWith`; only the reads of a read-only server. */
export function offeredTools(
  settings: MenuSettings & { readonly "read-only": boolean },
  catalogue: Catalogue,
): readonly ToolEntry[] {
  const { tools } = menuWith(settings, catalogue);
  return settings["read-only"] ? readsIn([...tools.values()]) : [...tools.values()];
}
