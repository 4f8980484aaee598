/** How a profile is named in what is read: in the query of URIs, and by an argument of prompts. */
import type { Prompt, Resource, ResourceTemplateType } from "@modelcontextprotocol/server";
import { type ProfileNames, profileArgument, profileOf } from "../language/account.js";
import { Failure } from "../language/failure.js";

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
