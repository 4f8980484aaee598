/** The elements of live streaming in the order of document C, because XML is written in the order of a schema. */
import { destination } from "../../language/destination.js";
import { isSecret, secret } from "../../language/marks.js";
import { closedObject, openObject } from "../../language/open-object.js";
import { withReadOnlyMembers } from "../../language/read-only.js";
import { z } from "../../language/z.js";
import { members } from "../fields.js";
import { EventTime } from "./times.js";

const text = z.string().min(1);
const digits = z.string().regex(/^\d{1,12}$/, "digits, as text");
const Switch = z.enum(["Enabled", "Disabled"]);

/** A value in a response: text, because XML has no numbers, and leading zeros would be lost in one. */
function answeredLeaf(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodUnknown) return schema;
  const { description } = schema;
  const leaf = description === undefined ? z.string() : z.string().describe(description);
  return isSecret(schema) ? secret(leaf) : leaf;
}

function loosened(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional) return loosened(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodArray) return z.array(loosened(schema.element as z.ZodType));
  if (!(schema instanceof z.ZodObject)) return answeredLeaf(schema);
  const members = Object.entries(schema.shape as Readonly<Record<string, z.ZodType>>);
  return z.looseObject(
    Object.fromEntries(
      members.map(([name, member]) => {
        const inner = loosened(member);
        // A list is not optional: a missing one is empty.
        return [name, inner instanceof z.ZodArray ? inner : inner.optional()];
      }),
    ),
  );
}

/**
 * The same elements in a response, which can lack some and have others. Its type is that of the known elements, which
 * the emulator returns.
 */
const answered = <S extends z.ZodObject>(schema: S): S => loosened(schema) as z.ZodType as S;

/** The name of a configuration in a path (public facts C, 6). */
export const Hostname = z
  .string()
  .regex(/^(?=.{1,253}$)[A-Za-z0-9]([\w-]*\w)?(\.[A-Za-z0-9]([\w-]*\w)?)+$/, "a hostname such as live.shop.example");

/** The delivery settings of a version; document C has its elements inside `domain-version`. */
const versionContent = {
  "delivery-formats": openObject(members(Switch.optional(), "hd-flash-1.0", "adobe-hds", "apple-hls")).optional(),
  security: openObject({
    "hd-flash": openObject(
      members(text.optional(), "token-authorization", "player-verification", "geo-blocking"),
    ).optional(),
    "securehd-policy-editor": text.optional(),
  }).optional(),
  "advanced-configuration": openObject({
    "adobe-hds-advanced-config": openObject({ "hds-segment-duration": digits.optional() }).optional(),
    "hd-flash-advanced-config": openObject({ "live-delay": digits.optional() }).optional(),
    "apple-hls-advanced-config": openObject({
      "hls-segment-duration": digits.optional(),
      "audio-only-stream-from-lowest-bitrate": text.optional(),
    }).optional(),
  }).optional(),
  "hd-client-support-information": z.unknown().optional(),
  author: text.optional(),
};

/** A version to send: its number, its state and its activations are read-only. */
export const NewVersion = openObject(versionContent);

const staging = text.optional().describe("Not in the documents: an assumption of this project");
const versionInAnswer = openObject({
  version: digits,
  ...versionContent,
  "production-deployment-status": text
    .describe("Only Activated is documented; Pending and Deactivated are assumed")
    .optional(),
  "staging-deployment-status": staging,
  "activate-environment": text.optional(),
});
export const Version = answered(versionInAnswer);
/** Where a version is active. */
export const Activation = answered(
  versionInAnswer.pick({
    version: true,
    "production-deployment-status": true,
    "staging-deployment-status": true,
    "activate-environment": true,
  }),
);

const details = {
  "configuration-name": text,
  hostname: Hostname,
  "reporting-cpcode": digits,
  ...members(text.optional(), "configuration-type", "access-control-group"),
};
const archive = {
  "archive-name": text.optional(),
  "archive-cpcode": digits.describe("Unused, from live_cpcodes_list"),
  "dvr-path": text.optional(),
};
const flags = { "advanced-configuration": Switch.optional(), "fms-backup-option": Switch.optional() };

export const NewDomain = openObject({
  "configuration-details": openObject(details),
  "archive-configuration": openObject({
    ...archive,
    "archive-storage-location": text.optional().describe("From live_archive_locations_list"),
  }),
  ...flags,
  "domain-versions": openObject({ "domain-version": z.array(NewVersion).length(1) }).optional(),
});
const domainInAnswer = openObject({
  "configuration-details": openObject(details),
  "archive-configuration": openObject({ ...archive, "domain-name": text.optional() }),
  ...flags,
  "domain-versions": openObject({ "domain-version": z.array(versionInAnswer) }),
});
export const Domain = answered(domainInAnswer);
export const Domains = answered(openObject({ domain: z.array(domainInAnswer) }));

const encoder = { "primary-encoder-ip": text.optional(), "backup-encoder-ip": text.optional() };
const streamContent = {
  "stream-type": text.describe("Universal Streaming Live or HD iPhone/iPad Live"),
  "stream-name": text,
  ...members(text.optional(), "primary-contact-name", "secondary-contact-name"),
  "notification-email": destination("email", z.email()).optional(),
};
const dvr = openObject({ dvr: Switch, "dvr-window": digits.optional() }).optional();
const encoderSettings = { ...encoder, password: secret(text).optional().describe("Of the encoders") };
export const NewStream = openObject({
  ...streamContent,
  "encoder-settings": openObject(encoderSettings).optional(),
  "dvr-settings": dvr,
});
const entrypoints = openObject({ entrypoint: z.array(openObject({ type: text, "domain-name": text })) });
const streamInAnswer = openObject({
  "stream-id": digits,
  ...streamContent,
  status: text.describe("Pending or Provisioned"),
  // Passwords in responses are not documented; one that comes anyway is not shown.
  "encoder-settings": openObject({ username: text, ...encoder, password: secret(text).optional() }).optional(),
  "dvr-settings": dvr,
  entrypoints: entrypoints.optional(),
});
export const Stream = answered(streamInAnswer);
/** A stream that replaces another. */
export const StreamChange = openObject(
  withReadOnlyMembers(
    { ...NewStream.shape, "encoder-settings": openObject(withReadOnlyMembers(encoderSettings, "username")).optional() },
    streamInAnswer,
  ),
);
export const Streams = answered(
  openObject({ stream: z.array(openObject({ "stream-id": digits, "stream-type": text, "stream-name": text })) }),
);

const deletion = EventTime.describe("When its recording is deleted (ISO 8601); empty: never");
const times = openObject({
  ...members(EventTime.optional(), "archive-start-time", "archive-end-time", "on-air-time", "off-air-time"),
  "delete-time": deletion.optional(),
});
/** The fields that set when a recording is deleted. */
const deletesMore = "it could have recordings deleted";
const part = closedObject(deletesMore, withReadOnlyMembers({ "delete-time": deletion.optional() }, times)).optional();
export const EventChange = closedObject(
  deletesMore,
  withReadOnlyMembers({ "primary-event": part, "backup-event": part }, "event-name"),
).refine(
  (event) => [event["primary-event"], event["backup-event"]].some((one) => one?.["delete-time"] !== undefined),
  "a delete-time in primary-event or backup-event",
);
const eventInAnswer = openObject({ "event-name": text, ...members(times.optional(), "primary-event", "backup-event") });
export const Event = answered(eventInAnswer);
export const Events = answered(openObject({ event: z.array(eventInAnswer) }));

/** The response to most writes. */
export const Message = z.looseObject({ message: z.string() });
