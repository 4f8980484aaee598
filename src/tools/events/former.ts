/** The exact replacement, for today's API, of calls in the form of the documents' event service. */
import type { Arguments } from "../../language/conduct.js";
import { defined, isEmpty, listAt, memberAt } from "../../language/member.js";
import { z } from "../../language/z.js";
import { isoText } from "../../time/instant.js";
import { EpochMs, members } from "../fields.js";

/** The kinds of objects by their member of `services`. */
export const kinds = {
  universalLiveStreams: "UNIVERSAL_LIVE_STREAM",
  flashLiveStreams: "FLASH_LIVE_STREAM",
  siteCPCodes: "CP_CODE",
  sripConfigs: "SRIP_SLOT",
  qosmReportPackIds: "QOS_REPORT_PACK",
} as const;
const withoutKind = ["smReportPackIds", "silverlightLiveStreams"];
/** The members of `services` in the documents' form. */
export const serviceLists: readonly string[] = [...Object.keys(kinds), ...withoutKind];

const Ids = z.array(z.union([z.int(), z.string().regex(/^\d+$/)]).transform(Number)).optional();
const Services = z.strictObject({
  ...members(Ids, ...Object.keys(kinds)),
  ...members(z.array(z.never()).optional(), ...withoutKind),
});
const instant = z.union([EpochMs.transform((ms) => isoText(ms)), z.string()]);
/** An event in the documents' form; one with something that has no counterpart today does not match. */
const Former = z.looseObject({
  start: instant,
  end: instant,
  services: Services.optional(),
  locked: z.literal(false).optional(),
  tags: z.array(z.union([z.looseObject({ name: z.string(), global: z.literal(false) }), z.string()])).optional(),
  description: z.string().nullish(),
  audienceSize: z.int().optional(),
});
const isFormer = (body: unknown): boolean =>
  EpochMs.safeParse(memberAt(body, "start")).success ||
  ["services", "locked"].some((name) => memberAt(body, name) !== undefined);

/** The call that writes the same event today; undefined for one of today's form, and for what it cannot write. */
export function formerWrite(args: Arguments): Arguments | undefined {
  const { data } = isFormer(args["body"]) ? Former.safeParse(args["body"]) : {};
  if (data === undefined) return undefined;
  const { services = {}, locked: _, tags, description, audienceSize, ...rest } = data;
  const objects = Object.entries(kinds).flatMap(([member, type]) =>
    listAt(services, member).map((id) => ({ id, type })),
  );
  const named = tags?.map((tag) => (typeof tag === "string" ? tag : tag.name));
  const filled = { ...rest, tags: named, description, audienceSize, objects };
  const body = Object.fromEntries(Object.entries(filled).filter(([, value]) => value !== 0 && !isEmpty(value)));
  return { ...args, ...(args["eventId"] !== undefined && { eventId: Number(args["eventId"]) }), body };
}

const FormerList = z.strictObject({
  ...members(instant.optional(), "startRange", "endRange"),
  sortField: z.enum(["name", "start", "end", "accountName"]).optional(),
  sortOrder: z.enum(["asc", "desc"]).default("asc"),
  startIndex: z.int().min(0).default(0),
  limit: z.int().min(1).max(1_000).optional(),
  ...members(z.unknown().optional(), "customerEventId", "period", "timeZone"),
});
const ofFormerList = ["startRange", "endRange", "sortField", "sortOrder", "startIndex", "limit"];

/** The call that lists the same events today; undefined where no page of today begins there. */
export function formerList(args: Arguments): Arguments | undefined {
  const { data } = ofFormerList.some((name) => args[name] !== undefined) ? FormerList.safeParse(args) : {};
  if (data === undefined) return undefined;
  const { startRange, endRange, sortField, sortOrder, startIndex, limit = 1_000, ...same } = data;
  if (startIndex % limit !== 0) return undefined;
  // All events are of one account, so its name sorts nothing.
  const sort = sortField === undefined || sortField === "accountName" ? undefined : `${sortField},${sortOrder}`;
  return defined({
    ...same,
    minEnd: startRange,
    maxStart: endRange,
    sort,
    page: startIndex / limit + 1,
    pageSize: limit,
  });
}
