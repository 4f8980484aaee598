/** The bodies and responses of the log-delivery API: log sources, parameters, configurations and redeliveries (public facts C, 4). */
import { destination } from "../../language/destination.js";
import { markSchema, secret } from "../../language/marks.js";
import { isRecord } from "../../language/member.js";
import { closedObject, openObject } from "../../language/open-object.js";
import { repeated, withReadOnlyMembers } from "../../language/read-only.js";
import { z } from "../../language/z.js";
import { Day, members } from "../fields.js";

const text = z.string();
/** A numeric id: document C has a number in the path and a string in responses, and both forms are in use. */
export const NumericId = z.union([z.int().positive(), text.regex(/^\d{1,18}$/, "a numeric id")]);
export const ParameterId = text.regex(/^[\w.-]{1,64}$/, "the id of a parameter, such as 2");

export const LogSourceType = z.enum(["cpcode-products", "gtm", "edns", "answerx", "etp"]);
/** The words that other paths have in place of a log source's id are not ids. */
const LogSourceId = text.regex(
  /^(?!(?:log-configurations|log-formats|encodings)$)[^\s/]{1,128}$/,
  "the id of a log source, such as 200957-1",
);
/** A log source in a path. */
export const source = { logSourceType: LogSourceType, logSourceId: LogSourceId };
export const DeliveryType = z.enum(["email", "ftp", "httpsns4"]);

const links = markSchema(
  z.array(z.looseObject({ rel: text, href: text, method: text.optional(), title: text.optional() })),
  { link: true },
).optional();
/** One choice for a member of a configuration. */
export const Parameter = z.looseObject({ id: text, value: text.optional(), links });

export const LogSource = z.looseObject({
  ...members(text, "id", "type"),
  logRetentionDays: z.int().optional().describe("Days for which logs can be redelivered"),
  cpCode: text.optional(),
  products: z.array(text).optional(),
  ...members(text.optional(), "zoneName", "propertyName", "name"),
  links,
});

/** The people who are notified of the delivery. */
export const MailAddresses = z.array(destination("email", text.min(1)));

const answeredId = z.union([text, z.int()]);
export const LogConfiguration = z.looseObject({
  id: answeredId,
  status: text.describe("active, suspended or expired"),
  startDate: text,
  endDate: text.nullish(),
  logSource: LogSource,
  contactDetails: z.looseObject({ contact: Parameter, mailAddresses: z.array(destination("email", text)).optional() }),
  logFormatDetails: z.looseObject({ logFormat: Parameter, logIdentifier: text.optional() }),
  messageSize: Parameter,
  aggregationDetails: z.looseObject({
    type: text,
    ...members(Parameter.optional(), "deliveryFrequency", "deliveryThreshold"),
    deliverResidualData: z.boolean().optional(),
  }),
  encodingDetails: z.looseObject({ encoding: Parameter, encodingKey: text.nullish() }),
  deliveryDetails: z.looseObject({
    type: text,
    emailAddress: destination("email", text).optional(),
    machine: destination("host", text).optional(),
    login: text.optional(),
    password: secret(text).optional(),
    domainPrefix: destination("host", text).optional(),
    cpcodeId: z.int().optional(),
    directory: text.optional(),
  }),
  links,
});

export const Redelivery = z.looseObject({
  id: answeredId,
  logConfiguration: z.looseObject({ id: answeredId, links }),
  redeliveryDate: text,
  ...members(z.int().optional(), "beginTime", "endTime"),
  status: text.describe("Such as new, scheduled, success, failed"),
  ...members(text.optional(), "createdDate", "modifiedDate"),
  links,
});

/** A choice in a write: the API sets its title and its links. */
const chosen = openObject(withReadOnlyMembers({ id: ParameterId }, Parameter));
const directory = text.min(1).optional();
const unseen = "it could send logs to a destination that no policy has checked";
/** Where logs go; the type decides the members. */
const Delivery = z.discriminatedUnion("type", [
  closedObject(unseen, { type: z.literal("email"), emailAddress: destination("email", text.min(1)) }),
  closedObject(unseen, {
    type: z.literal("ftp"),
    machine: destination("host", text.min(1)),
    login: text.min(1).optional(),
    password: secret(text.min(1)).optional(),
    directory,
  }),
  closedObject(unseen, {
    type: z.literal("httpsns4"),
    // The first label of the storage host that logs are uploaded to.
    domainPrefix: destination("host", text.min(1)),
    cpcodeId: z.int().positive(),
    directory,
  }),
]);
/** The empty password of a response means none: a replacement without one removes it, and its preview says so. */
export const DeliveryDetails = z.preprocess(
  (value) => {
    if (!isRecord(value) || value["password"] !== "") return value;
    const { password: _, ...rest } = value;
    return rest;
  },
  Delivery.meta({
    examples: [
      { type: "email", emailAddress: "operations@shop.example" },
      { type: "ftp", machine: "logs.shop.example", login: "edge", directory: "/api" },
      { type: "httpsns4", domainPrefix: "exampleshops", cpcodeId: 67_890, directory: "/logs" },
    ],
  }),
);
const otherKind = "it would belong to the other kind of aggregation";
export const writtenConfiguration = {
  startDate: Day.describe("Tomorrow or later"),
  endDate: Day.nullish(),
  contactDetails: closedObject(unseen, { contact: chosen, mailAddresses: MailAddresses.optional() }),
  logFormatDetails: openObject({ logFormat: chosen, logIdentifier: text.min(1).optional() }),
  messageSize: chosen,
  aggregationDetails: z.discriminatedUnion("type", [
    closedObject(otherKind, { type: z.literal("byLogArrival"), deliveryFrequency: chosen }),
    closedObject(otherKind, {
      type: z.literal("byHitTime"),
      deliveryThreshold: chosen,
      deliverResidualData: z.boolean().optional(),
    }),
  ]),
  encodingDetails: openObject({ encoding: chosen, encodingKey: text.min(1).nullish() }),
  deliveryDetails: DeliveryDetails,
};
/** A log source in a request. */
export const SourceReference = openObject({ id: LogSourceId, type: LogSourceType });

/** A whole configuration in a replacement, which may be sent back as it was read. */
export const ReplacedConfiguration = openObject(
  withReadOnlyMembers(
    {
      ...writtenConfiguration,
      // A configuration stays with its source, which the API knows from the path: a body without it removes nothing.
      logSource: repeated(openObject(withReadOnlyMembers(SourceReference.shape, LogSource)).optional()),
    },
    LogConfiguration,
  ),
);
