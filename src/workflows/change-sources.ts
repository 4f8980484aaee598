/** Where the account's APIs tell what was changed when: each source reads one of them and gives its changes. */
import { NextCall } from "../api/next-call.js";
import { z } from "../api/z.js";
import { origins, policies, properties, threat } from "./activation-sources.js";
import { type Change, inBatches, lifeOf, maxThings, type Source, when, who } from "./change-source.js";

const text = z.string();
const Definitions = z.looseObject({
  data: z.array(
    z.looseObject({
      definitionId: text,
      fields: z.looseObject({ name: text.optional() }),
      editInfo: z.looseObject({ createdAt: when, createdBy: who, editAt: when, editBy: who }).optional(),
    }),
  ),
});
const alerts: Source = async (steps) => {
  const found = await steps.call("alert definitions", "alert_definitions_list", {}, Definitions);
  const changes = (found?.data ?? []).flatMap(({ definitionId, fields, editInfo }) => [
    ...lifeOf(
      `alert ${fields.name ?? definitionId}`,
      [editInfo?.createdAt, editInfo?.createdBy],
      [editInfo?.editAt, editInfo?.editBy],
      new NextCall("alert_definition_get", { definitionId }),
    ),
  ]);
  return { changes };
};

const Events = z.array(
  z.looseObject({
    id: text,
    name: text,
    createdDate: when,
    createdBy: who,
    modifiedDate: when,
    modifiedBy: who,
  }),
);
const events: Source = async (steps) => {
  const found = await steps.call("planned events", "events_list", {}, Events);
  const changes = (found ?? []).flatMap((one) => [
    ...lifeOf(
      `event ${one.name}`,
      [one.createdDate, one.createdBy],
      [one.modifiedDate, one.modifiedBy],
      new NextCall("event_get", { eventId: one.id }),
    ),
  ]);
  return { changes };
};

const Credentials = z.array(z.looseObject({ credentialId: z.int(), description: who, createdOn: when }));
const credentials: Source = async (steps, { openIdentityId }) => {
  if (openIdentityId === undefined) return { changes: [], untold: "Credentials: give openIdentityId." };
  const found = await steps.call("credentials", "credentials_list", { openIdentityId }, Credentials);
  const changes = (found ?? []).map(({ credentialId, description, createdOn }) => ({
    when: createdOn,
    what: `credential ${credentialId}${description ? ` (${description})` : ""} created`,
    readMore: new NextCall("credential_get", { openIdentityId, credentialId }),
  }));
  return { changes };
};

const Zone = z.looseObject({ zone: z.looseObject({ soa: z.looseObject({ serial: z.number() }) }) });
/** By convention a serial is the day of the change with two digits more (RFC 1912, 2.2); any other tells no time. */
const dayOfSerial = (serial: number): string | undefined => {
  const [, year, month, day] = /^(20\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])\d{2}$/.exec(String(serial)) ?? [];
  return year && `${year}-${month}-${day}`;
};
const zones: Source = async (steps, { zones: names = [] }) => {
  const unread = names.length === 0 ? ["Zones: give zones."] : [];
  const changes = await inBatches(names.slice(0, maxThings), async (zone): Promise<Change[]> => {
    const found = await steps.call(`zone ${zone}`, "dns_zone_get", { zone }, Zone);
    if (found === undefined) return [];
    const { serial } = found.zone.soa;
    const day = dayOfSerial(serial);
    if (day === undefined) unread.push(`Zone ${zone}: its serial ${serial} tells no day.`);
    const what = `zone ${zone} changed on that day, by its serial ${serial}`;
    return [{ when: day, what, readMore: new NextCall("dns_zone_get", { zone }) }];
  });
  return { changes: changes.flat(), ...(unread.length > 0 ? { untold: unread.join(" ") } : {}) };
};

/** What no API lists by time, with the tool that tells of one thing. */
const nowhere: Source = async () => ({
  changes: [],
  untold:
    "Purges are not listed: purge_status tells of one by its id. Certificate changes have no times: cert_enrollment_status tells what is pending. Deletions are told nowhere.",
});

/** All sources, by the kind of what was changed. */
export const sources: Readonly<Record<string, Source>> = {
  property: properties,
  policy: policies,
  loadBalancer: origins,
  threat,
  alert: alerts,
  event: events,
  credential: credentials,
  zone: zones,
  other: nowhere,
};
