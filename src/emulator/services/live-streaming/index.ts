/** The live-streaming service of the emulated account: writes take effect, and objects change with time. */
import type { z } from "../../../language/z.js";
import { liveStreaming as declared } from "../../../tools/live-streaming/index.js";
import type * as Shapes from "../../../tools/live-streaming/shapes.js";
import { eventMs, eventTime } from "../../../tools/live-streaming/times.js";
import { activationStateOf } from "../../primitives/activation.js";
import { findIn } from "../../primitives/store.js";
import { badRequest, type ErrorFormat, ok } from "../../reply.js";
import { emulateService } from "../../service.js";
import type { World } from "../../world.js";
import { locations, owner, people } from "../account.js";
import { currentCpCodes } from "../properties/served.js";
import { streamsOf } from "../streams.js";
import {
  eventOf,
  eventsOf,
  isKept,
  type LiveDomain,
  type LiveEnvironment,
  type LiveEvent,
  lastsMs,
  type StreamContent,
  stateOf,
  streamOf,
  streamsIn,
  streamTypes,
  unusedCpCodes,
  usualContent,
} from "./store.js";

/** Errors are XML with one `error` element inside the root (public facts C, 6). */
const errorFormat: ErrorFormat = ({ detail }) => ({ body: { error: detail }, type: "application/xml", root: "errors" });

const done = (text: string) => ok({ message: text });

/** Ends a stream; what was watched of it stays with media analytics. */
function deleteStream(world: World, id: string): void {
  const shared = streamsOf(world).get(id);
  if (shared) streamsOf(world).set(id, { ...shared, deletedAtMs: world.now() });
  stateOf(world).streams.delete(id);
}

function checkType(content: StreamContent): void {
  const type = content["stream-type"];
  if (!streamTypes.some((one) => one === type))
    throw badRequest(`stream-type: ${type} is none of ${streamTypes.join(", ")}`);
}

const english = new Intl.DisplayNames("en", { type: "region" });

/** The places of the network, as storage locations are called. */
const archiveLocations = locations.map(({ value }, at) => ({
  id: String(at + 1),
  name: value.split(",")[0] ?? value,
}));

const cpCodeItems = (codes: readonly { readonly id: string; readonly name: string }[]) => ({
  "cpcode-list": codes.map(({ id, name }) => ({ cpcode: id, "cpcode-name": name })),
});

const words = { pending: "Pending", active: "Activated", deactivated: "Deactivated" } as const;

const versionOf = (domain: LiveDomain, number: number) =>
  findIn(domain.versions, { number }, `There is no version ${number}`);

/** The status of a version in an environment; undefined if it was never activated there. */
function deploymentStatus(world: World, domain: LiveDomain, number: number, environment: LiveEnvironment) {
  const activations = domain.activations.filter((one) => one.environment === environment);
  const last = activations.findLast(({ version }) => version === number);
  return last && words[activationStateOf(world, activations, last)];
}

/** Where a version is active, with the environment of its last activation. */
const activationBody = (world: World, domain: LiveDomain, number: number) => ({
  version: String(versionOf(domain, number).number),
  "production-deployment-status": deploymentStatus(world, domain, number, "Production") ?? "Inactive",
  "staging-deployment-status": deploymentStatus(world, domain, number, "Staging"),
  "activate-environment": domain.activations.findLast(({ version }) => version === number)?.environment,
});

function versionBody(world: World, domain: LiveDomain, number: number) {
  const { version, ...state } = activationBody(world, domain, number);
  return { version, ...versionOf(domain, number).content, ...state };
}

function domainBody(world: World, domain: LiveDomain): z.output<typeof Shapes.Domain> {
  const { content, hostname, versions } = domain;
  const { "archive-storage-location": _, ...archive } = content["archive-configuration"];
  return {
    ...content,
    "archive-configuration": { ...archive, "domain-name": `archive-${hostname}` },
    "domain-versions": { "domain-version": versions.map(({ number }) => versionBody(world, domain, number)) },
  };
}

const provisionedAfterMs = 120_000;
function streamBody(world: World, hostname: string, id: string): z.output<typeof Shapes.Stream> {
  const { shared, own } = streamOf(world, hostname, id);
  const { "encoder-settings": encoder, "dvr-settings": dvr, ...rest } = own.content;
  const { password: _, ...addresses } = encoder ?? {};
  const isProvisioned = world.now() >= shared.createdAtMs + provisionedAfterMs;
  const entrypoint = ["Primary", "Backup"].map((type) => ({
    type,
    "domain-name": `${type.slice(0, 1).toLowerCase()}.ep${id}.i.${world.vendor}entrypoint.net`,
  }));
  return {
    "stream-id": id,
    ...rest,
    status: isProvisioned ? "Provisioned" : "Pending",
    "encoder-settings": { username: id, ...addresses },
    "dvr-settings": dvr,
    entrypoints: isProvisioned ? { entrypoint } : undefined,
  };
}

function eventBody(world: World, { name, startAtMs, endAtMs, deletions }: LiveEvent): z.output<typeof Shapes.Event> {
  // A time that lies ahead is empty.
  const passed = (ms: number) => (ms <= world.now() ? eventTime(ms) : "");
  const times = (deletedAtMs: number | undefined, isOnAir: boolean) =>
    isKept(world, deletedAtMs)
      ? {
          "archive-start-time": passed(startAtMs),
          "archive-end-time": passed(endAtMs),
          "on-air-time": isOnAir ? passed(startAtMs) : "",
          "off-air-time": isOnAir ? passed(endAtMs) : "",
          "delete-time": deletedAtMs === undefined ? "" : eventTime(deletedAtMs),
        }
      : undefined;
  return {
    "event-name": name,
    "primary-event": times(deletions.primary, true),
    "backup-event": times(deletions.backup, false),
  };
}

export const liveStreaming = emulateService(declared, errorFormat, {
  live_domains_list: (_, world) =>
    ok({
      domain: stateOf(world).domains.all.map((one) => domainBody(world, one)),
    }),
  live_domain_create: ({ body }, world) => {
    const { "domain-versions": versions, ...content } = body;
    const { hostname, "reporting-cpcode": reporting } = content["configuration-details"];
    const { "archive-cpcode": archive, "archive-storage-location": location } = content["archive-configuration"];
    const { domains } = stateOf(world);
    if (domains.has(hostname)) throw badRequest(`The hostname ${hostname} is taken`);
    if (!currentCpCodes(world).some(({ id }) => id === reporting))
      throw badRequest(`reporting-cpcode: there is no CP code ${reporting}`);
    if (!unusedCpCodes(world).some(({ id }) => id === archive))
      throw badRequest(`archive-cpcode: ${archive} is no unused network-storage CP code for live streaming`);
    if (location !== undefined && !archiveLocations.some(({ id, name }) => location === name || location === id))
      throw badRequest(`archive-storage-location: there is no location ${location}`);
    const first = { number: 1, content: versions?.["domain-version"][0] ?? usualContent };
    domains.add({ hostname, content, versions: [first], activations: [] });
    return done(`The configuration ${hostname} was created with version 1`);
  },
  live_domain_get: ({ path }, world) => ok(domainBody(world, stateOf(world).domains.find(path.domain))),
  live_domain_delete: ({ path }, world) => {
    for (const { shared } of streamsIn(world, path.domain)) deleteStream(world, shared.id);
    stateOf(world).domains.delete(path.domain);
    return done(`The configuration ${path.domain} was deleted`);
  },

  live_streams_list: ({ path }, world) => {
    const stream = streamsIn(world, path.domain).map(({ shared, own: { content } }) => ({
      "stream-id": shared.id,
      "stream-type": content["stream-type"],
      "stream-name": content["stream-name"],
    }));
    return ok({ stream });
  },
  live_stream_create: ({ path, body }, world) => {
    const { content } = stateOf(world).domains.find(path.domain);
    checkType(body);
    const id = String(world.next("stream", 201_047));
    const { "reporting-cpcode": cpCode } = content["configuration-details"];
    const name = body["stream-name"];
    streamsOf(world).set(id, { id, name, cpCode, hostName: path.domain, createdAtMs: world.now() });
    stateOf(world).streams.add({ id, content: body, events: [] });
    return ok(streamBody(world, path.domain, id));
  },
  live_stream_get: ({ path }, world) => ok(streamBody(world, path.domain, path.streamId)),
  live_stream_update: ({ path, body }, world) => {
    const { shared, own } = streamOf(world, path.domain, path.streamId);
    checkType(body);
    const { password = own.content["encoder-settings"]?.password, ...encoder } = body["encoder-settings"] ?? {};
    own.content = { ...body, "encoder-settings": { ...encoder, password } };
    streamsOf(world).set(shared.id, { ...shared, name: body["stream-name"] });
    return done(`The stream ${shared.id} was changed`);
  },
  live_stream_delete: ({ path }, world) => {
    const { shared } = streamOf(world, path.domain, path.streamId);
    deleteStream(world, shared.id);
    return done(`The stream ${shared.id} was deleted`);
  },

  live_events_list: ({ path }, world) =>
    ok({ event: eventsOf(world, path.domain, path.streamId).map((one) => eventBody(world, one)) }),
  live_event_get: ({ path }, world) => ok(eventBody(world, eventOf(world, path.domain, path.streamId, path.eventName))),
  live_event_update: ({ path, body }, world) => {
    const { deletions } = eventOf(world, path.domain, path.streamId, path.eventName);
    for (const part of ["primary", "backup"] as const) {
      const time = body[`${part}-event`]?.["delete-time"];
      if (time !== undefined) deletions[part] = eventMs(time);
    }
    return done(`The event ${path.eventName} was changed`);
  },
  live_event_delete: ({ path }, world) => {
    const event = eventOf(world, path.domain, path.streamId, path.eventName);
    const { events } = streamOf(world, path.domain, path.streamId).own;
    events.splice(events.indexOf(event), 1);
    return done(`The event ${path.eventName} was deleted`);
  },

  live_version_create: ({ path, body }, world) => {
    const { versions } = stateOf(world).domains.find(path.domain);
    const number = (versions.at(-1)?.number ?? 0) + 1;
    versions.push({ number, content: { ...body, author: body.author ?? owner.email } });
    return done(`Version ${number} was created`);
  },
  live_version_get: ({ path }, world) =>
    ok(versionBody(world, stateOf(world).domains.find(path.domain), path.versionId)),
  live_activation_get: ({ path }, world) =>
    ok(activationBody(world, stateOf(world).domains.find(path.domain), path.versionId)),
  live_version_activate: ({ path, query }, world) => {
    const domain = stateOf(world).domains.find(path.domain);
    const { number } = versionOf(domain, path.versionId);
    const { environment } = query;
    const isPending = domain.versions.some(
      (one) => deploymentStatus(world, domain, one.number, environment) === "Pending",
    );
    if (isPending) throw badRequest(`A version is being activated in the environment ${environment}`);
    domain.activations.push({ version: number, environment, atMs: world.now(), lastsMs: lastsMs[environment] });
    return done(`Version ${number} is being activated in the environment ${environment}`);
  },

  live_archive_locations_list: () => ok({ repSetList: archiveLocations }),
  live_contacts_list: () =>
    ok({
      contactList: people.map(({ firstName, lastName }, at) => ({
        name: `${firstName} ${lastName}`,
        pin: `0${4_021 + at}`,
      })),
    }),
  live_countries_list: () =>
    ok({
      geoCountryList: [...new Set(locations.map(({ countryCode }) => countryCode))].map((countryCode) => ({
        countryCode,
        countryName: english.of(countryCode) ?? countryCode,
      })),
    }),
  live_cpcodes_list: (_, world) =>
    ok({
      "reporting-cpcode-list": cpCodeItems(currentCpCodes(world)),
      "netstorage-cpcode-list": cpCodeItems(unusedCpCodes(world)),
    }),
  live_delivery_formats_list: () => ok({ "hd-flash-1.0": "Enabled", "adobe-hds": "Enabled", "apple-hls": "Enabled" }),
  live_ingest_formats_list: () => ok({ "stream-type": [...streamTypes] }),
});
