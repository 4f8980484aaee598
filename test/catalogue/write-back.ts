/** The pairs of a read and the write that replaces what it shows, and where the write has each part of the answer. */
import { XMLParser } from "fast-xml-parser";
import { demoCredentials } from "../../src/emulator/credentials.js";
import { createWorld } from "../../src/emulator/world.js";
import type { AnyOperation } from "../../src/language/define.js";
import { guardOf, isRead, readerOf } from "../../src/language/effect.js";
import { resolvedExample } from "../../src/language/example.js";
import { mediaList } from "../../src/language/media.js";
import { listAt, memberAt, withMember } from "../../src/language/member.js";
import type { WireRequest } from "../../src/language/wire.js";
import { authorizer } from "../../src/wire/authorize.js";
import { createClient } from "../../src/wire/index.js";
import { translationFor } from "../../src/wire/request.js";
import { type Args, callsIn } from "../lab/calls.js";
import { createEmulator } from "../lab/emulator.js";
import { apis, operationsIn, servicesOfProject } from "../lab/project.js";

/** A read, and the write that takes what it answers. */
export interface Pair {
  readonly read: string;
  readonly write: string;
  /** Where the answer has what is written; the whole of it by default. */
  readonly from: readonly string[];
  /** Where the write's body has it; the whole of it by default. */
  readonly to: readonly string[];
  /** What the write has besides, which no answer has, or has only masked. */
  readonly besides: Args;
  /** What is written back to, where it is not what the write's example is about. */
  readonly named: Args;
  /** Lists whose items the answer shows as objects, and the write names by one of their members: that one is sent. */
  readonly namedBy: Readonly<Record<string, string>>;
  /** A number that a write has to raise. */
  readonly raised?: readonly string[];
  /** How the read is asked, beside the arguments of the write's example. */
  readonly asked: Args;
}

const services = await servicesOfProject();
const byName = new Map(operationsIn(services));

export function operationOf(name: string): AnyOperation {
  const found = byName.get(name);
  if (!found) throw new Error(`There is no ${name}.`);
  return found;
}

/** Pairs whose forms differ, or whose routes do. */
const declared: Readonly<Record<string, Partial<Pair> | "another thing">> = {
  property_rule_tree_replace: { asked: { outline: false } },
  include_rule_tree_replace: { asked: { outline: false } },
  property_hostnames_replace: { from: ["hostnames", "items"] },
  threat_list_item_replace: { from: ["items"], asked: { listId: 4541 } },
  visitor_policy_update: {
    read: "visitor_policy_get",
    from: ["response"],
    asked: { body: { policyManagerRequest: { read: { id: 102 } } } },
    to: ["policyManagerRequest", "update"],
    besides: { overwriteRules: true },
  },
  saasaccess_policy_update: {
    from: ["response"],
    to: ["policyManagerRequest", "update"],
    besides: { overwriteRules: true },
  },
  user_update: { read: "user_get" },
  user_profile_update: { read: "user_profile_get" },
  user_notifications_update: { read: "user_get", asked: { notifications: true }, from: ["notifications"] },
  user_profile_notifications_update: {
    read: "user_profile_get",
    asked: { notifications: true },
    from: ["notifications"],
  },
  user_grants_replace: { read: "user_get", asked: { authGrants: true }, from: ["authGrants"] },
  event_update: {
    read: "event_get",
    ...(apis === "today" && { namedBy: { tags: "name", audienceLocations: "code", coordinators: "userName" } }),
  },
  // The serial is a stamp that has to grow.
  dns_zone_write: { read: "dns_zone_get", named: { zone: "example.com" }, raised: ["zone", "soa", "serial"] },
  // The secret that is there, which whoever writes the key back has to know.
  dns_zone_key_replace: { besides: { secret: "bWFkZS11cC1rZXktZm9yLTIwMjY=" } },
  apiclient_update: { read: "apiclient_get", asked: { apiAccess: true, groupAccess: true, ipAcl: true } },
  edgelogic_rule_update: { read: "edgelogic_rule_get" },
  // It names two groups and moves the property from one to the other.
  user_property_move: "another thing",
};

const placeOf = (route: string): string => route.replace(/^\S+ |\?.*$/g, "").replaceAll(/\{\w+\}/g, "{}");
const reads = [...byName].filter(([, operation]) => isRead(operation) && operation.route.startsWith("GET "));

/** The read of the same address as a write that replaces what is there. */
const readRelated = ({ route, spec }: AnyOperation): string | undefined =>
  route.startsWith("PUT ") || guardOf({ spec })?.replaces !== undefined
    ? reads.find(([name, read]) => name === readerOf({ spec })?.by && placeOf(read.route) === placeOf(route))?.[0]
    : undefined;

/** All pairs of the catalogue: by their addresses, and those that are declared above. */
export const pairs: readonly Pair[] = [...byName].flatMap(([write, operation]) => {
  const own = declared[write];
  const { effect, body } = operation.spec;
  if (isRead(operation) || effect === "create" || body === undefined || own === "another thing") return [];
  const read = own?.read ?? readRelated(operation);
  return read === undefined
    ? []
    : [{ from: [], to: [], besides: {}, asked: {}, named: {}, namedBy: {}, ...own, read, write }];
});

/** What has crossed the wire, as it was. */
interface Crossing {
  readonly request: WireRequest;
  readonly answer: Uint8Array;
  readonly type: string;
}

/** Calls in a fresh world, and what crosses their wire. */
function watched() {
  const crossings: Crossing[] = [];
  const world = createWorld({ frozenAt: Date.now() });
  const emulator = createEmulator({ world });
  const client = createClient({
    send: async (request) => {
      const response = await emulator.send(request);
      const chunks: Uint8Array[] = [];
      for await (const chunk of response.body) chunks.push(chunk);
      const answer = new Uint8Array(Buffer.concat(chunks));
      crossings.push({ request, answer, type: response.headers["content-type"] ?? "" });
      const body = (async function* () {
        yield answer;
      })();
      return { ...response, body };
    },
    target: { origin: `https://${demoCredentials.host}`, vendor: "akamai" },
    authorize: authorizer(undefined, demoCredentials),
    maxResponseBytes: 1_000_000,
  });
  return { crossings, calls: callsIn(world, { client }) };
}

/** The value of a body on the wire; what XML has as text stays text, and null is what a form does not have. */
function wireValue(bytes: Uint8Array, type: string): unknown {
  const text = new TextDecoder().decode(bytes);
  if (type.includes("form-urlencoded")) {
    const form = new URLSearchParams(text);
    const whole = form.get("query");
    return whole === null ? Object.fromEntries(form) : JSON.parse(whole);
  }
  if (!type.includes("xml")) return JSON.parse(text);
  const [, root] = Object.values(
    new XMLParser({ parseTagValue: false }).parse(`<?xml version="1.0"?>${text.replace(/^<\?.*?\?>/, "")}`),
  );
  return root;
}

const picked = (args: Args, names: readonly string[]): Args =>
  Object.fromEntries(Object.entries(args).filter(([name]) => names.includes(name)));

const queryOf = ({ spec }: AnyOperation): readonly string[] => Object.keys({ ...spec.path, ...spec.query });

/** Reads what a write replaces. */
export async function readFor(
  { read, write, from, to, besides, asked, named, namedBy, raised }: Pair,
  version?: string,
) {
  const { crossings, calls } = watched();
  const { body: _, confirm: __, ...example } = resolvedExample(operationOf(write).spec.example, Date.now());
  const others = { ...example, ...named, ...(version === undefined ? {} : { version }) };
  const ask = (tool: string) =>
    calls.answer(tool, {
      ...picked(others, [...queryOf(operationOf(tool)), "version"]),
      ...(tool === read ? asked : {}),
    });
  const { lock } = operationOf(write).spec;
  const isHeader = lock !== undefined && !lock.field.startsWith("body.");
  const stamp = isHeader ? { [lock.field]: memberAt(await ask(lock.from), lock.at ?? "") } : {};
  const reply = await ask(read);
  const [answered] = crossings.slice(-1);
  const raise = (value: unknown) =>
    raised === undefined ? value : withMember(value, raised, Number(memberAt(value, raised)) + 1);
  const body = raise(memberAt(reply.body, from));
  const argsWith = (part: unknown): Args => ({
    ...others,
    ...stamp,
    body:
      to.length === 0
        ? Object.keys(besides).length === 0
          ? part
          : { ...(part as object), ...besides }
        : withMember({}, to.slice(0, 1), withMember({}, to.slice(1), { ...(part as object), ...besides })),
  });
  const withNames = (value: unknown) =>
    Object.entries(namedBy).reduce(
      (whole, [list, member]) =>
        withMember(
          whole,
          [list],
          listAt(whole, list).map((one) => memberAt(one, member)),
        ),
      value,
    );
  const words = translationFor(operationOf(write), { origin: "", vendor: "" });
  return {
    body,
    argsWith,
    /** What was answered on the wire, of the part that is written. */
    answered:
      answered && withNames(raise(words.toDocuments(memberAt(wireValue(answered.answer, answered.type), from)))),
    isText: mediaList(operationOf(write).spec.body).every(
      ({ codec, field }) => codec === "form" && field === undefined,
    ),
    /** Writes it back, and what that sends. */
    async sent(): Promise<unknown> {
      const before = crossings.length;
      const outcome = await calls.call(write, argsWith(body));
      const last =
        outcome.kind === "preview" ? await calls.call(write, { ...argsWith(body), confirm: outcome.plan.id }) : outcome;
      const made = crossings
        .slice(before)
        .find(({ request }) => request.body !== undefined && request.method === operationOf(write).route.split(" ")[0]);
      if (!made?.request.body) throw new Error(JSON.stringify(last).slice(0, 2_000));
      return words.toDocuments(memberAt(wireValue(made.request.body, made.request.headers["content-type"] ?? ""), to));
    },
  };
}
