/** How a call names its profile: by an argument that is added to tools. */
import { type ProfileNames, profileArgument } from "../language/account.js";
import type { Arguments } from "../language/conduct.js";
import { isNothing, isRecord } from "../language/member.js";
import type { ToolEntry } from "./catalogue.js";

/** A listed tool with the argument, which is required if there is no default profile. */
function withProfile(entry: ToolEntry, { names, usual }: ProfileNames): ToolEntry {
  const { properties, required, ...schema } = entry.tool.inputSchema;
  const declared = Array.isArray(required) ? (required as readonly string[]) : [];
  const all = usual === undefined ? [profileArgument, ...declared] : declared;
  const argument = { type: "string", enum: [...names], ...(usual === undefined ? {} : { default: usual }) };
  const inputSchema = {
    ...schema,
    properties: { [profileArgument]: argument, ...(isRecord(properties) ? properties : {}) },
    ...(all.length > 0 ? { required: all } : {}),
  };
  return { ...entry, tool: { ...entry.tool, inputSchema } };
}

/** A listed tool in which arguments with profile defaults are optional. */
function withOptionalArguments(entry: ToolEntry, fillsIn: readonly string[]): ToolEntry {
  const { defaulted = {}, tool } = entry;
  const { required, ...schema } = tool.inputSchema;
  if (!Array.isArray(required)) return entry;
  const left = (required as readonly string[]).filter((name) => !fillsIn.includes(defaulted[name] ?? ""));
  return { ...entry, tool: { ...tool, inputSchema: { ...schema, ...(left.length > 0 ? { required: left } : {}) } } };
}

/** A tool as it is listed with profiles; unchanged if there is only one without defaults. */
export function toolInProfiles(
  entry: ToolEntry,
  { profiles, fillsIn }: { readonly profiles?: ProfileNames; readonly fillsIn?: readonly string[] },
): ToolEntry {
  const lean = fillsIn && entry.defaulted ? withOptionalArguments(entry, fillsIn) : entry;
  return profiles ? withProfile(lean, profiles) : lean;
}

/**
 * The profile that a call names, and its arguments without it. A call tool takes it next to the arguments of the tool, or
 * among them if the client put it there.
 */
export function splitProfile(
  callArguments: Arguments,
  isCallTool: boolean,
): { readonly profile: unknown; readonly args: Arguments } {
  const { [profileArgument]: named, ...args } = callArguments;
  const profile = isNothing(named) ? undefined : named;
  const inner = args["arguments"];
  if (!isCallTool || profile !== undefined || !isRecord(inner)) return { profile, args };
  const { [profileArgument]: among, ...others } = inner;
  return { profile: isNothing(among) ? undefined : among, args: { ...args, arguments: others } };
}
