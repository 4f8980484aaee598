/** Profiles in what is read: the query of an address, the lists of resources and templates, and the argument of a prompt. */
import type { Prompt, Resource, ResourceTemplateType } from "@modelcontextprotocol/server";
import { Failure } from "../api/failure.js";
import { type ProfileNames, profileArgument, profileOf } from "../api/profile.js";
import type { ResourceListing } from "../resources/index.js";

/** Behind a template, the query as RFC 6570 writes it. */
const query = `{?${profileArgument}}`;

/** A template as its service declares it. */
export const withoutQuery = (template: string): string =>
  template.endsWith(query) ? template.slice(0, -query.length) : template;

/**
 * The address that a client reads, without the profile that it names.
 * @returns No profile where there is one alone, and where the address names none and none is the usual one.
 * @throws Failure `invalid_input` for a profile that there is not.
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

/** What is read in a profile, listed once for each, since a list has addresses and no arguments. */
export const inEachProfile = (
  resources: readonly Resource[],
  isOfAccount: (resource: Resource) => boolean,
  profiles: ProfileNames | undefined,
): Resource[] =>
  resources.flatMap((resource) =>
    !profiles || !isOfAccount(resource)
      ? [resource]
      : profiles.names.map((name) => ({
          ...resource,
          uri: `${resource.uri}?${profileArgument}=${name}`,
          name: `${resource.name}-${name}`,
          title: `${resource.title ?? resource.name} (${name})`,
        })),
  );

/** Templates with the query, where what they lead to is read in a profile. */
export const withQuery = (
  templates: readonly ResourceTemplateType[],
  isOfAccount: (template: ResourceTemplateType) => boolean,
  profiles: ProfileNames | undefined,
): ResourceTemplateType[] =>
  templates.map((one) => (profiles && isOfAccount(one) ? { ...one, uriTemplate: one.uriTemplate + query } : one));

/** A prompt with the argument. */
export function promptInProfile(prompt: Prompt, profiles: ProfileNames | undefined): Prompt {
  if (!profiles) return prompt;
  const { names, usual } = profiles;
  const own = {
    name: profileArgument,
    description: `${names.join(" or ")}${usual === undefined ? "" : `; ${usual} when left out`}`,
    required: usual === undefined,
  };
  return { ...prompt, arguments: [own, ...(prompt.arguments ?? [])] };
}

/** What a prompt says of its profile, in front of the task. */
export const saidOfProfile = (profile: string | undefined): string =>
  profile === undefined
    ? ""
    : `All of this is done in the profile ${profile}: give each call ${profileArgument} "${profile}".\n\n`;

/** Whether the content of a resource is read from an account. */
export const isOfAccount = ({ tool }: Pick<ResourceListing, "tool">): boolean => tool !== undefined;
