/** The index of the search from all declarations, for the build and the tests. */
import { catalogueOf, readingsOf } from "../src/mcp/tool.js";
import { documentsOf, indexText } from "../src/search/index.js";
import { allServices } from "../src/tools/index.js";
import { reportTypes } from "../src/tools/reporting/catalogue.js";
import { said, reportTypes as saidOfReports } from "../src/tools/said/index.js";
import { allWorkflows } from "../src/workflows/index.js";
import { said as saidOfWorkflows } from "../src/workflows/said.js";

/** The text of the generated file, the same in every run. */
export async function searchIndex(): Promise<string> {
  const [services, workflows] = await Promise.all([allServices(), allWorkflows()]);
  return indexText(
    documentsOf({
      tools: catalogueOf(services, workflows).values(),
      services,
      resources: readingsOf(services).resources,
      reports: reportTypes,
      said: { ...said, workflows: saidOfWorkflows },
      saidOfReports,
    }),
  );
}
