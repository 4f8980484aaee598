/** The index of the search from all declarations, for the build and the tests. */
import type { Service } from "../src/api/service.js";
import { catalogueOf, readingsOf } from "../src/mcp/tool.js";
import { documentsOf, indexText } from "../src/search/index.js";
import { allServices } from "../src/tools/index.js";
import { reportTypes } from "../src/tools/reporting/catalogue.js";
import { said, reportTypes as saidOfReports } from "../src/tools/said/index.js";
import { guideAddress } from "../src/workflows/guide-page.js";
import { allWorkflows } from "../src/workflows/index.js";
import { said as saidOfWorkflows } from "../src/workflows/said.js";

const saidOf = new Map(Object.entries(said));

/** A guide as something that can be found, for those who ask how a service works. */
const guideListing = ({ name, title, about }: Service) => ({
  service: name,
  address: guideAddress(name),
  name: "guide",
  title: `Guide: ${title}`,
  description: `${about} Its objects, life cycles, approvals and limits.`,
  said: `guide; overview; introduction; how does it work; life cycle; states; limits; quota; concepts; explain; ${saidOf.get(name)?.service ?? ""}`,
});

/** The text of the generated file, the same in every run. */
export async function searchIndex(): Promise<string> {
  const [services, workflows] = await Promise.all([allServices(), allWorkflows()]);
  return indexText(
    documentsOf({
      tools: catalogueOf(services, workflows).values(),
      services,
      resources: [...readingsOf(services).resources, ...services.map(guideListing)],
      reports: reportTypes,
      said: { ...said, workflows: saidOfWorkflows },
      saidOfReports,
    }),
  );
}
