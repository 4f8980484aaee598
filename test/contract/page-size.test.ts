/** What the pages of tools cost a reader, and what is kept of one that is over a budget. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it } from "vitest";
import { workflowResult } from "../../src/answers/result.js";
import { tokensOf } from "../../src/answers/tokens.js";
import { settings } from "../../src/config.js";
import { allServices } from "../../src/tools/index.js";
import { operationPage } from "../../src/tools/operation-page.js";
import { argumentsSection, asMarkdown } from "../../src/tools/page-markdown.js";

const pages = (await allServices()).flatMap((service) =>
  Object.entries(service.operations).map(([tool, operation]) => {
    const page = operationPage(tool, operation, service, Date.UTC(2026, 4, 20));
    return { tool, page, text: asMarkdown(page) };
  }),
);

const presentation = { upstream: "host.example", secrets: [], maxTokens: settings["max-result-tokens"].default };

it("is at most 250 tokens at the median, 900 at the 95th percentile and 1,500 at the worst, as it is returned", () => {
  const results = pages.map(({ tool, text }) => workflowResult({ tool, page: text }, presentation));
  const costs = results.map(({ content }) => encode(content[0].text).length).sort((a, b) => a - b);
  const at = (share: number) => costs[Math.ceil(share * costs.length) - 1];
  expect(costs.length).toBeGreaterThan(350);
  expect(at(0.5)).toBeLessThanOrEqual(250);
  expect(at(0.95)).toBeLessThanOrEqual(900);
  expect(at(1)).toBeLessThanOrEqual(1_500);
});

const long = pages.filter(({ text }) => encode(text).length > 400);

it.each(long)("the arguments of $tool are whole where the rest of its page has no room", ({ tool, page, text }) => {
  const written = argumentsSection(page.input).join("\n\n");
  const upToArguments = text.slice(0, text.indexOf(written) + written.length);
  // The budget counts what stands around the page, too, and each line of it is indented in the text.
  const maxTokens = Math.ceil(1.15 * tokensOf(upToArguments)) + 150;
  const { structuredContent, content } = workflowResult({ tool, page: text }, { ...presentation, maxTokens });
  expect(maxTokens).toBeLessThan(1.15 * tokensOf(text) + 150);
  expect(structuredContent["page"]).toContain(written);
  expect(content[0].text.replaceAll(/^ {2}/gm, "")).toContain(written);
  expect(text.indexOf("## Example")).toBeGreaterThan(upToArguments.length);
});
