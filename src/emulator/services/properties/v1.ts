/** The emulated property service of today: the world of the documents' service, with what is new in its answers. */
import { defined } from "../../../language/member.js";
import { z } from "../../../language/z.js";
import { applyPatch } from "../../../schema/json-patch.js";
import { dayMs, hourMs, minuteMs } from "../../../time/durations.js";
import { TopRule } from "../../../tools/properties/shapes.js";
import { propertiesV1 as declared } from "../../../tools/properties/v1.js";
import type { Behaviours } from "../../behaviour.js";
import { badRequest, ok } from "../../reply.js";
import { emulateService } from "../../service.js";
import type { World } from "../../world.js";
import { includesIn } from "../includes/world.js";
import { accountBehaviours } from "./account.js";
import { activationBehaviours } from "./activations.js";
import { addBucket, hostnameBehaviours, propertyTypeOf } from "./buckets.js";
import { checkFormat, contentBehaviours, hostnameEntriesOf, writeHostnames, writeTree } from "./content.js";
import { behavioursInVersion } from "./generation.js";
import { errorFormat, propertyOf, propertyRefusal } from "./lookup.js";
import { fallbackOf } from "./networks.js";
import { foundVersions, versionBehaviours } from "./versions.js";
import { type HostnameEntry, stateOf } from "./world.js";

type Today = Behaviours<typeof declared, World>;

/** The milliseconds of a duration in days, hours and minutes. */
function durationMs(text: string): number {
  const [, days, hours, minutes] = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?)?$/.exec(text) ?? [];
  if (days === undefined && hours === undefined && minutes === undefined)
    throw badRequest(`${text} is no duration in days, hours and minutes`);
  return Number(days ?? 0) * dayMs + Number(hours ?? 0) * hourMs + Number(minutes ?? 0) * minuteMs;
}

/** What a patch can change in addition to the rules. */
const PatchedContent = z.object({ comments: z.string().optional(), ruleFormat: z.string() });

/** An answer with properties, each with its type. */
const withPropertyTypes = <R extends ReturnType<Today["property_get"]>>(world: World, reply: R): R => {
  const items = reply.body.properties.items.map((item) => ({
    ...item,
    propertyType: propertyTypeOf(world, item.propertyId),
  }));
  return { ...reply, body: { ...reply.body, properties: { items } } };
};

/** An answer with edge hostnames, of which only those that are not ready have a status. */
const withPendingStatus = <R extends ReturnType<Today["property_edge_hostnames_list"]>>(reply: R): R => {
  const items = reply.body.edgeHostnames.items.map(({ status, ...one }) =>
    status === "PENDING" ? { ...one, status } : one,
  );
  return { ...reply, body: { ...reply.body, edgeHostnames: { items } } };
};

/** An answer with hostnames, each with the kind of its certificate. */
const withCertificateTypes = <R extends ReturnType<Today["property_hostnames_list"]>>(reply: R): R => {
  const items = reply.body.hostnames.items.map((one) => ({ certProvisioningType: "CPS_MANAGED", ...one }));
  return { ...reply, body: { ...reply.body, hostnames: { items } } };
};

/** An answer with activations, of which an active one says whether its version can be left by a fast fallback. */
const withFallback = <R extends ReturnType<Today["property_activation_get"]>>(
  world: World,
  id: string,
  reply: R,
): R => {
  const property = stateOf(world).properties.get(id);
  const items = reply.body?.activations.items.map((item) => {
    const activation = property?.activations.find((other) => other.id === item.activationId);
    const fallbackInfo = property && activation && fallbackOf(property, activation, world);
    return { ...item, ...(fallbackInfo && { fallbackInfo }) };
  });
  return items ? { ...reply, body: { ...reply.body, activations: { items } } } : reply;
};

export const propertiesV1 = emulateService(
  declared,
  errorFormat,
  behavioursInVersion<Today>("v1", {
    ...accountBehaviours,
    ...versionBehaviours,
    ...contentBehaviours,
    ...activationBehaviours,
    ...hostnameBehaviours,

    properties_list: (call, world) => {
      const { modifiedSince, modifiedNetwork = "BOTH" } = call.query;
      const reply = withPropertyTypes(world, versionBehaviours.properties_list(call, world));
      if (modifiedSince === undefined) return reply;
      const from = world.now() - durationMs(modifiedSince);
      const isModified = ({ propertyId }: { readonly propertyId: string }): boolean => {
        const { versions = [], activations = [] } = stateOf(world).properties.get(propertyId) ?? {};
        const isOn = activations.some(
          ({ submittedAtMs, network }) =>
            submittedAtMs >= from && (network === modifiedNetwork || modifiedNetwork === "BOTH"),
        );
        return isOn || (modifiedNetwork === "BOTH" && versions.some(({ updatedAtMs }) => updatedAtMs >= from));
      };
      return ok({ properties: { items: reply.body.properties.items.filter(isModified) } });
    },
    property_create: (call, world) => {
      const reply = versionBehaviours.property_create(call, world);
      const [id] = /prp_\d+/.exec(reply.body.propertyLink) ?? [];
      if (id !== undefined && call.body.useHostnameBucket === true) addBucket(world, id);
      return reply;
    },
    property_get: (call, world) => withPropertyTypes(world, versionBehaviours.property_get(call, world)),
    property_versions_list: (call, world) => {
      const { body } = versionBehaviours.property_versions_list(call, world);
      const { offset = 0, limit = 500 } = call.query;
      return ok({ ...body, versions: { items: body.versions.items.slice(offset * limit, (offset + 1) * limit) } });
    },
    property_version_find: ({ body: { includeName, ...body }, headers }, world) => {
      if (includeName === undefined)
        return versionBehaviours.property_version_find(
          { path: {}, query: defined(body), headers, body: undefined },
          world,
        );
      const named = [...includesIn(world).values()].filter(({ name }) => name === includeName);
      const items = named.flatMap((one) =>
        foundVersions(one, world).map(([, { propertyVersion: includeVersion, ...item }]) => ({
          ...item,
          includeId: one.id,
          includeName,
          includeVersion,
        })),
      );
      return ok({ versions: { items } });
    },
    property_use_cases_list: (call, world) => {
      accountBehaviours.property_products_list({ ...call, path: {} }, world);
      return ok({ useCases: [{ useCase: "Download_Mode", type: "GLOBAL", options: ["BACKGROUND", "FOREGROUND"] }] });
    },
    property_edge_hostnames_list: (call, world) =>
      withPendingStatus(accountBehaviours.property_edge_hostnames_list(call, world)),
    property_edge_hostname_get: (call, world) =>
      withPendingStatus(accountBehaviours.property_edge_hostname_get(call, world)),
    property_behavior_names_list: (call, world) => {
      const { body } = contentBehaviours.property_behavior_names_list(call, world);
      const { accountId: _, availableBehaviors, ...rest } = body;
      return ok({ ...rest, behaviors: availableBehaviors ?? { items: [] } });
    },
    property_criterion_names_list: (call, world) => {
      const { body } = contentBehaviours.property_criterion_names_list(call, world);
      const { accountId: _, availableCriteria, ...rest } = body;
      return ok({ ...rest, criteria: availableCriteria ?? { items: [] } });
    },
    property_activations_list: (call, world) =>
      withFallback(world, call.path.propertyId, activationBehaviours.property_activations_list(call, world)),
    property_activation_get: (call, world) =>
      withFallback(world, call.path.propertyId, activationBehaviours.property_activation_get(call, world)),
    property_version_activate: (call, world) => {
      const { useFastFallback, network, propertyVersion } = call.body;
      if (useFastFallback !== true) return activationBehaviours.property_version_activate(call, world);
      const property = propertyOf(world, call.path, call.query);
      const possible = property.activations.some((one) => {
        const found = one.network === network ? fallbackOf(property, one, world) : undefined;
        return found?.canFastFallback === true && found.fallbackVersion === propertyVersion;
      });
      if (!possible)
        throw propertyRefusal("activation/fast-fallback", `No fast fallback to version ${propertyVersion}`, 422);
      const reply = activationBehaviours.property_version_activate(call, world);
      const last = property.activations.at(-1);
      if (last) last.isFast = true;
      return reply;
    },
    property_hostnames_list: (call, world) =>
      withCertificateTypes(contentBehaviours.property_hostnames_list(call, world)),
    property_hostnames_replace: (call, world) =>
      withCertificateTypes(contentBehaviours.property_hostnames_replace(call, world)),
    property_hostnames_update: ({ path, query, headers, body: { add = [], remove = [] } }, world) =>
      withCertificateTypes(
        writeHostnames({ path, query, stamps: [headers["if-match"]] }, world, ({ hostnames }): HostnameEntry[] => {
          const gone = new Set([...remove, ...add.map(({ cnameFrom }) => cnameFrom)]);
          return [...hostnames.filter(({ cnameFrom }) => !gone.has(cnameFrom)), ...hostnameEntriesOf(world, add)];
        }),
      ),
    property_rule_update: ({ path, query, headers, body }, world) =>
      writeTree({ path, query, stamps: [headers["if-match"]] }, world, ({ rules, comments, ruleFormat }) => {
        const result = applyPatch(defined({ rules, comments, ruleFormat }), body, "body");
        if ("problem" in result)
          throw propertyRefusal("json-schema-invalid", `${result.problem.field}: ${result.problem.takes}`);
        const tree = TopRule.safeParse((result.value as { readonly rules: unknown }).rules);
        if (!tree.success) throw propertyRefusal("json-schema-invalid", "The patch does not result in a rule tree");
        const { data: rest } = PatchedContent.safeParse(result.value);
        if (rest === undefined) throw propertyRefusal("json-schema-invalid", "comments and ruleFormat are texts");
        return { ...rest, ruleFormat: checkFormat(rest.ruleFormat), rules: tree.data };
      }),
  }),
);
