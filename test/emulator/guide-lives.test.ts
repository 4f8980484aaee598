/** The lives that guides show, lived in the emulator: every step of a diagram is taken there, and no other is. */
import { expect, it } from "vitest";
import type { Life } from "../../src/language/guide.js";
import { memberAt } from "../../src/language/member.js";
import { guideOf } from "../../src/tools/guides.js";
import { allServices } from "../../src/tools/index.js";
import { now, startRaw } from "../lab/raw.js";
import { longLives } from "./lives-long.js";
import { livesOfToday } from "./lives-today.js";
import {
  asToday,
  dayMs,
  type Lives,
  lastOf,
  minuteMs,
  type Raw,
  secondMs,
  sent,
  union,
  Watched,
  watch,
} from "./watched.js";

/** The lives of properties in one of the API's versions; today's asks each call whether ids have prefixes. */
function propertyLives(service: string, at: string, end: string, spoken: (raw: Raw) => Raw): Lives {
  const activated = async (raw: Raw, propertyVersion: number, activationType = "ACTIVATE") => {
    const wanted = { propertyVersion, activationType, network: "STAGING", notifyEmails: ["operations@shop.example"] };
    const { headers } = await sent(raw, "POST", `${at}${end}`, { ...wanted, acknowledgeAllWarnings: true });
    const id = lastOf(headers["location"]);
    return { id, watched: await watch(raw, `${at}/${id}`, "activations.items.0.status") };
  };
  return {
    [`${service}: an activation`]: async (given) => {
      const raw = spoken(given);
      const { watched: replaced } = await activated(raw, 3);
      await replaced.pass(secondMs, 20);
      const { id, watched: cancelled } = await activated(raw, 2);
      await sent(raw, "DELETE", `${at}/${id}`);
      await cancelled.look();
      await activated(raw, 2);
      await replaced.pass(secondMs, 20);
      return union(replaced, cancelled);
    },
    [`${service}: a deactivation`]: async (given) => {
      const raw = spoken(given);
      await activated(raw, 3);
      raw.world.advance(minuteMs);
      return (await activated(raw, 3, "DEACTIVATE")).watched.pass(secondMs, 20);
    },
  };
}

/** Looks after each of some calls below an address, the last of which may take something away. */
async function stepping(watched: Watched, at: string, calls: readonly (readonly [string, string, object?])[]) {
  for (const [method, path, body] of calls) {
    await sent(watched.raw, method, `${at}${path}`, body);
    await watched.look();
  }
  return watched.steps;
}

/** A version that is activated where another one was, and that one again, among all activations of the network. */
async function replaced(raw: Raw, list: string, state: (all: readonly never[]) => readonly (string | undefined)[]) {
  const states = async () => state((await raw.get(list)).json() as readonly never[]);
  const known = (await states()).length;
  // The newest stand first, so the one that is watched is counted from the end.
  return new Watched(raw, async () => (await states()).at(-1 - known));
}

const expiresOn = new Date(now + 300 * dayMs).toISOString();
const lived: Lives = {
  ...longLives,
  ...livesOfToday,
  ...propertyLives("properties", "/papi/v0/properties/prp_175780/activations", "/", (raw) => raw),
  ...propertyLives("properties-v1", "/papi/v1/properties/prp_175780/activations", "", asToday),

  "purge: a purge": async (raw) => {
    const body = { objects: ["https://www.example.com/spring/hero.jpg"] };
    const purged = (await sent(raw, "POST", "/ccu/v2/queues/default", body)).json();
    return (await watch(raw, `/ccu/v2/purges/${memberAt(purged, "purgeId")}`, "purgeStatus")).pass(500, 20);
  },

  "properties-v1: a hostname activation": async (given) => {
    const raw = asToday(given);
    const at = "/papi/v1/properties/prp_175783";
    const query = "?contractId=ctr_C-1FRYVV3&groupId=grp_11111";
    const begun = async () => {
      const removed = { network: "STAGING", remove: ["draft.shop.example"] };
      const id = lastOf((await sent(raw, "PATCH", `${at}/hostnames`, removed)).headers["location"]);
      const target = `${at}/hostname-activations/${id}${query}`;
      return { target, watched: await watch(raw, target, "hostnameActivations.items.0.status") };
    };
    const { target, watched: cancelled } = await begun();
    await sent(raw, "DELETE", target);
    await cancelled.look();
    const { watched: active } = await begun();
    await active.pass(secondMs, 20);
    return union(cancelled, active);
  },

  "edge-logic: the activation of a policy's version": async (raw) => {
    const at = "/cloudlets/api/v2/policies/1001";
    const watched = await replaced(raw, `${at}/activations?network=staging`, (all) =>
      all.map((one) => memberAt(one, ["policyInfo", "status"]) as string),
    );
    for (const version of [2, 1]) {
      await sent(raw, "POST", `${at}/versions/${version}/activations`, { network: "staging" });
      await watched.look();
      await watched.pass(secondMs, 15);
    }
    return watched.steps;
  },

  "edge-logic: the activation of a load-balancing version": async (raw) => {
    const at = "/cloudlets/api/v2/origins/shopBalancer/activations";
    const watched = await replaced(raw, at, (all: readonly { network: string; status: string }[]) =>
      all.filter(({ network }) => network === "STAGING").map(({ status }) => status),
    );
    for (const version of [2, 1]) {
      await sent(raw, "POST", at, { network: "STAGING", version });
      await watched.look();
      await watched.pass(secondMs, 15);
    }
    return watched.steps;
  },

  "shared-policies: an activation or a deactivation": async (raw) => {
    const at = "/cloudlets/v3/policies/3001/activations";
    const body = { network: "STAGING", policyVersion: 2, operation: "ACTIVATION" };
    const { id } = (await sent(raw, "POST", at, body)).json() as { id: number };
    return (await watch(raw, `${at}/${id}`, "status")).pass(secondMs, 15);
  },

  "credentials: a credential": async (raw) => {
    const at = "/identity-management/v1/open-identities/oi-7421/credentials";
    const id = memberAt((await sent(raw, "POST", at)).json(), "credentialId");
    return stepping(await watch(raw, `${at}/${id}`, "status"), at, [
      ["PUT", `/${id}`, { status: "INACTIVE", expiresOn }],
      ["PUT", `/${id}`, { status: "ACTIVE", expiresOn }],
      ["POST", "/deactivate"],
      ["DELETE", `/${id}`],
    ]);
  },

  "api-clients: a credential": async (raw) => {
    const at = "/identity-management/v3/api-clients/oi-7421/credentials";
    const id = memberAt((await sent(raw, "POST", at)).json(), "credentialId");
    return stepping(await watch(raw, `${at}/${id}`, "status"), at, [
      ["POST", `/${id}/deactivate`],
      ["PUT", `/${id}`, { status: "ACTIVE", expiresOn }],
      ["POST", "/deactivate"],
      ["DELETE", `/${id}`],
    ]);
  },

  "sign-in: the allow list": async (raw) => {
    const at = "/identity-management/v3/user-admin/ip-acl/allowlist";
    await sent(raw, "POST", `${at}/disable`);
    return stepping(await watch(raw, `${at}/status`, "enabled"), at, [
      ["POST", "/enable"],
      ["POST", "/disable"],
    ]);
  },

  "threat-protection: a deployment of a configuration": async (raw) => {
    const at = "/etp-config/v1/configs/1100/deployments";
    const body = { comment: "New guest network", created: { sites: [{ id: 103 }] }, modified: {}, deleted: {} };
    const id = lastOf((await sent(raw, "POST", at, body)).headers["location"]);
    return (await watch(raw, `${at}/${id}`, "status")).pass(secondMs, 60);
  },

  "threat-protection: a deployment of a custom list": async (raw) => {
    const at = "/etp-config/v1/configs/1100/lists/deployments";
    const id = lastOf((await sent(raw, "POST", at, { id: 4541, status: "PENDING" })).headers["location"]);
    return (await watch(raw, `${at}/${id}`, "status")).pass(minuteMs, 60);
  },
};

const services = await allServices();
const guides = await Promise.all(services.map(async ({ name }) => [name, await guideOf(name)] as const));
const lives = guides
  // A guide that several services share is lived once.
  .filter(([, guide], at) => guides.findIndex(([, other]) => other === guide) === at)
  .flatMap(([name, guide]) =>
    (guide?.lives ?? []).filter(({ shown }) => shown).map((life): [string, Life] => [`${name}: ${life.of}`, life]),
  );

it.each(lives)("%s: the emulator takes every step of the diagram and no other", async (name, { moves }) => {
  const live = lived[name];
  if (live === undefined) return expect.fail("nobody has lived it");
  const drawn = moves
    .map(({ from = "[*]", to = "[*]" }) => `${from} --> ${to}`)
    .filter((step) => !/^(.*) --> \1$/.test(step));
  expect([...new Set(await live(startRaw()))].sort()).toEqual([...new Set(drawn)].sort());
});
