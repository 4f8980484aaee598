/** The lives that guides show, lived in the emulator: every step of a diagram is taken there, and no other is. */
import { expect, it } from "vitest";
import type { Life } from "../../src/api/guide.js";
import { memberAt } from "../../src/api/member.js";
import { certificates } from "../../src/tools/certificates/index.js";
import { guideOf } from "../../src/tools/guides/index.js";
import { allServices } from "../../src/tools/index.js";
import { now, startRaw } from "./raw.js";

type Raw = ReturnType<typeof startRaw>;
const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const dayMs = 24 * 60 * minuteMs;

/** One object under watch: what it is at each look, from before it is there to after it is gone. */
class Watched {
  readonly steps = new Set<string>();
  #state = "[*]";

  constructor(
    readonly raw: Raw,
    readonly state: () => Promise<string | undefined>,
  ) {}

  /** Looks, and notes the step since the last look. */
  async look(): Promise<string> {
    const now = (await this.state()) ?? "[*]";
    if (now !== this.#state) this.steps.add(`${this.#state} --> ${now}`);
    this.#state = now;
    return now;
  }

  /** Looks again and again while time passes. */
  async pass(everyMs: number, times: number): Promise<void> {
    for (let at = 0; at < times; at += 1) {
      this.raw.world.advance(everyMs);
      await this.look();
    }
  }
}

/** The member of an answer; undefined where there is nothing any more. */
const reading = (raw: Raw, target: () => string, path: string) => async (): Promise<string | undefined> => {
  const answer = await raw.get(target());
  if (answer.status >= 400) return undefined;
  const value = memberAt(answer.json(), path.split("."));
  return value === undefined ? undefined : String(value);
};

/** The text of an element of an answer in XML. */
const stateIn = (raw: Raw, target: () => string, element: string) => async (): Promise<string | undefined> =>
  new RegExp(`<${element}>([^<]*)</${element}>`).exec((await raw.get(target())).text)?.[1];

async function sent(raw: Raw, method: string, target: string, body?: object) {
  const answer = await (body === undefined ? raw.ask({ method, target }) : raw.send(method, target, body));
  expect(answer.status, `${method} ${target}: ${answer.text}`).toBeLessThan(400);
  return answer;
}

const lastOf = (location: string | undefined): string => location?.split("?")[0]?.split("/").at(-1) ?? "";

const propertyAt = "/papi/v0/properties/prp_175780/activations";
const activation = (raw: Raw, propertyVersion: number, activationType = "ACTIVATE") =>
  sent(raw, "POST", `${propertyAt}/`, {
    propertyVersion,
    network: "STAGING",
    notifyEmails: ["operations@shop.example"],
    acknowledgeAllWarnings: true,
    activationType,
  }).then(({ headers }) => lastOf(headers["location"]));
const activationOf = (raw: Raw, id: () => string) =>
  new Watched(
    raw,
    reading(raw, () => `${propertyAt}/${id()}`, "activations.items.0.status"),
  );

/** How each life is lived, by the service and by what has it; the steps that were seen. */
const lived: Readonly<Record<string, (raw: Raw) => Promise<Iterable<string>>>> = {
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

  "properties: an activation": async (raw) => {
    const first = await activation(raw, 3);
    const replaced = activationOf(raw, () => first);
    await replaced.look();
    await replaced.pass(secondMs, 20);
    const second = await activation(raw, 2);
    const cancelled = activationOf(raw, () => second);
    await cancelled.look();
    await sent(raw, "DELETE", `${propertyAt}/${second}`);
    await cancelled.look();
    await activation(raw, 2);
    await replaced.pass(secondMs, 20);
    return [...replaced.steps, ...cancelled.steps];
  },

  "properties: a deactivation": async (raw) => {
    await activation(raw, 3);
    raw.world.advance(minuteMs);
    const id = await activation(raw, 3, "DEACTIVATE");
    const watched = activationOf(raw, () => id);
    await watched.look();
    await watched.pass(secondMs, 20);
    return watched.steps;
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

  "certificates: a change": async () => {
    const steps = new Set<string>();
    const { example } = certificates.operations.cert_enrollment_create.spec;
    const kind = "third-party";
    const names = { csr: { cn: "guide.shop.example" }, certificateType: kind, validationType: kind, ra: kind };
    const own = { ...(example as { body: object }).body, ...names, changeManagement: true };
    const certificate = "-----BEGIN CERTIFICATE-----\nMIIDabc+/=\n-----END CERTIFICATE-----";
    for (const end of ["completed", "cancelled while it runs", "cancelled while it waits", "too late"]) {
      const raw = startRaw();
      let path = "";
      const type = (entity: string) => `application/vnd.akamai.cps.${entity}+json`;
      const get = async (target: string, entity: string) =>
        (await raw.ask({ target, headers: { accept: type(entity) } })).json() as Record<string, string>;
      const write = async (method: string, target: string, accept: string, entity?: string, body?: object) => {
        const headers = { accept: type(accept), ...(entity === undefined ? {} : { "content-type": type(entity) }) };
        const answer = await raw.ask({ method, target, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
        expect(answer.status, `${target}: ${answer.text}`).toBeLessThan(300);
        return answer.json() as { changes?: string[] };
      };
      const watched = new Watched(raw, async () => String(memberAt(await get(path, "change.v2"), "statusInfo.state")));
      const made = await write(
        "POST",
        "/cps/v2/enrollments?contractId=C-1FRYVV3",
        "enrollment-status.v1",
        "enrollment.v4",
        own,
      );
      path = made.changes?.[0] ?? "";
      await watched.look();
      if (end === "cancelled while it runs") await write("DELETE", path, "change-id.v1");
      else {
        await watched.pass(minuteMs, 2);
        if (end === "cancelled while it waits") await write("DELETE", path, "change-id.v1");
        else {
          const upload = { certificate, trustChain: certificate };
          const input = `${path}/input/update`;
          await write(
            "POST",
            `${input}/third-party-cert-and-trust-chain`,
            "change-id.v1",
            "certificate-and-trust-chain.v1",
            upload,
          );
          await watched.look();
          await watched.pass(minuteMs, 2);
          await watched.pass(minuteMs, 10);
          if (end === "too late") {
            const notAfter = new Date(now + 20 * minuteMs).toISOString();
            await write("PUT", `${path}/deployment-schedule`, "change-id.v1", "deployment-schedule.v1", { notAfter });
            raw.world.advance(dayMs);
          }
          const { validationResultHash: hash } = await get(
            `${path}/input/info/change-management-info`,
            "change-management-info.v5",
          );
          const body = { acknowledgement: "acknowledge", hash };
          await write("POST", `${input}/change-management-ack`, "change-id.v1", "acknowledgement-with-hash.v1", body);
        }
      }
      await watched.look();
      await watched.pass(minuteMs, 20);
      for (const step of watched.steps) steps.add(step);
    }
    return steps;
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

  "log-delivery: a configuration": async () => {
    const steps = new Set<string>();
    const day = (days: number) => new Date(now + days * dayMs).toISOString().slice(0, 10);
    const body = {
      startDate: day(1),
      endDate: day(10),
      contactDetails: { contact: { id: "1-C30O" }, mailAddresses: ["operations@shop.example"] },
      logFormatDetails: { logFormat: { id: "2" }, logIdentifier: "api" },
      messageSize: { id: "3" },
      aggregationDetails: { type: "byLogArrival", deliveryFrequency: { id: "1" } },
      encodingDetails: { encoding: { id: "1" } },
      deliveryDetails: {
        type: "ftp",
        machine: "logs.shop.example",
        login: "edge",
        password: "hunter2",
        directory: "/",
      },
    };
    // Each ending needs a configuration of its own, and a source has one at most.
    for (const life of [
      ["suspend", "resume", "DELETE"],
      ["suspend", "DELETE"],
      ["expire", "DELETE"],
      ["suspend", "expire"],
    ]) {
      const own = startRaw();
      let id = "";
      const watched = new Watched(
        own,
        reading(own, () => `/lds-api/v3/log-configurations/${id}`, "status"),
      );
      const created = await sent(
        own,
        "POST",
        "/lds-api/v3/log-sources/cpcode-products/12346-1/log-configurations",
        body,
      );
      id = lastOf(created.headers["location"]);
      await watched.look();
      for (const what of life) {
        const at = `/lds-api/v3/log-configurations/${id}`;
        if (what === "expire") own.world.advance(12 * dayMs);
        else if (what === "DELETE") await sent(own, "DELETE", at);
        else await sent(own, "POST", `${at}/${what}`);
        await watched.look();
      }
      for (const step of watched.steps) steps.add(step);
    }
    return steps;
  },

  "live-streaming: a stream": async () => {
    const steps = new Set<string>();
    for (const isDeletedAtOnce of [true, false]) {
      const raw = startRaw();
      const at = "/config-media-live/v1/live/live.shop.example/stream";
      let id = "";
      const watched = new Watched(
        raw,
        stateIn(raw, () => `${at}/${id}`, "status"),
      );
      const body = "<stream><stream-type>Universal Streaming Live</stream-type><stream-name>n</stream-name></stream>";
      const made = await raw.ask({ method: "POST", target: at, headers: { "content-type": "application/xml" }, body });
      id = /<stream-id>(\d+)</.exec(made.text)?.[1] ?? "";
      await watched.look();
      if (!isDeletedAtOnce) await watched.pass(minuteMs, 3);
      await sent(raw, "DELETE", `${at}/${id}`);
      await watched.look();
      for (const step of watched.steps) steps.add(step);
    }
    return steps;
  },

  "live-streaming: a version in an environment": async (raw) => {
    const at = "/config-media-live/v1/live/live.shop.example/version";
    const state = stateIn(raw, () => `${at}/2/activation`, "production-deployment-status");
    const watched = new Watched(raw, async () => {
      const found = await state();
      // It is there, and has not been on the way yet.
      return found === "Inactive" ? undefined : found;
    });
    await watched.look();
    for (const version of [2, 1]) {
      await sent(raw, "PUT", `${at}/${version}/activation?environment=Production`);
      await watched.look();
      await watched.pass(minuteMs, 3);
    }
    return watched.steps;
  },

  "log-delivery: a redelivery": async () => {
    const steps = new Set<string>();
    for (const isSuspended of [false, true]) {
      const raw = startRaw();
      let id = "";
      const watched = new Watched(
        raw,
        reading(raw, () => `/lds-api/v3/log-redeliveries/${id}`, "status"),
      );
      const redeliveryDate = new Date(now - 5 * dayMs).toISOString().slice(0, 10);
      const body = { logConfiguration: { id: "163842" }, redeliveryDate, beginTime: 0, endTime: 24 };
      id = lastOf((await sent(raw, "POST", "/lds-api/v3/log-redeliveries", body)).headers["location"]);
      await watched.look();
      if (isSuspended) await sent(raw, "POST", "/lds-api/v3/log-configurations/163842/suspend");
      await watched.pass(minuteMs, 180);
      for (const step of watched.steps) steps.add(step);
    }
    return steps;
  },
};

const services = await allServices();
const lives = (
  await Promise.all(
    services.map(async ({ name }): Promise<[string, Life][]> => {
      const guide = await guideOf(name);
      return (guide?.lives ?? []).filter(({ shown }) => shown).map((life) => [`${name}: ${life.of}`, life]);
    }),
  )
).flat();

it.each(lives)("%s: the emulator takes every step of the diagram and no other", async (name, { moves }) => {
  const live = lived[name];
  if (live === undefined) return expect.fail("nobody has lived it");
  const drawn = moves
    .map(({ from = "[*]", to = "[*]" }) => `${from} --> ${to}`)
    .filter((step) => !/^(.*) --> \1$/.test(step));
  expect([...new Set(await live(startRaw()))].sort()).toEqual([...new Set(drawn)].sort());
});
