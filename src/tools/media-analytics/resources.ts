/** What can be read of media analytics: the report packs of each family, and what a pack has to report by. */
import type { DeclaredResource, LiveValues } from "../../language/reading.js";
import { z } from "../../language/z.js";
import { Family } from "./shapes.js";

const packIds: LiveValues = {
  tool: "media_report_packs_list",
  of: z.array(z.looseObject({ id: z.int() }).transform(({ id }) => String(id))).catch([]),
  args: { family: "audience-analytics" },
  given: ["family"],
};

export const mediaResources: readonly DeclaredResource[] = [
  {
    address: "media://{family}/report-packs",
    name: "media-report-packs",
    title: "Report packs",
    description: "The report packs of a family of media reports, read from the account.",
    content: { tool: "media_report_packs_list", values: { family: Family.options } },
  },
  {
    address: "media://{family}/report-packs/{reportPackId}",
    name: "media-report-pack",
    title: "Report pack",
    description: "A report pack's sources, dimensions, metrics and data stores.",
    content: { tool: "media_report_pack_get", values: { family: Family.options, reportPackId: packIds } },
  },
];
