/** Laws over the guides: whatever one names is declared, and each life is a diagram that Mermaid reads and that can be lived. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { declaredText, faultsIn, faultsInAll, holdsWord } from "../../scripts/guides.js";
import { type Guide, type Life, statesOf } from "../../src/language/guide.js";
import type { Service } from "../../src/language/service.js";
import { catalogueOf } from "../../src/mcp/tool.js";
import { diagramOf, guidePage, limitsOf } from "../../src/pages/guide-page.js";
import { type TextFileKind, textFile } from "../../src/tools/guide-files.js";
import { guideOf } from "../../src/tools/guides.js";
import { allServices, serviceOf } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { lawsOver } from "../lab/laws.js";
import { catalogueOfProject, wholeServicesOfProject } from "../lab/project.js";

const services = await wholeServicesOfProject();
const tools = await catalogueOfProject();
const guides = await Promise.all(
  services.map(async (service): Promise<[string, Service, Guide]> => {
    const guide = await guideOf(service.name);
    if (!guide) throw new Error(`${service.name} has no guide`);
    return [service.name, service, guide];
  }),
);

type Step = readonly [from: string, to: string, label: string];

/**
 * Reads a state diagram, as strictly as Mermaid's own grammar for the statements that are written here: a heading, names
 * for states whose text is no name, and steps with a text that has none of the characters that end or color a statement.
 */
function readDiagram(text: string): Step[] {
  const [heading, ...lines] = text.split("\n");
  expect(heading).toBe("stateDiagram-v2");
  const names = new Map<string, string>();
  const steps: Step[] = [];
  for (const line of lines) {
    const named = /^ {2}state "([^"\n]+)" as ([A-Za-z]\w*)$/.exec(line);
    const step = /^ {2}(\[\*\]|[A-Za-z]\w*) --> (\[\*\]|[A-Za-z]\w*) : ([^:;#"<>{}[\]%\n]+)$/.exec(line);
    if (named) names.set(named[2] ?? "", named[1] ?? "");
    else if (step) {
      const [, from = "", to = "", label = ""] = step;
      steps.push([names.get(from) ?? from, names.get(to) ?? to, label]);
    } else expect.fail(`Mermaid cannot read ${JSON.stringify(line)}`);
  }
  // Words of the grammar are no names of states.
  for (const name of steps.flat())
    expect(["state", "note", "end", "direction", "as", "class", "style", "click"]).not.toContain(name);
  return steps;
}

it("guides and prompts name only what is declared, for every service", async () => {
  const all = await allServices();
  const toolsOf = async (apis: "documents" | "today") => catalogueOf(all, await allWorkflows(apis), apis);
  expect(faultsInAll(all, { documents: await toolsOf("documents"), today: await toolsOf("today") })).toEqual([]);
});

describe("a file that names what is not declared is refused, with its line", () => {
  const faultsOf = async (kind: TextFileKind, lines: readonly string[]): Promise<string[]> => {
    const service = await serviceOf("purge");
    if (!service) throw new Error("There is no purge.");
    return faultsIn(kind, { service, services, tools }, [textFile(`purge/${kind}.md`, `---\n${lines.join("\n")}\n`)]);
  };

  it("a guide: object, tools, field, state, rule", async () => {
    const faults = await faultsOf("guide", [
      "objects:",
      "  queue: Requests that wait.",
      "  quueue: Requests that wait.",
      "lives:",
      "  - of: a purge",
      "    shown: { by: purge_status, at: purgeStatus }",
      "    moves:",
      "      - { to: Unknown, by: purge_sbmit }",
      "      - { from: Unknown, to: Dnoe, when: it is done }",
      "      - { from: Dnoe, by: purge_status }",
      "  - of: a queue",
      "    shown: { by: purge_status, at: purgeStats }",
      "    moves: []",
      "limits: [purge-two-queues, purge-201-olny]",
      "---",
      "Use it.",
    ]);
    expect(faults).toEqual([
      "src/tools/purge/guide.md:4: no tool of purge is about the object quueue",
      "src/tools/purge/guide.md:9: purge_sbmit is no operation of purge",
      "src/tools/purge/guide.md:11: purge_status changes nothing",
      "src/tools/purge/guide.md:10: purge declares no state Dnoe",
      "src/tools/purge/guide.md:13: no answer of purge_status has purgeStats",
      "src/tools/purge/guide.md:15: purge-201-olny is neither a rule of purge nor a tool of it with a note",
    ]);
  });

  const front = ["name: x", "title: X", "description: X.", "arguments:"];

  it("a prompt: values, tool, argument", async () => {
    const faults = await faultsOf("prompt", [
      ...front,
      "  what: { description: What, values: { tool: contract_ids_lst } }",
      "---",
      "Purge {what}.",
      "",
      "1. Call purge_sbmit.",
      "2. Report {waht}. {personDecides}",
    ]);
    expect(faults).toEqual([
      "src/tools/purge/prompt.md:6: no answer or resource has these values of what",
      "src/tools/purge/prompt.md:10: there is no tool purge_sbmit",
      "src/tools/purge/prompt.md:11: there is no argument {waht}",
    ]);
  });

  it("of another form, and without what it needs", async () => {
    expect(await faultsOf("prompt", [...front, "  what: { about: What }", "---", "Purge."])).toEqual([
      expect.stringMatching(/^src\/tools\/purge\/prompt\.md:6: arguments what description /),
      expect.stringMatching(/^src\/tools\/purge\/prompt\.md:6: arguments what .*"about"/),
    ]);
    expect(await faultsOf("guide", ["lives: []", "---"])).toEqual([
      expect.stringMatching(/^src\/tools\/purge\/guide\.md:1: purpose /),
    ]);
    expect(await faultsIn("guide", { service: services[0] as Service, services, tools }, [])).toEqual([
      expect.stringMatching(/has no guide$/),
    ]);
  });
});

describe("every guide", () =>
  lawsOver(guides, (law, name, service, guide) => {
    const text = declaredText(service);
    const written = [guide.purpose, ...Object.values(guide.objects)];
    const { id } = service;
    const own = [...tools.keys()].filter((tool) => tools.get(tool)?.service === name || tool.startsWith(`${id}_`));

    law("every guide names only declared tools, members, values and numbers", () => {
      for (const sentence of written) {
        expect(sentence).toMatch(/^[\x20-\x7e]+\.$/);
        for (const [, word = ""] of sentence.matchAll(/`([^`]+)`/g))
          expect([word, tools.has(word) || holdsWord(text, word)]).toEqual([word, true]);
        // What looks like a name of the API is marked as one.
        const plain = sentence.replaceAll(/`[^`]+`/g, "");
        expect(plain.match(/\b\w+_\w+\b|\b[a-z]+[A-Z]\w*\b/g)).toBeNull();
        for (const number of plain.match(/\d[\d,]*/g) ?? []) expect(text).toContain(number);
      }
      for (const { when = "" } of guide.lives.flatMap(({ moves }) => moves))
        for (const number of when.match(/\d[\d,]*/g) ?? []) expect(text).toContain(number);
    });

    law("every guide describes objects", () => {
      expect(Object.keys(guide.objects).length).toBeGreaterThan(0);
    });

    law("every guide's lives begin and reach every state", () => {
      expect(guide.lives.length).toBeGreaterThan(0);
      for (const life of guide.lives) {
        const reached = new Set(life.moves.flatMap(({ from, to }) => (from === undefined && to ? [to] : [])));
        expect(reached.size).toBeGreaterThan(0);
        // A state is reached after at most as many rounds as there are steps.
        for (const _ of life.moves)
          for (const { from, to } of life.moves)
            if (from !== undefined && reached.has(from) && to !== undefined) reached.add(to);
        expect(statesOf(life).filter((state) => !reached.has(state))).toEqual([]);
        for (const { by, when, from, to } of life.moves) {
          expect(by ?? when).toBeDefined();
          expect(from ?? to).toBeDefined();
        }
      }
    });

    law("draws each life as Mermaid reads it, step by step", () => {
      for (const life of guide.lives) expect(readDiagram(diagramOf(life))).toEqual(stepsOf(life));
    });

    law("every guide has all parts, tools and limits within 2,500 tokens", async () => {
      const page = (await guidePage(name, tools)) ?? "";
      for (const part of ["Objects", "Life cycle", "Limits"])
        if (part !== "Limits" || limitsOf(service, guide).length > 0) expect(page).toContain(`\n## ${part}\n`);
      for (const tool of own) expect(page).toContain(`\`${tool}\``);
      for (const rule of Object.values(service.rules)) expect(page).toContain(`- ${rule}\n`);
      for (const limit of limitsOf(service, guide)) expect(page).toContain(`- ${limit}`);
      expect(page.match(/```mermaid\n/g)).toHaveLength(guide.lives.length);
      expect(encode(page).length).toBeLessThanOrEqual(2_500);
    });
  }));

/** The steps of a life as a diagram has them. */
const stepsOf = ({ moves }: Life): Step[] =>
  moves.map(({ from = "[*]", to = "[*]", by, when }) => [from, to, [by, when].filter(Boolean).join(", ")]);

it("a service without callable tools has no guide", async () => {
  const without = new Map([...tools].filter(([, { service }]) => service !== "purge"));
  expect(await guidePage("purge", without)).toBeUndefined();
  expect(await guidePage("workflows", tools)).toBeUndefined();
});
