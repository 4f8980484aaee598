/** Lists the CP codes of the whole account, each once, from all of its contracts and groups. */
import { workflow } from "../calls/workflow.js";
import { z } from "../language/z.js";
import { CpCodes } from "../tools/properties/shapes.js";
import { inBatches, incompleteNotes, type Steps, startSteps, stepsInBrief } from "./steps.js";

const Groups = z.looseObject({
  groups: z.looseObject({
    items: z.array(z.looseObject({ groupId: z.string(), contractIds: z.array(z.string()).optional() })),
  }),
});

interface ContractGroup {
  readonly contractId: string;
  readonly groupId: string;
}

/** Every group of the account with each of its contracts; undefined if the groups could not be read. */
export async function contractGroups(steps: Pick<Steps, "call">): Promise<readonly ContractGroup[] | undefined> {
  const found = await steps.call("the groups", "property_groups_list", {}, Groups);
  return found?.groups.items.flatMap(({ groupId, contractIds = [] }) =>
    contractIds.map((contractId) => ({ groupId, contractId })),
  );
}

/** How many pairs of a contract and a group are read per page. */
const placesPerPage = 100;

type CpCode = z.output<typeof CpCodes>["cpcodes"]["items"][number];
interface Row extends Pick<CpCode, "cpcodeId" | "cpcodeName" | "productIds" | "createdDate"> {
  readonly contractId: string;
  readonly groupIds: string[];
}

const numberOf = ({ cpcodeId }: Row): number => Number(cpcodeId.replace(/^\D+/, ""));

/** The CP codes of a contract in a group; none if they could not be read. */
export async function cpCodesIn(steps: Steps, place: ContractGroup): Promise<readonly CpCode[]> {
  const step = `CP codes of ${place.contractId} in ${place.groupId}`;
  return (await steps.call(step, "property_cpcodes_list", { ...place }, CpCodes))?.cpcodes.items ?? [];
}

/** Each CP code once, with all groups in which it was found, by its number. */
function rowsOf(answers: readonly { readonly place: ContractGroup; readonly items: readonly CpCode[] }[]): Row[] {
  const rows = new Map<string, Row>();
  for (const { place, items } of answers)
    for (const { cpcodeId, cpcodeName, productIds, createdDate } of items) {
      const { contractId } = place;
      const row = rows.get(cpcodeId) ?? { cpcodeId, cpcodeName, productIds, createdDate, contractId, groupIds: [] };
      row.groupIds.push(place.groupId);
      rows.set(cpcodeId, row);
    }
  return [...rows.values()].sort((a, b) => numberOf(a) - numberOf(b));
}

export const accountCpCodes = workflow({
  title: "Properties: CP codes of the account",
  does: "Lists the CP codes of all contracts and groups, each once.",
  input: z.strictObject({
    search: z.string().min(1).max(200).optional().describe("Part of name or id"),
    page: z.int().min(0).max(1_000).optional(),
  }),
  steps: [
    "Read the groups of the account with their contracts.",
    `List the CP codes of each contract in each group, ${placesPerPage} of these per page.`,
    "Combine them, so that each CP code is listed once with all of its groups.",
  ],
  example: {},
  isFrontLine: false,

  async run({ search, page = 0 }, context) {
    const steps = startSteps(context);
    const all = await contractGroups(steps);
    const places = (all ?? []).slice(page * placesPerPage, (page + 1) * placesPerPage);
    const answers = await inBatches(places, async (place) => ({ place, items: await cpCodesIn(steps, place) }));
    const sought = search?.toLowerCase() ?? "";
    const cpcodes = rowsOf(answers).filter(({ cpcodeId, cpcodeName }) =>
      `${cpcodeId} ${cpcodeName}`.toLowerCase().includes(sought),
    );
    const isMore = (all?.length ?? 0) > (page + 1) * placesPerPage;
    const contracts = new Set(places.map(({ contractId }) => contractId)).size;
    return {
      findings: [
        `${cpcodes.length} CP codes${search === undefined ? "" : " match"}, from ${places.length} of ${all?.length ?? "an unknown number of"} pairs of a contract and a group, of ${contracts} contracts.`,
        ...(isMore ? ["There are more pairs: nextPage reads them, and can repeat CP codes of this page."] : []),
        ...incompleteNotes(steps, "CP codes may be missing"),
      ],
      cpcodes,
      ...(isMore ? { nextPage: page + 1 } : {}),
      steps: stepsInBrief(steps),
    };
  },
});
