/** The emulated includes: versions that are edited, reach the networks, and take effect in the properties that use them. */
import { applyPatch } from "../../../schema/json-patch.js";
import { includes as declared } from "../../../tools/includes/index.js";
import { writtenTree } from "../../../tools/properties/shapes.js";
import { findIn } from "../../primitives/store.js";
import { badRequest, created, noContent, notFound, ok, RequestRefusal } from "../../reply.js";
import { emulateService } from "../../service.js";
import { instant } from "../../values.js";
import type { World } from "../../world.js";
import { userInUse } from "../account.js";
import { catalog, checkFormat, checkWritable, replaceVersion } from "../properties/content.js";
import {
  accountId,
  type ContractPlace,
  checkPlace,
  errorFormat,
  etagHeader,
  linkTo,
  ownerOf,
  productOf,
  propertyRefusal,
  versionOf,
  withPrefix,
} from "../properties/lookup.js";
import { liveVersion, pendingActivation, retryAfterSeconds, statusOf, updatedAt } from "../properties/networks.js";
import { behaviorNames, criterionNames, validate, validateRules } from "../properties/validation.js";
import {
  addCopy,
  checkInactive,
  emptyTree,
  latestVersion,
  propertyItem,
  source,
  versionItem,
} from "../properties/versions.js";
import {
  assetIdOf,
  etagOf,
  type PropertyActivation,
  type StoredPropertyVersion,
  stateOf,
} from "../properties/world.js";
import { type Include, includeOf, includesIn, parentsOf } from "./world.js";

const includeNames = ({ id, name, includeType }: Include) => ({ includeId: id, includeName: name, includeType });

function item(include: Include, world: World) {
  const { propertyId: _, propertyName: __, ...rest } = propertyItem(include, world);
  return { ...rest, ...includeNames(include), propertyType: "INCLUDE" as const };
}

const versionsOf = (include: Include, versions: readonly StoredPropertyVersion[], world: World) => ({
  ...ownerOf(include),
  ...includeNames(include),
  assetId: include.assetId,
  versions: {
    items: versions.map((version) => {
      const { propertyVersion, ...rest } = versionItem(include, version, world);
      return { ...rest, includeVersion: propertyVersion };
    }),
  },
});

const pageOfList = <T>(all: readonly T[], { offset = 0, limit = all.length }: { offset?: number; limit?: number }) =>
  all.slice(offset * limit, (offset + 1) * limit);

function treeOf(one: Include, version: StoredPropertyVersion, world: World, isValidated = true) {
  const { errors, warnings } = validateRules(world, one, version);
  return {
    ...ownerOf(one),
    ...includeNames(one),
    includeVersion: version.number,
    etag: etagOf(one, version),
    ruleFormat: version.ruleFormat,
    rules: version.rules,
    ...(isValidated && errors.length > 0 ? { errors: errors.map((one) => ({ ...one })) } : {}),
    ...(isValidated && warnings.length > 0 ? { warnings: warnings.map((one) => ({ ...one })) } : {}),
  };
}

interface Path {
  readonly includeId: string;
  readonly includeVersion: number;
}
function includeVersionAt(world: World, path: Path, place: ContractPlace) {
  const include = includeOf(world, path, place);
  return { include, version: versionOf(include, path.includeVersion) };
}

/** Saves new rules, unless it is only tried, and answers with them. */
function saveVersion(
  include: Include,
  version: StoredPropertyVersion,
  change: Partial<StoredPropertyVersion>,
  isTrial: boolean | undefined,
  world: World,
) {
  const newVersion = isTrial ? { ...version, ...change } : replaceVersion(include, version, change, world);
  return ok(treeOf(include, newVersion, world), etagHeader(include, newVersion));
}

const Tree = writtenTree("include_rule_tree_update");

const activationItem = (include: Include, activation: PropertyActivation, world: World) => ({
  ...includeNames(include),
  includeActivationId: activation.id,
  includeVersion: activation.version,
  network: activation.network,
  activationType: activation.type,
  status: statusOf(include, activation, world),
  submitDate: instant(activation.submittedAtMs),
  updateDate: instant(updatedAt(include, activation, world)),
  note: activation.note,
  notifyEmails: [...activation.notifyEmails],
});
const shownOf = (include: Include, activations: readonly PropertyActivation[], world: World) => ({
  ...ownerOf(include),
  activations: {
    items: activations.map((activation) => {
      const { includeType: _, ...rest } = activationItem(include, activation, world);
      return { ...rest, accountId, groupId: include.groupId };
    }),
  },
});

const activationOf = (one: Include, id: string): PropertyActivation =>
  findIn(one.activations, { id }, () => notFound(`${one.id} has no activation ${id}`));

export const includes = emulateService(declared, errorFormat, {
  includes_list: ({ query }, world) => {
    const { contractId, groupId } = checkPlace(world, query);
    const groupIncludes = [...includesIn(world).values()].filter(
      (include) => include.contractId === contractId && include.groupId === groupId,
    );
    return ok({ includes: { items: groupIncludes.map((include) => item(include, world)) } });
  },
  include_create: ({ query, body }, world) => {
    const place = checkPlace(world, query);
    const { cloneFrom } = body;
    const original = cloneFrom && includeOf(world, { includeId: withPrefix("inc_", cloneFrom.includeId) }, place);
    const from = original && source(original, cloneFrom.version, cloneFrom.cloneFromVersionEtag ?? undefined);
    if ([...includesIn(world).values()].some(({ name }) => name === body.includeName))
      throw propertyRefusal("include/name-in-use", `${body.includeName} is in use`);
    const number = world.next("include", 320_001);
    const first: StoredPropertyVersion = {
      ...{ number: 1, note: "", updatedBy: userInUse, updatedAtMs: world.now(), hostnames: [] },
      ruleFormat: checkFormat(body.ruleFormat) ?? from?.ruleFormat ?? stateOf(world).settings.ruleFormat,
      rules: from?.rules ?? emptyTree,
    };
    const id = `inc_${number}`;
    const about = { name: body.includeName, includeType: body.includeType, productId: productOf(body.productId).id };
    const owner = { ...place, assetId: assetIdOf(number), note: "" };
    includesIn(world).set(id, { id, ...about, ...owner, versions: [first], activations: [] });
    const includeLink = linkTo(`includes/${id}`, place, "v1");
    return created({ includeLink }, { location: includeLink });
  },
  include_get: ({ path, query }, world) => ok({ includes: { items: [item(includeOf(world, path, query), world)] } }),
  include_delete: ({ path, query }, world) => {
    const include = includeOf(world, path, query);
    checkInactive(include, "include", world);
    includesIn(world).delete(include.id);
    return ok({ message: "Deletion Successful." });
  },
  include_parents_list: ({ path, query }, world) => {
    const parents = parentsOf(world, includeOf(world, path, query));
    return ok({ properties: { items: pageOfList(parents, query).map((property) => propertyItem(property, world)) } });
  },

  include_versions_list: ({ path, query }, world) => {
    const include = includeOf(world, path, query);
    return ok(versionsOf(include, pageOfList(include.versions.toReversed(), query), world));
  },
  include_version_create: ({ path, query, body }, world) => {
    const include = includeOf(world, path, query);
    const number = addCopy(include, body, world);
    const versionLink = linkTo(`includes/${include.id}/versions/${number}`, include, "v1");
    return created({ versionLink }, { location: versionLink });
  },
  include_version_get: ({ path, query }, world) => {
    const { include, version } = includeVersionAt(world, path, query);
    return ok(versionsOf(include, [version], world), etagHeader(include, version));
  },
  include_latest_version_get: ({ path, query }, world) => {
    const include = includeOf(world, path, query);
    const number = latestVersion(include, query.activatedOn, world);
    const versionLink = linkTo(`includes/${include.id}/versions/${number}`, include, "v1");
    // Clients follow this redirect, so no operation declares it as an answer.
    throw new RequestRefusal(302, "Found", "", { members: { versionLink }, headers: { location: versionLink } });
  },
  include_behavior_names_list: ({ path, query }, world) => {
    const { include, version } = includeVersionAt(world, path, query);
    const { contractId, groupId } = ownerOf(include);
    const of = { contractId, groupId, productId: include.productId, ruleFormat: version.ruleFormat };
    return ok({ ...of, behaviors: catalog(include, "behaviors", behaviorNames) });
  },
  include_criterion_names_list: ({ path, query }, world) => {
    const { include, version } = includeVersionAt(world, path, query);
    const { contractId, groupId } = ownerOf(include);
    const of = { contractId, groupId, productId: include.productId, ruleFormat: version.ruleFormat };
    return ok({ ...of, criteria: catalog(include, "criteria", criterionNames) });
  },

  include_rule_tree_get: ({ path, query }, world) => {
    const { include, version } = includeVersionAt(world, path, query);
    return ok(treeOf(include, version, world, query.validateRules), etagHeader(include, version));
  },
  include_rule_tree_digest_get: ({ path, query }, world) => {
    const { include, version } = includeVersionAt(world, path, query);
    return noContent(etagHeader(include, version));
  },
  include_rule_tree_replace: ({ path, query, headers, body, chosen }, world) => {
    const { include, version } = includeVersionAt(world, path, query);
    checkWritable(include, version, [headers["if-match"]]);
    const ruleFormat = checkFormat(chosen?.["ruleFormat"]) ?? version.ruleFormat;
    return saveVersion(include, version, { rules: body.rules, ruleFormat }, query.dryRun, world);
  },
  include_rule_tree_update: ({ path, query, headers, body }, world) => {
    const { include, version } = includeVersionAt(world, path, query);
    checkWritable(include, version, [headers["if-match"]]);
    const result = applyPatch({ rules: version.rules }, body, "patch");
    if ("problem" in result) throw badRequest(`${result.problem.field}: ${result.problem.takes}`);
    const { data: rules } = Tree.safeParse((result.value as { rules: unknown }).rules);
    if (rules === undefined) throw badRequest("The patch results in no rule tree");
    return saveVersion(include, version, { rules }, query.dryRun, world);
  },

  include_activations_list: ({ path, query }, world) => {
    const include = includeOf(world, path, query);
    const listed = include.activations
      .filter(({ cancelledAtMs }) => cancelledAtMs === undefined)
      .toSorted((a, b) => b.submittedAtMs - a.submittedAtMs || (a.id < b.id ? 1 : -1));
    return ok(shownOf(include, listed, world));
  },
  include_version_activate: ({ path, query, body }, world) => {
    const include = includeOf(world, path, query);
    const { network, activationType: type = "ACTIVATE", note = "", notifyEmails } = body;
    const version = versionOf(include, body.includeVersion);
    const live = liveVersion(include, network, world.now());
    if (pendingActivation(include, network, world))
      throw propertyRefusal("include_activation_still_pending", "One is pending", 422);
    if ((live === version.number) === (type === "ACTIVATE"))
      throw propertyRefusal("include_version_state", `Version ${live ?? "none"} is active on ${network}`, 422);
    const { errors, warnings } = validateRules(world, include, version);
    if (errors.length > 0) throw propertyRefusal("activation/validation-errors", "It has errors", 400, { errors });
    const accepted = (body.acknowledgeWarnings ?? []).map((id) => withPrefix("msg_", id));
    const open = warnings.filter(({ messageId }) => !accepted.includes(messageId));
    if (open.length > 0 && body.acknowledgeAllWarnings !== true)
      throw propertyRefusal("activation/warnings-not-acknowledged", "Warnings are not acknowledged", 400, {
        warnings: open,
      });
    const id = `atv_${world.next("include activation", 6_501)}`;
    const submittedAtMs = world.now();
    include.activations.push({ id, version: version.number, network, type, note, notifyEmails, submittedAtMs });
    const activationLink = linkTo(`includes/${include.id}/activations/${id}`, include, "v1");
    return created({ activationLink }, { location: activationLink });
  },
  include_activation_get: ({ path, query }, world) => {
    const include = includeOf(world, path, query);
    const activation = activationOf(include, path.activationId);
    const isUnderWay = pendingActivation(include, activation.network, world) === activation;
    const headers = isUnderWay ? { "retry-after": String(retryAfterSeconds[activation.network]) } : {};
    return ok(shownOf(include, [activation], world), headers);
  },
  include_activation_cancel: ({ path, query }, world) => {
    const include = includeOf(world, path, query);
    const activation = activationOf(include, path.activationId);
    const status = statusOf(include, activation, world);
    if (status !== "PENDING") throw propertyRefusal("include_activation_status", `The activation is ${status}`, 422);
    activation.cancelledAtMs = world.now();
    return ok({ ...ownerOf(include), activations: { items: [activationItem(include, activation, world)] } });
  },
  include_validation_get: ({ path, query }, world) => {
    const include = [...includesIn(world).values()].find(({ activations }) =>
      activations.some(({ id }) => id === path.activationId),
    );
    const parent = include && parentsOf(world, include).find(({ id }) => id === path.propertyId);
    if (!parent) throw notFound(`The activation ${path.activationId} reaches no property ${path.propertyId}`);
    const { errors, warnings } = validate(world, parent, versionOf(parent, path.propertyVersion));
    const message = (severity: "ERROR" | "WARNING") => (problem: { readonly messageId: string }) => ({
      ...{ id: problem.messageId, messageId: problem.messageId, severity, source: "VALIDATION_ENGINE" as const },
      ...{ autoIgnored: false, userHidden: false, userSignedOff: false, messageParams: [] },
    });
    const messages = [...errors.map(message("ERROR")), ...warnings.map(message("WARNING"))];
    return ok({ result: errors.length > 0 ? "ERROR" : "OK", messages: pageOfList(messages, query) });
  },
});
