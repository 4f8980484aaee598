/** Resources, prompts and completions in the protocol's form. */
import {
  type CompleteRequestParams,
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server";
import type { ReadOrigin } from "../calls/index.js";
import type { ReadingListings } from "../engine/catalogue.js";
import { type ProfileNames, profileArgument, profileOf } from "../language/account.js";
import { Failure } from "../language/failure.js";
import {
  completeTemplate,
  completionValues,
  isTemplate,
  type ResourceLibrary,
  type ResourceListing,
  readResource,
} from "../resources/index.js";
import { completePrompt, fillPrompt } from "../resources/prompts.js";
import {
  profileIntroduction,
  promptInProfile,
  resourceInProfiles,
  splitAddress,
  withoutQuery,
  withQuery,
} from "./profile-address.js";

const listingOf = ({ name, title, description, mimeType }: ResourceListing) => ({ name, title, description, mimeType });

/** The resources that are not templates. */
export const listResources = ({ resources }: ReadingListings, profiles?: ProfileNames): Resource[] =>
  resources
    .filter((resource) => !isTemplate(resource))
    .flatMap((declaredResource) => {
      const resource = { uri: declaredResource.address, ...listingOf(declaredResource) };
      return profiles && declaredResource.tool !== undefined ? resourceInProfiles(resource, profiles) : [resource];
    });

/** The resource templates of every server. */
const serverTemplates: readonly ResourceTemplateType[] = [
  {
    uriTemplate: "operation://{tool}",
    name: "operation-page",
    title: "Operation page",
    description: "A tool's arguments, rules, errors and an example, as Markdown.",
    mimeType: "text/markdown",
  },
  {
    uriTemplate: "operation://{tool}/answers",
    name: "operation-answers",
    title: "Responses of an operation",
    description: "The responses of an operation by status, as Markdown.",
    mimeType: "text/markdown",
  },
  {
    uriTemplate: "operation://{tool}.json",
    name: "operation-data",
    title: "Operation page as JSON",
    description: "The page and the responses as JSON, with JSON schemas.",
    mimeType: "application/json",
  },
  {
    uriTemplate: "guide://{service}",
    name: "service-guide",
    title: "Guide of a service",
    description: "A service's purpose, its objects, their life cycles as Mermaid diagrams, its approvals and limits.",
    mimeType: "text/markdown",
  },
  {
    uriTemplate: "result://{handle}",
    name: "kept-result",
    title: "Stored result",
    description: "A whole result that was shown only in part, stored for a limited time.",
    mimeType: "application/json",
  },
  {
    uriTemplate: "result://{handle}/{format}",
    name: "kept-result-rows",
    title: "Rows of a stored result",
    description: "The rows of a stored result as csv or markdown.",
  },
  {
    uriTemplate: "plan://{id}",
    name: "plan-preview",
    title: "Whole preview of a plan",
    description: "Every line of the preview of a planned change.",
    mimeType: "text/plain",
  },
  {
    uriTemplate: "live://{tool}{?arguments*}",
    name: "live-state",
    title: "State of a job",
    description:
      "The state of a job such as a purge, an activation or a certificate change. The result of the call that started it has the URI, and the guide of a service its form. Subscribe to be notified of changes.",
    mimeType: "application/json",
  },
];

// Stored results and plans are only found in their own profile.
const isKept = ({ uriTemplate }: ResourceTemplateType): boolean => /^(result|plan):/.test(uriTemplate);

/** The resource templates, whose arguments can be completed. */
export const listTemplates = ({ resources }: ReadingListings, profiles?: ProfileNames): ResourceTemplateType[] => [
  ...serverTemplates.map((one) => (profiles && isKept(one) ? withQuery(one) : one)),
  ...resources.filter(isTemplate).map((one) => {
    const template = { uriTemplate: one.address, ...listingOf(one) };
    return profiles && one.tool !== undefined ? withQuery(template) : template;
  }),
];

/** Runs a function and turns its Failure into a protocol error, without any text from the upstream. */
async function withProtocolErrors<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const isCallers = error.code === "invalid_input" || error.code === "not_found";
    const code = isCallers ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, isCallers ? error.message : `${error.message} ${error.detail.next}`);
  }
}

type Libraries = (profile?: string) => ResourceLibrary;

/**
 * Reads a resource.
 * @throws ResourceNotFoundError if there is none at the URI; ProtocolError if the API did not return it.
 */
export async function readResourceAt(
  libraries: Libraries,
  profiles: ProfileNames | undefined,
  uri: string,
  origin: ReadOrigin,
): Promise<ReadResourceResult> {
  const { address, profile } = await withProtocolErrors(() => splitAddress(uri, profiles));
  const content = await withProtocolErrors(() => readResource(libraries(profile), address, origin));
  if (!content && profiles && profile === undefined)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `This URI needs a profile: add ?profile= with one of ${profiles.names.join(", ")}.`,
    );
  if (!content) throw new ResourceNotFoundError(uri);
  const { mimeType, text, isPrivate } = content;
  return { contents: [{ uri, mimeType, text }], ...(isPrivate ? { ttlMs: 0, cacheScope: "private" } : {}) };
}

/** The prompts with their arguments. */
export const listPrompts = ({ prompts }: ReadingListings, profiles?: ProfileNames): Prompt[] =>
  prompts.map(({ name, title, description, arguments: known }) => {
    const promptArguments = known.map((argument) => ({
      name: argument.name,
      description: argument.description,
      required: argument.choices === undefined,
    }));
    return promptInProfile({ name, title, description, arguments: promptArguments }, profiles);
  });

/**
 * A prompt with its arguments filled in.
 * @throws ProtocolError for an unknown prompt or an argument that it cannot use.
 */
export async function getPrompt(
  { prompts }: ReadingListings,
  profiles: ProfileNames | undefined,
  name: string,
  args: Readonly<Record<string, string>>,
): Promise<GetPromptResult> {
  const { profile: named, ...promptArguments } = args;
  return withProtocolErrors(async () => {
    const profile = profiles && profileOf(profiles, named, name);
    if (profile instanceof Failure) throw profile;
    const { title, text } = await fillPrompt(prompts, name, profiles ? promptArguments : args);
    return {
      description: title,
      messages: [{ role: "user", content: { type: "text", text: profileIntroduction(profile) + text } }],
    };
  });
}

/** Completes an argument of a prompt or a placeholder of a resource template. */
export async function completeArgument(
  libraries: Libraries,
  profiles: ProfileNames | undefined,
  { prompts }: ReadingListings,
  { ref, argument, context }: CompleteRequestParams,
  origin: ReadOrigin,
): Promise<string[]> {
  if (profiles && argument.name === profileArgument)
    return profiles.names.filter((name) => name.startsWith(argument.value));
  const profile = profiles && profileOf(profiles, context?.arguments?.[profileArgument], "");
  // Completion is only a convenience: without a profile there are no values.
  const library = libraries(profile instanceof Failure ? undefined : profile);
  return withProtocolErrors(() =>
    ref.type === "ref/prompt"
      ? completePrompt(
          (wanted) => completionValues(library, wanted, origin),
          prompts,
          ref.name,
          argument.name,
          argument.value,
        )
      : completeTemplate(library, withoutQuery(ref.uri), argument.name, argument.value, origin, context?.arguments),
  );
}
