/** Edge logic as the vendor runs it (Cloudlets v2): the operations of the documents, but for how an origin is created. */
import { carryOperations } from "../../language/carry.js";
import { json, op } from "../../language/define.js";
import { service } from "../../language/service.js";
import { edgeLogic } from "./index.js";
import { originDescription, originId, originOperations } from "./origins.js";

const { frontLine: _, ...former } = edgeLogic;
const { does, returns, means = {} } = originOperations.edgelogic_origin_create.spec;

export const edgeLogicToday = service("edgelogic", {
  ...former,
  name: "edge-logic-today",
  document: "today",
  replaces: { services: ["edge-logic"], gone: {} },
  operations: carryOperations(edgeLogic.operations, {
    route: (route) => route,
    change: {
      // An origin's id is in the body and not in the path (public facts B, 4).
      edgelogic_origin_create: () =>
        op("POST /cloudlets/api/v2/origins", {
          does,
          body: json({ originId, description: originDescription }),
          returns,
          effect: "create",
          shownBy: "edgelogic_origins_list",
          means,
          formerly: ({ originId: id, body }) =>
            id === undefined ? undefined : { body: { ...(typeof body === "object" ? body : {}), originId: id } },
          example: { body: { originId: "apiBalancer", description: "Shop API in two regions" } },
        }),
    },
  }),
});
