/** The lives that guides show, lived in the emulator: every step of a diagram is taken there, and no other is. */
import { expect, it } from "vitest";
import type { Life } from "../../src/language/guide.js";
import { memberAt } from "../../src/language/member.js";
import { guideOf } from "../../src/tools/guides.js";
import { allServices } from "../../src/tools/index.js";
import { now, startRaw } from "../lab/raw.js";
import { longLives } from "./lives-long.js";
import { livesOfToday } from "./lives-today.js";
import { asToday, dayMs, type Lives, lastOf, minuteMs, type Raw, reading, secondMs, sent, Watched } from "./watched.js";

/** The lives of properties in one of the API's versions; today's asks each call whether ids have prefixes. */
function propertyLives(service: string, at: string, end: string, spoken: (raw: Raw) => Raw): Lives {
  const activation = (raw: Raw, propertyVersion: number, activationType = "ACTIVATE") =>
    sent(raw, "POST", `${at}${end}`, {
      propertyVersion,
      network: "STAGING",
      notifyEmails: ["operations@shop.example"],
      acknowledgeAllWarnings: true,
      activationType,
    }).then(({ headers }) => lastOf(headers["location"]));
  const activationOf = (raw: Raw, id: () => string) =>
    new Watched(
      raw,
      reading(raw, () => `${at}/${id()}`, "activations.items.0.status"),
    );
  return {
    [`${service}: an activation`]: async (given) => {
      const raw = spoken(given);
      const first = await activation(raw, 3);
      const replaced = activationOf(raw, () => first);
      await replaced.look();
      await replaced.pass(secondMs, 20);
      const second = await activation(raw, 2);
      const cancelled = activationOf(raw, () => second);
      await cancelled.look();
      await sent(raw, "DELETE", `${at}/${second}`);
      await cancelled.look();
      await activation(raw, 2);
      await replaced.pass(secondMs, 20);
      return [...replaced.steps, ...cancelled.steps];
    },
    [`${service}: a deactivation`]: async (given) => {
      const raw = spoken(given);
      await activation(raw, 3);
      raw.world.advance(minuteMs);
      const id = await activation(raw, 3, "DEACTIVATE");
      const watched = activationOf(raw, () => id);
      await watched.look();
      await watched.pass(secondMs, 20);
      return watched.steps;
    },
  };
}

const lived: Lives = {
  ...longLives,
  ...livesOfToday,

  "purge: a purge": async (raw) => {
    let id = "";
    const watched = new Watched(
      raw,
      reading(raw, () => `/ccu/v2/purges/${id}`, "purgeStatus"),
    );
    const body = { objects: ["https://www.example.com/spring/hero.jpg"] };
    id = ((await sent(raw, "POST", "/ccu/v2/queues/default", body)).json() as { purgeId: string }).purgeId;
    await watched.look();
    await watched.pass(500, 20);
    return watched.steps;
  },

  ...propertyLives("properties", "/papi/v0/properties/prp_175780/activations", "/", (raw) => raw),
  ...propertyLives("properties-v1", "/papi/v1/properties/prp_175780/activations", "", asToday),

  "properties-v1: a hostname activation": async (given) => {
    const raw = asToday(given);
    const at = "/papi/v1/properties/prp_175783";
    const query = "?contractId=ctr_C-1FRYVV3&groupId=grp_11111";
    const removed = { network: "STAGING", remove: ["draft.shop.example"] };
    const begun = async () => lastOf((await sent(raw, "PATCH", `${at}/hostnames`, removed)).headers["location"]);
    const watchedOf = (id: () => string) =>
      new Watched(
        raw,
        reading(raw, () => `${at}/hostname-activations/${id()}${query}`, "hostnameActivations.items.0.status"),
      );
    const first = await begun();
    const cancelled = watchedOf(() => first);
    await cancelled.look();
    await sent(raw, "DELETE", `${at}/hostname-activations/${first}${query}`);
    await cancelled.look();
    const second = await begun();
    const active = watchedOf(() => second);
    await active.look();
    await active.pass(secondMs, 20);
    return [...cancelled.steps, ...active.steps];
  },

  "edge-logic: the activation of a policy's version": async (raw) => {
    const at = "/cloudlets/api/v2/policies/1001";
    const known = ((await raw.get(`${at}/activations?network=staging`)).json() as unknown[]).length;
    const watched = new Watched(raw, async () => {
      const all = (await raw.get(`${at}/activations?network=staging`)).json() as readonly unknown[];
      // The newest stand first, so the one that is watched is counted from the end.
      return memberAt(all.at(-1 - known), ["policyInfo", "status"]) as string | undefined;
    });
    await sent(raw, "POST", `${at}/versions/2/activations`, { network: "staging" });
    await watched.look();
    await watched.pass(secondMs, 15);
    await sent(raw, "POST", `${at}/versions/1/activations`, { network: "staging" });
    await watched.pass(secondMs, 15);
    return watched.steps;
  },

  "edge-logic: the activation of a load-balancing version": async (raw) => {
    const at = "/cloudlets/api/v2/origins/shopBalancer/activations";
    const staging = async () =>
      ((await raw.get(at)).json() as readonly { network: string; status: string }[]).filter(
        ({ network }) => network === "STAGING",
      );
    const known = (await staging()).length;
    const watched = new Watched(raw, async () => (await staging()).at(-1 - known)?.status);
    await sent(raw, "POST", at, { network: "STAGING", version: 2 });
    await watched.look();
    await watched.pass(secondMs, 15);
    await sent(raw, "POST", at, { network: "STAGING", version: 1 });
    await watched.pass(secondMs, 15);
    return watched.steps;
  },

  "shared-policies: an activation or a deactivation": async (raw) => {
    const at = "/cloudlets/v3/policies/3001/activations";
    let id = 0;
    const watched = new Watched(
      raw,
      reading(raw, () => `${at}/${id}`, "status"),
    );
    const body = { network: "STAGING", policyVersion: 2, operation: "ACTIVATION" };
    id = ((await sent(raw, "POST", at, body)).json() as { id: number }).id;
    await watched.look();
    await watched.pass(secondMs, 15);
    return watched.steps;
  },

  "credentials: a credential": async (raw) => {
    const at = "/identity-management/v1/open-identities/oi-7421/credentials";
    let id = 0;
    const watched = new Watched(
      raw,
      reading(raw, () => `${at}/${id}`, "status"),
    );
    id = ((await sent(raw, "POST", at)).json() as { credentialId: number }).credentialId;
    await watched.look();
    const expiresOn = new Date(now + 300 * dayMs).toISOString();
    for (const status of ["INACTIVE", "ACTIVE"]) {
      await sent(raw, "PUT", `${at}/${id}`, { status, expiresOn });
      await watched.look();
    }
    await sent(raw, "POST", `${at}/deactivate`);
    await watched.look();
    await sent(raw, "DELETE", `${at}/${id}`);
    await watched.look();
    return watched.steps;
  },

  "api-clients: a credential": async (raw) => {
    const at = "/identity-management/v3/api-clients/oi-7421/credentials";
    let id = 0;
    const watched = new Watched(
      raw,
      reading(raw, () => `${at}/${id}`, "status"),
    );
    id = ((await sent(raw, "POST", at)).json() as { credentialId: number }).credentialId;
    await watched.look();
    await sent(raw, "POST", `${at}/${id}/deactivate`);
    await watched.look();
    await sent(raw, "PUT", `${at}/${id}`, { status: "ACTIVE", expiresOn: new Date(now + 300 * dayMs).toISOString() });
    await watched.look();
    await sent(raw, "POST", `${at}/deactivate`);
    await watched.look();
    await sent(raw, "DELETE", `${at}/${id}`);
    await watched.look();
    return watched.steps;
  },

  "sign-in: the allow list": async (raw) => {
    const at = "/identity-management/v3/user-admin/ip-acl/allowlist";
    await sent(raw, "POST", `${at}/disable`);
    const watched = new Watched(raw, async () =>
      String(((await raw.get(`${at}/status`)).json() as { enabled: boolean }).enabled),
    );
    await watched.look();
    for (const word of ["enable", "disable"]) {
      await sent(raw, "POST", `${at}/${word}`);
      await watched.look();
    }
    return watched.steps;
  },

  "threat-protection: a deployment of a configuration": async (raw) => {
    const at = "/etp-config/v1/configs/1100/deployments";
    const body = { comment: "New guest network", created: { sites: [{ id: 103 }] }, modified: {}, deleted: {} };
    let id = "";
    const watched = new Watched(
      raw,
      reading(raw, () => `${at}/${id}`, "status"),
    );
    id = lastOf((await sent(raw, "POST", at, body)).headers["location"]);
    await watched.look();
    await watched.pass(secondMs, 60);
    return watched.steps;
  },

  "threat-protection: a deployment of a custom list": async (raw) => {
    const at = "/etp-config/v1/configs/1100/lists/deployments";
    let id = "";
    const watched = new Watched(
      raw,
      reading(raw, () => `${at}/${id}`, "status"),
    );
    id = lastOf((await sent(raw, "POST", at, { id: 4541, status: "PENDING" })).headers["location"]);
    await watched.look();
    await watched.pass(minuteMs, 60);
    return watched.steps;
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
