/** Who watched and downloaded what: sessions that follow from the requests that the reports count, or of one viewer each. */
import { hourMs } from "../../../time/durations.js";
import type { World } from "../../world.js";
import { everyHost, visitorIp } from "../account.js";
import { currentCpCodes } from "../properties/served.js";
import { hitsByCode, serverErrorsIn, sum } from "../reporting/series.js";
import { type ExampleStream, streamsOf } from "../streams.js";

/** What can be watched or downloaded, by all or by one viewer. */
export interface MediaSubject extends ExampleStream {
  readonly viewer?: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Sums over a period; they add up, and are rounded only when rows are written. */
export interface SessionSums {
  readonly plays: number;
  readonly failures: number;
}

/** How many requests one session makes, for the parts of a stream or of a download. */
const requestsPerSession = 50;
/** How likely a viewer is to begin a session of a stream in an hour. */
const sessionChance = 0.04;

const streamSubjects = (world: World): readonly MediaSubject[] =>
  [...streamsOf(world).values()].map(
    ({ createdAtMs: fromMs, deletedAtMs: toMs = Number.POSITIVE_INFINITY, ...one }) => {
      return { ...one, fromMs, toMs };
    },
  );

/** The viewers that the world has: its visitors, by address. */
const viewers = Array.from({ length: 40 }, (_, at) => visitorIp(at / 190));

export type SubjectKind = "streams" | "streamsByViewer" | "downloads";

export const subjectsOf: Readonly<Record<SubjectKind, (world: World) => readonly MediaSubject[]>> = {
  streams: streamSubjects,
  streamsByViewer: (world) =>
    streamSubjects(world).flatMap((subject) => viewers.map((viewer) => ({ ...subject, viewer }))),
  downloads: (world) =>
    currentCpCodes(world).map(({ id }) => ({
      id,
      name: `CP code ${id}`,
      cpCode: id,
      hostName: everyHost.find(({ cpCode }) => String(cpCode) === id)?.name ?? "",
      fromMs: 0,
      toMs: Number.POSITIVE_INFINITY,
    })),
};

/** A stream's part of its CP code's sessions; those of several streams never exceed the whole. */
const partOf = (world: World, { id }: MediaSubject): number => (0.5 + 0.5 * world.noise("stream", id)) / 3;

/** The sessions of one viewer: at most one an hour and stream, each at a moment that any period has or has not. */
function viewerSums(world: World, { id, viewer = "" }: MediaSubject, from: number, to: number): SessionSums {
  let plays = 0;
  let failures = 0;
  for (let hour = Math.floor(from / hourMs) * hourMs; hour < to; hour += hourMs) {
    const chance = world.noise("session", viewer, id, hour / hourMs);
    const at = hour + (chance / sessionChance) * hourMs;
    if (chance >= sessionChance || at < from || at >= to) continue;
    plays += 1;
    failures += world.noise("failure", viewer, id, hour / hourMs) < 0.02 ? 1 : 0;
  }
  return { plays, failures };
}

/** The sessions of a subject in a period: none before it was created or after it was deleted. */
export function sumsOf(world: World, subject: MediaSubject, periodFrom: number, periodTo: number): SessionSums {
  const from = Math.max(periodFrom, subject.fromMs);
  const to = Math.min(periodTo, subject.toMs);
  if (from >= to) return { plays: 0, failures: 0 };
  if (subject.viewer !== undefined) return viewerSums(world, subject, from, to);
  const byCode = hitsByCode(world, subject.cpCode, from, to);
  const part = partOf(world, subject) / requestsPerSession;
  return { plays: sum(Object.values(byCode)) * part, failures: serverErrorsIn(byCode) * part };
}
