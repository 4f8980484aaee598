/** Accounts of any size for questions about their hostnames: each site differs from the others, and its truth is known. */
import { people } from "../../src/emulator/services/account.js";
import { currentEnrollments } from "../../src/emulator/services/certificates/life.js";
import {
  enrollmentFor,
  signCertificates,
  usualDetails,
  usualNetwork,
} from "../../src/emulator/services/certificates/store.js";
import { withAllSets } from "../../src/emulator/services/dns/sets.js";
import { addVersion, soa } from "../../src/emulator/services/dns/zones.js";
import { activationFrom, addPolicy } from "../../src/emulator/services/edge-logic/policy-store.js";
import { addGroup, groupsOf, topGroupId } from "../../src/emulator/services/groups.js";
import { includesIn } from "../../src/emulator/services/includes/world.js";
import { type Property, stateOf } from "../../src/emulator/services/properties/world.js";
import type { ControlledWorld } from "../../src/emulator/world.js";
import { dayMs } from "../../src/time/durations.js";

const [contract, perZone, perGroup] = ["C-1FRYVV3", 10, 25];

/** What is true of a site. */
export interface Site {
  readonly hostname: string;
  readonly property: Property;
  readonly production: number | null;
  readonly staging: number | null;
  readonly edgeHostname: string;
  readonly isSecure: boolean;
  readonly enrollmentId: number;
  readonly expiresAtMs: number;
  readonly slot: number;
  readonly zone: string;
  readonly origin: string;
  /** The origin of its newer versions, if they have another one. */
  readonly originOnStaging: string | undefined;
  readonly cpCode: string;
  readonly cpCodeName: string;
  readonly include: string;
  /** The policy that it uses on production, if any. */
  readonly policies: readonly string[];
}

/** The group of a site, which is added if there is none yet. */
function groupFor(world: ControlledWorld, at: number): string {
  const name = `Sites ${Math.floor(at / perGroup)}`;
  const top = groupsOf(world).find(({ id }) => id === topGroupId);
  if (!top) throw new Error("There is no top group.");
  const group = groupsOf(world).find((one) => one.name === name) ?? addGroup(world, name, top);
  return `grp_${group.id}`;
}

/** The include of a group, which is added if there is none yet. */
function includeOf(world: ControlledWorld, at: number, groupId: string): string {
  const [model] = includesIn(world).values();
  if (!model) throw new Error("There is no include to copy.");
  const id = `inc_${320_000 + Math.floor(at / perGroup)}`;
  if (!includesIn(world).has(id)) includesIn(world).set(id, { ...model, id, groupId, name: `shared-${id}` });
  return id;
}

/** A certificate of a zone, which names its sites by a wildcard or each by itself. */
function certify(world: ControlledWorld, at: number, zone: string, names: readonly string[]) {
  const atMs = world.startedAtMs - (at % 200) * dayMs;
  const [cn = "", ...sans] = at % 2 === 0 ? [`*.${zone}`] : names;
  const enrollment = enrollmentFor(50_000 + at, contract, usualDetails(cn, sans, false));
  const certificates = signCertificates(enrollment.details, atMs);
  const deployed = { certificates, network: usualNetwork };
  currentEnrollments(world).add({ ...enrollment, staging: deployed, production: deployed });
  return { enrollmentId: enrollment.id, slot: enrollment.slot, expiresAtMs: certificates[0]?.expiresAtMs ?? 0 };
}

/** Adds sites to an account. @returns what is true of each. */
export function growSites(world: ControlledWorld, count: number): readonly Site[] {
  const { properties, edgeHostnames, cpCodes } = stateOf(world);
  const before = (days: number) => world.startedAtMs - days * dayMs;
  const zones = Array.from({ length: Math.ceil(count / perZone) }, (_, at) => {
    const zone = `brand-${at}.example`;
    const names = Array.from({ length: perZone }, (__, site) => `www-${at * perZone + site}.${zone}`);
    const sets = names.map((name) => ({ name, type: "CNAME", ttl: 300 + at, rdata: [`${name}.edgekey.example.`] }));
    addVersion(world, withAllSets({ zone: { id: 9_000 + at, name: zone, soa: soa(zone, 1) }, others: [] }, sets));
    return { zone, certificate: certify(world, at, zone, names) };
  });
  return Array.from({ length: count }, (_, at): Site => {
    const { zone, certificate } = zones[Math.floor(at / perZone)] as (typeof zones)[number];
    const hostname = `www-${at}.${zone}`;
    const [edge, groupId, contractId] = [`ehn_${20_000 + at}`, groupFor(world, at), `ctr_${contract}`];
    const [cpCode, isSecure, cpCodeName] = [String(700_000 + at), at % 3 > 0, `Traffic ${at}`];
    const [prefix, suffix] = [hostname, "edgekey.example"];
    const ofEdge = { id: edge, prefix, suffix, productId: "prd_Site_Delivery", secure: isSecure };
    edgeHostnames.set(edge, { ...ofEdge, ipVersionBehavior: "IPV4", createdAtMs: before(400) });
    const code = { id: `cpc_${cpCode}`, contractId, groupId, name: cpCodeName, productId: "prd_Site_Delivery" };
    cpCodes.set(code.id, { ...code, createdAtMs: before(400) });
    const include = includeOf(world, at, groupId);
    const [origin, originOnStaging] = [`origin-${at}.example.org`, `next-${at}.example.org`];
    const versions = Array.from({ length: 2 + (at % 3) }, (__, number) => ({
      number: number + 1,
      note: `Step ${number + 1} of ${at}`,
      updatedBy: people[(at + number) % people.length]?.login ?? "",
      updatedAtMs: before(100 - 20 * number - (at % 10)),
      ruleFormat: "v2015-08-08",
      rules: {
        name: "default",
        behaviors: [
          { name: "origin", options: { hostname: number > 0 && at % 2 === 0 ? originOnStaging : origin } },
          { name: "cpCode", options: { value: { id: Number(cpCode) } } },
        ],
        children: [{ name: "Shared", behaviors: [{ name: "include", options: { id: include } }] }],
      },
      hostnames: [
        {
          cnameType: "EDGE_HOSTNAME" as const,
          edgeHostnameId: edge,
          cnameFrom: hostname,
          cnameTo: `${prefix}.${suffix}`,
        },
      ],
    }));
    const [staging, production] = [versions.length - (at % 2), at % 7 === 3 ? null : 1];
    const activation = (id: number, version: number, network: "STAGING" | "PRODUCTION", days: number) => ({
      ...{ id: `atv_${id}`, version, network, type: "ACTIVATE" as const, note: "", notifyEmails: [] },
      submittedAtMs: before(days),
    });
    const activations = [
      activation(100_000 + 2 * at, staging, "STAGING", 9),
      ...(production === null ? [] : [activation(100_001 + 2 * at, production, "PRODUCTION", 8 - (at % 5))]),
    ];
    const property: Property = {
      ...{ id: `prp_${300_000 + at}`, name: `brand-site-${at}`, contractId, groupId, assetId: `aid_${300_000 + at}` },
      ...{ productId: "prd_Site_Delivery", note: "", versions, activations },
    };
    properties.set(property.id, property);
    const policies = at % 4 === 1 ? [`redirects_${at}`] : [];
    for (const name of policies) {
      const { policy, version } = addPolicy(world, { cloudletId: 0, name, description: null, groupId: 11_111 });
      const begun = { network: "PRODUCTION" as const, version: version.version, atMs: before(1), property };
      policy.activations.push(activationFrom(begun));
    }
    const edgeHostname = `${prefix}.${suffix}`;
    const of = { hostname, property, production, staging, edgeHostname, isSecure, zone };
    return {
      ...of,
      ...certificate,
      origin,
      originOnStaging: at % 2 === 0 ? originOnStaging : undefined,
      cpCode,
      cpCodeName,
      include,
      policies,
    };
  });
}
