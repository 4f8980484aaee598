/** The purge service of today: what it accepts is purged within seconds; the status of the former version shows it, too. */
import { purgeV3 as declared } from "../../../tools/purge/v3.js";
import { created } from "../../reply.js";
import { emulateService } from "../../service.js";
import { checkOwnership, checkSize, errorFormatOf, startPurge, supportId } from "./index.js";

export const purgeV3 = emulateService(declared, errorFormatOf("v3", "application/problem+json"), {
  purge_submit: ({ path: { action, kind, network }, body, headers }, world) => {
    checkSize(headers);
    if (kind !== "tag") checkOwnership(world, kind, body.objects);
    const purgeId = startPurge(
      world,
      "emergency",
      { kind, objects: body.objects.map(String), isValidation: action === "invalidate", network },
      0,
    );
    const answer = { httpStatus: 201, detail: "Request accepted", supportId: supportId(world) };
    return created({ ...answer, purgeId, estimatedSeconds: 5 });
  },
});
