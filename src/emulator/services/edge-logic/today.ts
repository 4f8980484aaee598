/** Edge logic of today in the same world: an origin is created with its id in the body. */
import { edgeLogicToday as declared } from "../../../tools/edge-logic/today.js";
import { emulateService } from "../../service.js";
import { edgeLogic } from "./index.js";
import { createBalancer } from "./origins.js";

export const edgeLogicToday = emulateService(declared, edgeLogic.errorFormat, {
  ...edgeLogic.behaviours,
  edgelogic_origin_create: ({ body }, world) => createBalancer(world, body.originId, body.description),
});
