/** Lives in services of today that no other generation has: zones with drafts, lists, includes, bulk jobs, diagnostics. */
import { memberAt } from "../../src/language/member.js";
import { asToday, type Lives, lastOf, minuteMs, secondMs, sent, union, watch } from "./watched.js";

const notifyEmails = ["operations@shop.example"];

export const livesOfToday: Lives = {
  "includes: an activation": async (given) => {
    const raw = asToday(given);
    const at = "/papi/v1/includes/inc_310001/activations";
    const activated = async (includeVersion: number) => {
      const body = { includeVersion, network: "STAGING", notifyEmails, acknowledgeAllWarnings: true };
      const id = lastOf((await sent(raw, "POST", at, body)).headers["location"]);
      const watched = await watch(raw, `${at}/${id}`, "activations.items.0.status");
      return { id, watched };
    };
    const first = await activated(2);
    await first.watched.pass(secondMs, 20);
    const { id, watched: cancelled } = await activated(1);
    await sent(raw, "DELETE", `${at}/${id}`);
    await cancelled.look();
    await activated(1);
    await first.watched.pass(secondMs, 20);
    return union(first.watched, cancelled);
  },

  "property-bulk: a bulk activation": async (given) => {
    const raw = asToday(given);
    const wanted = { propertyId: "prp_175780", propertyVersion: 3, network: "STAGING" };
    const defaultActivationSettings = { notifyEmails, acknowledgeAllWarnings: true };
    const body = { activatePropertyVersions: [wanted], defaultActivationSettings };
    const { headers } = await sent(raw, "POST", "/papi/v1/bulk/activations", body);
    const watched = await watch(
      raw,
      `/papi/v1/bulk/activations/${lastOf(headers["location"])}`,
      "bulkActivationStatus",
    );
    return watched.pass(secondMs, 20);
  },

  "dns-v2: a zone": async (raw) => {
    const at = "/config-dns/v2";
    const created = async (zone: string, settings: object) => {
      await sent(raw, "POST", `${at}/zones?contractId=C-1FRYVV3&gid=11111`, { zone, ...settings });
      return watch(raw, `${at}/zones/${zone}`, "activationState");
    };
    const secondary = await created("fetched.example", { type: "SECONDARY", masters: ["203.0.113.90"] });
    const primary = await created("own.example", { type: "PRIMARY" });
    await sent(raw, "POST", `${at}/changelists?zone=own.example`);
    await sent(raw, "POST", `${at}/changelists/own.example/submit?skipSignAndServeSafetyCheck=false`);
    await primary.look();
    await sent(raw, "POST", `${at}/zones/delete-requests?bypassSafetyChecks=true`, { zones: ["own.example"] });
    await primary.pass(secondMs, 30);
    return union(secondary, primary);
  },

  "network-lists: a list on a network": async (raw) => {
    const at = "/network-list/v2/network-lists";
    const written = { name: "Guests", description: "Visitors", type: "IP", list: ["192.0.2.9"] };
    const created = async () => {
      const id = String(memberAt((await sent(raw, "POST", at, written)).json(), "uniqueId"));
      const watched = await watch(raw, `${at}/${id}/environments/STAGING/status`, "activationStatus");
      return { id, watched };
    };
    const deleted = await created();
    await sent(raw, "DELETE", `${at}/${deleted.id}`);
    await deleted.watched.look();
    const { id, watched } = await created();
    const activate = () => sent(raw, "POST", `${at}/${id}/environments/STAGING/activate`, {});
    await activate();
    await watched.pass(secondMs, 90);
    await sent(raw, "PUT", `${at}/${id}`, { ...written, list: ["192.0.2.10"], syncPoint: 0 });
    await watched.look();
    await activate();
    await watched.pass(secondMs, 20);
    return union(deleted.watched, watched);
  },

  "edge-diagnostics: a launched diagnostic": async (raw) => {
    const at = "/edge-diagnostics/v1/url-health-check";
    const launched = async () => {
      const body = { url: "http://www.shop.example/sale" };
      const id = memberAt((await sent(raw, "POST", at, body)).json(), "requestId");
      const watched = await watch(raw, `${at}/requests/${String(id)}`, "executionStatus");
      await watched.pass(secondMs, 5);
      return watched;
    };
    const ran = await launched();
    // The CDN stops serving the host while the next one is under way.
    const body = { propertyVersion: 2, network: "PRODUCTION", notifyEmails, activationType: "DEACTIVATE" };
    await sent(raw, "POST", "/papi/v0/properties/prp_175780/activations/", body);
    raw.world.advance(8 * minuteMs - secondMs);
    return union(ran, await launched());
  },
};
