/** The argument `profile`, which every listed tool has where there are several profiles, and which no tool declares. */
import type { Arguments } from "../api/conduct.js";
import { isRecord } from "../api/member.js";
import { type ProfileNames, profileArgument } from "../api/profile.js";
import type { ToolEntry } from "./catalogue.js";

/** A listed tool with the argument; it is required where no profile is the usual one. */
function withProfile(entry: ToolEntry, { names, usual }: ProfileNames): ToolEntry {
  const { properties, required, ...schema } = entry.tool.inputSchema;
  const own = Array.isArray(required) ? (required as readonly string[]) : [];
  const all = usual === undefined ? [profileArgument, ...own] : own;
  const argument = { type: "string", enum: [...names], ...(usual === undefined ? {} : { default: usual }) };
  const inputSchema = {
    ...schema,
    properties: { [profileArgument]: argument, ...(isRecord(properties) ? properties : {}) },
    ...(all.length > 0 ? { required: all } : {}),
  };
  return { ...entry, tool: { ...entry.tool, inputSchema } };
}

/** A listed tool without the need for what the profiles fill in. */
function withoutNeed(entry: ToolEntry, fillsIn: readonly string[]): ToolEntry {
  const { defaulted = {}, tool } = entry;
  const { required, ...schema } = tool.inputSchema;
  if (!Array.isArray(required)) return entry;
  const left = (required as readonly string[]).filter((name) => !fillsIn.includes(defaulted[name] ?? ""));
  return { ...entry, tool: { ...tool, inputSchema: { ...schema, ...(left.length > 0 ? { required: left } : {}) } } };
}

/** A tool as it is listed for the profiles that there are; as it is, where there is one that fills in nothing. */
export function inProfiles(
  entry: ToolEntry,
  { profiles, fillsIn }: { readonly profiles?: ProfileNames; readonly fillsIn?: readonly string[] },
): ToolEntry {
  const lean = fillsIn && entry.defaulted ? withoutNeed(entry, fillsIn) : entry;
  return profiles ? withProfile(lean, profiles) : lean;
}

/**
 * The profile that a call names, and its arguments without that. A call of a call tool has it beside the arguments of the
 * tool, and among them where its client put it there.
 */
export function splitProfile(
  given: Arguments,
  isCallTool: boolean,
): { readonly profile: unknown; readonly args: Arguments } {
  const { [profileArgument]: profile, ...args } = given;
  const inner = args["arguments"];
  if (!isCallTool || profile !== undefined || !isRecord(inner)) return { profile, args };
  const { [profileArgument]: among, ...others } = inner;
  return { profile: among, args: { ...args, arguments: others } };
}
