/** What the lists and pages of tools cost an assistant, within their budgets, and what is kept of a page that is over one. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it } from "vitest";
import { limitOfOne, limits, menuCosts } from "../../scripts/menu-costs.js";
import { workflowResult } from "../../src/answers/result.js";
import { estimateTokens } from "../../src/answers/tokens.js";
import { settings } from "../../src/config.js";
import { guidePage } from "../../src/pages/guide-page.js";
import { argumentsSection, operationMarkdown, operationPage } from "../../src/pages/tool-page.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { holdsForEach } from "../lab/laws.js";

const services = await allServices();
const pages = services.flatMap((service) =>
  Object.entries(service.operations).map(([tool, operation]) => {
    const page = operationPage(tool, operation, service, Date.UTC(2026, 4, 20));
    return { tool, of: service, page, text: operationMarkdown(page) };
  }),
);

const presentation = { upstream: "host.example", secrets: [], maxTokens: settings["max-result-tokens"].default };

it("pages of tools: at most 250 tokens median, 900 at p95, 1,500 at all", () => {
  const results = pages.map(({ tool, text }) => workflowResult({ tool, page: text }, presentation));
  const costs = results.map(({ content }) => encode(content[0].text).length).sort((a, b) => a - b);
  const at = (share: number) => costs[Math.ceil(share * costs.length) - 1];
  expect(costs.length).toBeGreaterThan(350);
  expect(at(0.5)).toBeLessThanOrEqual(250);
  expect(at(0.95)).toBeLessThanOrEqual(900);
  expect(at(1)).toBeLessThanOrEqual(1_500);
});

it("a rule that all operations share is on the guide, others on pages", async () => {
  const repeated: string[] = [];
  for (const service of services) {
    const guide = await guidePage(service.name, new Map(pages.map(({ tool, of }) => [tool, { service: of.name }])));
    const own = pages.filter(({ of }) => of === service);
    for (const { page, text } of own)
      for (const rule of page.rules) {
        if (text.includes(`\n- ${rule}\n`)) continue;
        repeated.push(rule);
        expect(guide).toContain(`\n- ${rule}\n`);
        expect(own.filter((other) => !other.page.rules.includes(rule))).toEqual([]);
      }
  }
  expect(repeated.length).toBeGreaterThan(20);
});

it("the arguments of a tool stay whole where its page is cut", () =>
  holdsForEach(
    pages.filter(({ text }) => encode(text).length > 400),
    ({ tool, page, text }) => {
      const written = argumentsSection(page.input).join("\n\n");
      const upToArguments = text.slice(0, text.indexOf(written) + written.length);
      // The budget counts what stands around the page, too, and each line of it is indented in the text.
      const maxTokens = Math.ceil(1.15 * estimateTokens(upToArguments)) + 150;
      const { structuredContent, content } = workflowResult({ tool, page: text }, { ...presentation, maxTokens });
      expect(structuredContent["page"]).toContain(written);
      expect(content[0].text.replaceAll(/^ {2}/gm, "")).toContain(written);
    },
  ));

it.each(["documents", "today"] as const)("the lists of %s are within their budgets of tokens", async (apis) => {
  const costs = menuCosts(await allServices(), await allWorkflows(apis), apis);
  const excess = costs.filter(({ surface, tokens }) => tokens > limits[apis][surface]);
  expect(excess.map(({ surface, tokens }) => [surface, tokens])).toEqual([]);
  expect(costs.flatMap(({ each }) => each.filter(({ tokens }) => tokens > limitOfOne))).toEqual([]);
});
