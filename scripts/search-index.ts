/** The index of the search from all declarations, for the build and the tests. */
import { filterCatalogue, type ToolEntry } from "../src/engine/catalogue.js";
import type { Apis, Service } from "../src/language/service.js";
import { catalogueOf, readingsOf } from "../src/mcp/tool.js";
import { guideAddress } from "../src/pages/guide-page.js";
import { documentsOf, indexText } from "../src/search/index.js";
import { allServices } from "../src/tools/index.js";
import { reportTypes } from "../src/tools/reporting/catalogue.js";
import { allWorkflows } from "../src/workflows/index.js";
import { phrasesFor, starsOf } from "./words.js";

// What is asked of a service without a task in mind.
const asksForGuide = [
  ...["guide", "overview", "introduction", "how does it work", "life cycle", "states", "limits", "quota"],
  ...["concepts", "explain"],
];

/** A guide as something that can be found, for those who ask how a service works. */
const guideListing = ({ name, replaces, title, about }: Service) => ({
  service: name,
  address: guideAddress(name),
  name: "guide",
  title: `Guide: ${title}`,
  description: `${about} Its objects, life cycles, approvals and limits.`,
  said: [...asksForGuide, ...phrasesFor(replaces?.services[0] ?? name, "service")],
});

/** Where the phrases of a tool are: with its service, or with the service that its own replaces. */
const homeOf = ({ service, of = service }: ToolEntry): string => (service === "workflows" ? service : of);

/** The text of the generated file, the same in every run. */
export async function searchIndex(apis: Apis): Promise<string> {
  const [all, workflows] = await Promise.all([allServices(), allWorkflows(apis)]);
  const catalogue = filterCatalogue(catalogueOf(all, workflows, apis), ({ retired }) => retired === undefined);
  const offered = new Set([...catalogue.values()].map(({ service }) => service));
  const services = all.filter(({ name }) => offered.has(name));
  const resources = (await readingsOf(services, [], apis)).resources.map((one) => ({
    ...one,
    said: phrasesFor(one.service, `resource ${one.name}`),
  }));
  return indexText(
    documentsOf({
      tools: [...catalogue.values()].map((one) => ({
        ...one,
        said: phrasesFor(homeOf(one), one.tool.name),
        stars: starsOf(homeOf(one), one.tool.name),
      })),
      services: [
        ...services.map(({ name, replaces, title, about }) => ({
          name,
          title,
          about,
          said: phrasesFor(replaces?.services[0] ?? name, "service"),
        })),
        { name: "workflows", title: "", about: "", said: phrasesFor("workflows", "service") },
      ],
      resources: [...resources, ...services.map(guideListing)],
      reports: reportTypes.map((one) => ({ ...one, said: phrasesFor("reporting", `report ${one.name}`) })),
    }),
  );
}
