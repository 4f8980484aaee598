/** Lives that end in several ways, each in an emulator of its own: certificates, log delivery and live streaming. */
import { expect } from "vitest";
import { memberAt } from "../../src/language/member.js";
import { certificates } from "../../src/tools/certificates/index.js";
import { now, startRaw } from "../lab/raw.js";
import { dayMs, type Lives, lastOf, minuteMs, sent, Watched, watch } from "./watched.js";

export const longLives: Lives = {
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
      const enrollments = "/cps/v2/enrollments?contractId=C-1FRYVV3";
      const made = await write("POST", enrollments, "enrollment-status.v1", "enrollment.v4", own);
      path = made.changes?.[0] ?? "";
      await watched.look();
      if (end === "cancelled while it runs") await write("DELETE", path, "change-id.v1");
      else {
        await watched.pass(minuteMs, 2);
        if (end === "cancelled while it waits") await write("DELETE", path, "change-id.v1");
        else {
          const upload = { certificate, trustChain: certificate };
          const input = `${path}/input/update`;
          const kind = "certificate-and-trust-chain.v1";
          await write("POST", `${input}/third-party-cert-and-trust-chain`, "change-id.v1", kind, upload);
          await watched.look();
          await watched.pass(minuteMs, 2);
          await watched.pass(minuteMs, 10);
          if (end === "too late") {
            const notAfter = new Date(now + 20 * minuteMs).toISOString();
            await write("PUT", `${path}/deployment-schedule`, "change-id.v1", "deployment-schedule.v1", { notAfter });
            raw.world.advance(dayMs);
          }
          const info = `${path}/input/info/change-management-info`;
          const { validationResultHash: hash } = await get(info, "change-management-info.v5");
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
      deliveryDetails: { type: "ftp", machine: "logs.shop.example", login: "edge", password: "p", directory: "/" },
    };
    // Each ending needs a configuration of its own, and a source has one at most.
    for (const life of [
      ["suspend", "resume", "DELETE"],
      ["suspend", "DELETE"],
      ["expire", "DELETE"],
      ["suspend", "expire"],
    ]) {
      const own = startRaw();
      const source = "/lds-api/v3/log-sources/cpcode-products/12346-1/log-configurations";
      const { headers } = await sent(own, "POST", source, body);
      const at = `/lds-api/v3/log-configurations/${lastOf(headers["location"])}`;
      const watched = await watch(own, at, "status");
      for (const what of life) {
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
      const body = "<stream><stream-type>Universal Streaming Live</stream-type><stream-name>n</stream-name></stream>";
      const made = await raw.ask({ method: "POST", target: at, headers: { "content-type": "application/xml" }, body });
      const [, id] = /<stream-id>(\d+)</.exec(made.text) ?? [];
      const watched = await watch(raw, `${at}/${id}`, "status");
      if (!isDeletedAtOnce) await watched.pass(minuteMs, 3);
      await sent(raw, "DELETE", `${at}/${id}`);
      await watched.look();
      for (const step of watched.steps) steps.add(step);
    }
    return steps;
  },

  "live-streaming: a version in an environment": async (raw) => {
    const at = "/config-media-live/v1/live/live.shop.example/version";
    const watched = new Watched(raw, async () => {
      const { text } = await raw.get(`${at}/2/activation`);
      // Inactive is there, and has not been on the way yet.
      return /<production-deployment-status>((?!Inactive)[^<]*)</.exec(text)?.[1];
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
      const redeliveryDate = new Date(now - 5 * dayMs).toISOString().slice(0, 10);
      const body = { logConfiguration: { id: "163842" }, redeliveryDate, beginTime: 0, endTime: 24 };
      const { headers } = await sent(raw, "POST", "/lds-api/v3/log-redeliveries", body);
      const watched = await watch(raw, `/lds-api/v3/log-redeliveries/${lastOf(headers["location"])}`, "status");
      if (isSuspended) await sent(raw, "POST", "/lds-api/v3/log-configurations/163842/suspend");
      await watched.pass(minuteMs, 180);
      for (const step of watched.steps) steps.add(step);
    }
    return steps;
  },
};
