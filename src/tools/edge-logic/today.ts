/** Edge logic as the vendor runs it (Cloudlets v2): the operations of the documents, but for how an origin is created. */
import { carry } from "../../language/carry.js";
import { json, op } from "../../language/define.js";
import { service } from "../../language/service.js";
import { edgeLogic, edgeLogicRules } from "./index.js";
import { originDescription, originId, originOperations } from "./origins.js";

const { spec: former } = originOperations.edgelogic_origin_create;

/** An origin's id is in the body and not in the path (public facts B, 4). */
const creation = op("POST /cloudlets/api/v2/origins", {
  does: former.does,
  body: json({ originId, description: originDescription }),
  returns: former.returns,
  effect: "create",
  shownBy: "edgelogic_origins_list",
  means: former.means ?? {},
  formerly: ({ originId: id, body }) =>
    id === undefined ? undefined : { body: { ...(typeof body === "object" ? body : {}), originId: id } },
  example: { body: { originId: "apiBalancer", description: "Shop API in two regions" } },
});

export const edgeLogicToday = service("edgelogic", {
  name: "edge-logic-today",
  document: "today",
  title: edgeLogic.title,
  about: edgeLogic.about,
  standing: edgeLogic.standing,
  ...(edgeLogic.rateLimit && { rateLimit: edgeLogic.rateLimit }),
  replaces: { services: ["edge-logic"], gone: {} },
  vendorWords: edgeLogic.vendorWords ?? [],
  ids: { ...edgeLogic.ids },
  rules: edgeLogicRules,
  resources: edgeLogic.resources ?? [],
  operations: carry(edgeLogic.operations, {
    route: (route) => route,
    change: { edgelogic_origin_create: () => creation },
  }),
});
