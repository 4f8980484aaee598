/** How clients name profiles: by an argument that is added to tools and prompts, and in the query of URIs. */
import type { Prompt, Resource, ResourceTemplateType } from "@modelcontextprotocol/server";
import { type ProfileNames, profileArgument, profileOf } from "../language/account.js";
import type { Arguments } from "../language/conduct.js";
import { Failure } from "../language/failure.js";
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
  given: Arguments,
  isCallTool: boolean,
): { readonly profile: unknown; readonly args: Arguments } {
  const { [profileArgument]: named, ...args } = given;
  const profile = isNothing(named) ? undefined : named;
  const inner = args["arguments"];
  if (!isCallTool || profile !== undefined || !isRecord(inner)) return { profile, args };
  const { [profileArgument]: among, ...others } = inner;
  return { profile: isNothing(among) ? undefined : among, args: { ...args, arguments: others } };
}

/** The query at the end of a URI template, as in RFC 6570. */
const query = `{?${profileArgument}}`;

/** A URI template as its service declares it. */
export const withoutQuery = (template: string): string =>
  template.endsWith(query) ? template.slice(0, -query.length) : template;

/**
 * The URI that a client reads, without the profile that it names.
 * @returns No profile if there is only one, or if the URI names none and there is no default.
 * @throws Failure `invalid_input` for an unknown profile.
 */
export function splitAddress(
  uri: string,
  profiles: ProfileNames | undefined,
): { readonly address: string; readonly profile: string | undefined } {
  const [before = "", ...parameters] = uri.split(/[?&]/);
  const isProfile = (parameter: string): boolean =>
    profiles !== undefined && parameter.startsWith(`${profileArgument}=`);
  const named = parameters.find(isProfile)?.slice(profileArgument.length + 1);
  const others = parameters.filter((parameter) => !isProfile(parameter));
  const address = named === undefined ? uri : [before, ...(others.length === 0 ? [] : [others.join("&")])].join("?");
  if (!profiles || (named === undefined && profiles.usual === undefined)) return { address, profile: undefined };
  const profile = profileOf(profiles, named, address);
  if (profile instanceof Failure) throw profile;
  return { address, profile };
}

/** A resource that depends on the profile, listed once for each, because lists have URIs and no arguments. */
export const resourceInProfiles = (resource: Resource, profiles: ProfileNames): Resource[] =>
  profiles.names.map((name) => ({
    ...resource,
    uri: `${resource.uri}?${profileArgument}=${name}`,
    name: `${resource.name}-${name}`,
    title: `${resource.title ?? resource.name} (${name})`,
  }));

/** A URI template with the query, for resources that depend on the profile. */
export const withQuery = (template: ResourceTemplateType): ResourceTemplateType => ({
  ...template,
  uriTemplate: template.uriTemplate + query,
});

/** A prompt with the argument. */
export function promptInProfile(prompt: Prompt, profiles: ProfileNames | undefined): Prompt {
  if (!profiles) return prompt;
  const { names, usual } = profiles;
  const declared = {
    name: profileArgument,
    description: `${names.join(" or ")}${usual === undefined ? "" : `; ${usual} by default`}`,
    required: usual === undefined,
  };
  return { ...prompt, arguments: [declared, ...(prompt.arguments ?? [])] };
}

/** The introduction of a prompt with a profile, in front of the task. */
export const profileIntroduction = (profile: string | undefined): string =>
  profile === undefined ? "" : `Use the profile ${profile}: give each call ${profileArgument} "${profile}".\n\n`;
