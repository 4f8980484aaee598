/** How an answer looks in a version of the API: links into that version, and ids with prefixes where these are wanted. */
import { withEach } from "../../../language/member.js";
import { RequestRefusal } from "../../reply.js";
import type { World } from "../../world.js";
import { stateOf } from "./world.js";

const withoutPrefix = (text: string): string =>
  text.replace(/^(aid|act|atv|cpc|ctr|ehn|grp|prd|prp)_(?=[A-Za-z0-9])/, "");

function stripped(value: unknown, member: string | number = ""): unknown {
  if (typeof value === "string") return /Ids?$/.test(String(member)) ? withoutPrefix(value) : value;
  const isList = Array.isArray(value);
  return typeof value === "object" && value !== null
    ? withEach(value, (inner, key) => stripped(inner, isList ? member : key))
    : value;
}

/** A value with its links into the version; the behaviours make those of the first one. */
const linkedTo = (version: string, value: unknown): unknown => {
  if (typeof value === "string") return value.replace(/^\/papi\/v0\//, `/papi/${version}/`);
  return typeof value === "object" && value !== null ? withEach(value, (inner) => linkedTo(version, inner)) : value;
};

interface Answering {
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
type Behaviour = (call: { readonly headers: Readonly<Record<string, string>> }, world: World) => Answering;

/** A behaviour as a version has it. The header of a request says whether ids have prefixes, or else the client's settings do. */
const behaviourIn =
  (version: string, behaviour: Behaviour): Behaviour =>
  (call, world) => {
    try {
      const reply = behaviour(call, world);
      const prefixHeader = call.headers["papi-use-prefixes"];
      const isPlain = prefixHeader === undefined ? !stateOf(world).settings.usePrefixes : prefixHeader === "false";
      const { body, headers } = linkedTo(version, reply) as Answering;
      return { ...reply, body: isPlain ? stripped(body) : body, ...(headers && { headers }) };
    } catch (error) {
      if (!(error instanceof RequestRefusal)) throw error;
      throw new RequestRefusal(
        error.status,
        error.title,
        error.detail,
        linkedTo(version, error.extras) as RequestRefusal["extras"],
      );
    }
  };

/** The behaviours of the service as a version of the API has them. */
export const behavioursInVersion = <B extends object>(version: "v0" | "v1", behaviours: B): B =>
  Object.fromEntries(
    Object.entries(behaviours).map(([tool, behaviour]) => [tool, behaviourIn(version, behaviour as Behaviour)]),
  ) as B;
