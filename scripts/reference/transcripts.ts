/** Conversations for the pages: what a person says, the calls that an assistant makes, and what the emulator answers. */
import { fenced, prose } from "./markdown.js";
import type { Call, Runs } from "./runs.js";
import { asJson, shortened } from "./shown.js";

/** What a person says, or a call with the lines of its result that are shown, and the picture that comes with it. */
type Part = string | { readonly call: Call; readonly lines: number; readonly picture?: Picture };

/** Where the drawing of a result is put, and what it shows for those who do not see it. */
interface Picture {
  readonly path: string;
  readonly shows: string;
}

/** The answer and its drawing, where one is told of. */
export interface Transcript {
  readonly text: string;
  readonly drawing?: string;
}

async function transcript(parts: readonly Part[], runs: Runs): Promise<Transcript> {
  const ran = [...(await runs.inOneWorld(parts.flatMap((part) => (typeof part === "string" ? [] : [part.call]))))];
  const drawing = ran.find((one) => one.drawing !== undefined)?.drawing;
  const blocks = parts.map((part) => {
    if (typeof part === "string") return `> ${prose(part)}`;
    const { args, text = "" } = ran.shift() ?? {};
    const block = fenced("text", `→ ${part.call[0]} ${asJson(args)}\n\n${shortened(text, part.lines)}`);
    return part.picture ? `${block}\n\n![${part.picture.shows}](${part.picture.path})` : block;
  });
  return { text: blocks.join("\n\n"), ...(drawing === undefined ? {} : { drawing }) };
}

const week = { reportName: "endpoint-usage-by-time", period: "last_7d", interval: "HOUR" };
const purge = {
  queueName: "default",
  body: { objects: ["https://www.example.com/spring/"], action: "invalidate" },
};
const approved = { ...purge, confirm: "PLAN" };

/** Where the README has the chart of its conversation. */
export const chartPath = "docs/images/server-errors.svg";

/** A question with a chart. */
export const questionWithChart = (runs: Runs): Promise<Transcript> =>
  transcript(
    [
      "When did server errors rise this week? Show me.",
      {
        call: [
          "report_chart",
          {
            report: { ...week, filters: { response_class: ["5xx"] } },
            metrics: ["edgeHits"],
            title: "Server errors of a week",
          },
        ],
        lines: 1,
        picture: { path: chartPath, shows: "Server errors of a week, hour by hour, with a mark at the highest" },
      },
    ],
    runs,
  );

/** A change that is shown, approved, and refused when it is repeated or altered. */
export const guardedChange = (runs: Runs): Promise<Transcript> =>
  transcript(
    [
      "Have the spring pages fetched anew.",
      { call: ["purge_submit", purge], lines: 12 },
      "Yes, do it.",
      { call: ["purge_submit", approved], lines: 6 },
      "And once more, with the same plan.",
      { call: ["purge_submit", approved], lines: 6 },
    ],
    runs,
  );

/** A plan that is brought with other arguments than were shown. */
export const alteredChange = (runs: Runs): Promise<Transcript> =>
  transcript(
    [
      { call: ["purge_submit", purge], lines: 1 },
      {
        call: ["purge_submit", { ...approved, body: { ...purge.body, objects: ["https://www.example.com/"] } }],
        lines: 6,
      },
    ],
    runs,
  );

/** An activation with what it does to the site, whole. */
export const forecastActivation = (runs: Runs): Promise<Transcript> =>
  transcript(
    [
      {
        call: [
          "property_version_activate",
          {
            propertyId: "prp_175780",
            body: { propertyVersion: 3, network: "PRODUCTION", notifyEmails: ["operations@shop.example"] },
          },
        ],
        lines: 22,
      },
    ],
    runs,
  );

const purgeOfShop = { action: "delete", kind: "cpcode", network: "production", body: { objects: [12_345] } };

/** A purge up to what it does to the site. */
export const effectOfChange = (runs: Runs): Promise<Transcript> =>
  transcript(["Purge the whole shop.", { call: ["purge_submit", purgeOfShop], lines: 9 }], runs);

/** A purge with what it does to the site, whole. */
export const forecastChange = (runs: Runs): Promise<Transcript> =>
  transcript([{ call: ["purge_submit", purgeOfShop], lines: 15 }], runs);
