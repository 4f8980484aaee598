/** Edge hostnames of the emulated property service, some with the certificate of an enrollment. */
import { minuteMs } from "../../../time/durations.js";
import type { accountOperations } from "../../../tools/properties/account.js";
import { created, notFound, ok } from "../../reply.js";
import type { BehavioursOf } from "../../service.js";
import type { World } from "../../world.js";
import { edgeZoneName, secureEdgeZoneName } from "../account.js";
import { currentEnrollments } from "../certificates/life.js";
import { namesOf } from "../certificates/store.js";
import { checkPlace, linkTo, ownerOf, productOf, propertyRefusal } from "./lookup.js";
import { numberOf } from "./served.js";
import { type EdgeHostname, type HostnameEntry, stateOf } from "./world.js";

type Own = Pick<
  BehavioursOf<typeof accountOperations>,
  "property_edge_hostnames_list" | "property_edge_hostname_create" | "property_edge_hostname_get"
>;

/** Adds an edge hostname. @returns its id. */
export function addEdgeHostname(world: World, given: Omit<EdgeHostname, "id" | "createdAtMs">): string {
  const id = `ehn_${world.next("edge hostname", 9_001)}`;
  stateOf(world).edgeHostnames.set(id, { ...given, id, createdAtMs: world.now() });
  return id;
}

const isNamed = (hostName: string, name: string): boolean =>
  name === hostName || (name.startsWith("*.") && hostName.split(".").slice(1).join(".") === name.slice(2));

/** Whether the certificate of a hostname's edge hostname names it; without a dedicated certificate it does not have to. */
export function isCertified(world: World, { cnameFrom, edgeHostnameId }: HostnameEntry): boolean {
  const enrollmentId = stateOf(world).edgeHostnames.get(edgeHostnameId)?.enrollmentId;
  if (enrollmentId === undefined) return true;
  const enrollment = currentEnrollments(world).get(enrollmentId);
  return enrollment !== undefined && namesOf(enrollment.details).some((name) => isNamed(cnameFrom, name));
}

/** An edge hostname takes a minute to reach the network. */
const edgeItem = ({ prefix, suffix, ...edge }: EdgeHostname, world: World, options: string | undefined) => ({
  edgeHostnameId: edge.id,
  edgeHostnameDomain: `${prefix}.${suffix}`,
  productId: edge.productId,
  domainPrefix: prefix,
  domainSuffix: suffix,
  status: world.now() < edge.createdAtMs + minuteMs ? "PENDING" : "ACTIVE",
  secure: edge.secure,
  ipVersionBehavior: edge.ipVersionBehavior,
  ...(edge.useCases ? { useCases: [...edge.useCases] } : {}),
  ...(options === "mapDetails"
    ? { "mapDetails:serialNumber": numberOf(edge.id), "mapDetails:mapDomain": `a;g.${world.vendor}.net` }
    : {}),
});

const suffixes: Readonly<Record<string, readonly string[]>> = {
  STANDARD_TLS: ["edgesuite.net", edgeZoneName],
  SHARED_CERT: ["akamaized.net"],
  ENHANCED_TLS: ["edgekey.net", secureEdgeZoneName],
};

export const edgeHostnameBehaviours: Own = {
  property_edge_hostnames_list: ({ query }, world) => {
    const owner = ownerOf(checkPlace(world, query));
    const items = [...stateOf(world).edgeHostnames.values()].map((one) => edgeItem(one, world, query.options));
    return ok({ ...owner, edgeHostnames: { items } });
  },
  property_edge_hostname_create: ({ query, body }, world) => {
    const place = checkPlace(world, query);
    const { edgeHostnames } = stateOf(world);
    const network = body.secureNetwork ?? "STANDARD_TLS";
    if (!suffixes[network]?.includes(body.domainSuffix))
      throw propertyRefusal("edgehostname/bad-suffix", `${network} takes ${suffixes[network]?.join(" or ")}`);
    if (network === "ENHANCED_TLS" && body.certEnrollmentId === undefined)
      throw propertyRefusal("missing-request-body-field", "certEnrollmentId is required with ENHANCED_TLS");
    const isTaken = [...edgeHostnames.values()].some(
      (one) => one.prefix === body.domainPrefix && one.suffix === body.domainSuffix,
    );
    if (isTaken)
      throw propertyRefusal("edgehostname/not-available", `${body.domainPrefix}.${body.domainSuffix} already exists`);
    const enrollmentId = body.certEnrollmentId === undefined ? undefined : Number(body.certEnrollmentId);
    if (enrollmentId !== undefined && !currentEnrollments(world).has(enrollmentId))
      throw propertyRefusal("http/bad-request", `There is no certificate enrollment ${enrollmentId}`);
    const id = addEdgeHostname(world, {
      prefix: body.domainPrefix,
      suffix: body.domainSuffix,
      productId: productOf(body.productId).id,
      secure: body.secure ?? network === "ENHANCED_TLS",
      ipVersionBehavior: body.ipVersionBehavior,
      enrollmentId,
      ...(body.useCases ? { useCases: body.useCases } : {}),
    });
    const edgeHostnameLink = linkTo(`edgehostnames/${id}`, place);
    return created({ edgeHostnameLink }, { location: edgeHostnameLink });
  },
  property_edge_hostname_get: ({ path, query }, world) => {
    checkPlace(world, query);
    const found = stateOf(world).edgeHostnames.get(path.edgeHostnameId);
    if (found === undefined) throw notFound(`There is no edge hostname ${path.edgeHostnameId}`);
    const { contractId = "ctr_C-1FRYVV3", groupId = "grp_11111" } = query;
    const items = [edgeItem(found, world, query.options)];
    return ok({ ...ownerOf({ contractId, groupId }), edgeHostnames: { items } });
  },
};
