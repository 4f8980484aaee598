/** Calls of tools for the pages, made on the emulator by the program itself: each in a fresh world, at one moment, with one chance. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resultOf } from "../../src/answers/outcome.js";
import type { CallOrigin } from "../../src/calls/index.js";
import { readConfig } from "../../src/config.js";
import { createEngine } from "../../src/engine/index.js";
import type { Arguments } from "../../src/language/conduct.js";
import { planTool, queryTool, restoreTool, resultTool, searchTool, viewTool } from "../../src/language/server-tools.js";
import type { Apis } from "../../src/language/service.js";
import type { catalogueOf } from "../../src/mcp/tool.js";
import { resolvedExample } from "../../src/pages/example.js";
import { storeNamedResults, type TextDocument } from "../../src/rows/result-store.js";
import { operation } from "../../src/tools/index.js";
import { exampleNowMs, startOver } from "./fixed.js";

/** A call and what came of it. */
export interface Ran {
  readonly args: Arguments;
  /** The text that an assistant gets; absent where the tool needs what only a build makes. */
  readonly text?: string;
  readonly isRefused?: boolean;
  /** The drawing that the result tells of, as SVG. */
  readonly drawing?: string;
}

/** What an assistant gets by default. */
const maxTokens = readConfig([], {}).values["max-result-tokens"];
// What is shown only in part is kept, which is what the tools for kept results are there for.
const fewTokens = 300;

/** A call to make, and what its result may take where that is less than usual. */
export type Call = readonly [tool: string, args: Arguments, tokens?: number];

const owner = "reader";
const caller: CallOrigin = { owner, signal: undefined, progress: async () => undefined, supportsElicitation: false };

const report = {
  reportName: "endpoint-usage-by-time",
  period: "last_7d",
  interval: "HOUR",
  allObjectIds: true,
  metrics: ["edgeHits"],
};
const replaced = await operation("alert_definition_replace", { service: "alerts-v2" });
if (!replaced) throw new Error("There is no alert_definition_replace.");
const change = replaced.spec.example as Arguments;

/** What has to be called first, for tools that work with what an earlier call left: `KEPT` is its handle, `PLAN` its plan. */
const afterwards: Readonly<Record<string, { readonly first: readonly Call[]; readonly args: Arguments }>> = {
  [resultTool]: { first: [["report_data_get", report, fewTokens]], args: { handle: "KEPT", format: "csv", limit: 5 } },
  [viewTool]: {
    first: [["report_data_get", report, fewTokens]],
    args: { handle: "KEPT", group_by: ["day(startdatetime)"], aggregate: ["sum(edgeHits)", "max(edgeHits)"] },
  },
  [planTool]: { first: [["alert_definition_replace", change]], args: { plan: "PLAN" } },
  [restoreTool]: {
    first: [
      ["alert_definition_replace", change],
      ["alert_definition_replace", { ...change, confirm: "PLAN" }],
    ],
    args: { plan: "PLAN" },
  },
};

/** They read files that a build puts beside the program. */
const needBuild: readonly string[] = [searchTool, queryTool];

/** Names of files that stand in the examples of tools that take a secret from a file. */
const secretNames = ["current-password-1", "new-password-1"];
const shownSecretDir = "~/.local/state/edgewise/secrets";

/** Makes calls in worlds of their own. */
export function startRuns(tools: ReturnType<typeof catalogueOf>, apis: Apis) {
  const secretDir = mkdtempSync(join(tmpdir(), "edgewise-examples-"));
  for (const name of secretNames) writeFileSync(join(secretDir, name), `${name}\n`, { mode: 0o600 });
  const config = readConfig(
    [
      "--emulator",
      ...["--apis", apis],
      ...["--emulator-clock", new Date(exampleNowMs).toISOString()],
      ...["--state-dir", "memory"],
      ...["--secret-dir", secretDir],
    ],
    {},
  );

  /** Makes calls one after the other in one world; `PLAN` and `KEPT` stand for what the calls before left. */
  async function inOneWorld(calls: readonly Call[]): Promise<readonly Ran[]> {
    startOver();
    const engine = await createEngine(config, tools, () => undefined);
    const ran: Ran[] = [];
    let left: { readonly kept?: string | undefined; readonly plan?: string | undefined } = {};
    try {
      for (const [tool, given, tokens = maxTokens] of calls) {
        const filled = JSON.stringify(given)
          .replaceAll("KEPT", left.kept ?? "KEPT")
          .replaceAll("PLAN", left.plan ?? "PLAN");
        const args = JSON.parse(filled) as Arguments;
        const outcome = await engine.calls.call(tool, args, { ...caller, maxTokens: tokens });
        if (outcome.kind === "question") throw new Error(`${tool} asked a user, and there is none.`);
        let kept: string | undefined;
        const { content, isError } = await storeNamedResults(
          (keep) => resultOf(outcome, { ...engine.presentation, maxTokens: tokens }, keep),
          async ({ handle, whole, context }) => {
            const isKept = await engine.results.keep(owner, handle, whole, context);
            kept = isKept ? handle : undefined;
            return isKept;
          },
        );
        const text = content.flatMap((one) => (one.type === "text" ? [one.text] : [])).join("\n");
        left = { kept: kept ?? left.kept, plan: outcome.kind === "preview" ? outcome.plan.id : left.plan };
        const found = kept === undefined ? undefined : await engine.results.get(owner, kept);
        const { text: drawing } = (found?.content ?? {}) as Partial<TextDocument>;
        const shown = text.replaceAll(secretDir, shownSecretDir);
        ran.push({
          args,
          text: shown,
          isRefused: isError === true,
          ...(drawing?.startsWith("<svg") ? { drawing } : {}),
        });
      }
    } finally {
      await engine.close();
    }
    return ran;
  }

  return {
    inOneWorld,
    /**
     * Makes the call that a tool's declaration has as its example.
     * @throws when it is refused, because an example has to work.
     */
    async example(tool: string, declared: Arguments): Promise<Ran> {
      const args = resolvedExample(declared, exampleNowMs);
      if (needBuild.includes(tool)) return { args };
      const { first = [], args: last = args } = afterwards[tool] ?? {};
      const ran = (await inOneWorld([...first, [tool, last]])).at(-1);
      if (!ran || ran.isRefused) throw new Error(`The example of ${tool} is refused: ${ran?.text}`);
      return ran;
    },
    close: () => rmSync(secretDir, { recursive: true }),
  };
}

export type Runs = ReturnType<typeof startRuns>;
