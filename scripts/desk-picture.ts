/** Takes the README's picture of the approvals desk, `docs/images/desk.png`, from the built program: run it after `npm run build`. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import puppeteer from "puppeteer-core";
import { chromium } from "../test/lab/needs.js";
import { bareEnvironment, startProcess } from "../test/lab/session.js";

const home = mkdtempSync(join(tmpdir(), "edgewise-desk-"));
const secrets = {
  client: "token-of-the-assistant-with-enough-characters",
  approver: "secret-of-carol-with-enough-characters",
};
const fileOf = (name: string, line: string): string => {
  writeFileSync(join(home, name), line, { mode: 0o600 });
  return join(home, name);
};
const files = [
  ...["--token-file", fileOf("tokens", `ann ${secrets.client}\n`)],
  ...["--approver-token-file", fileOf("approvers", `carol ${secrets.approver}\n`)],
];
const { child, match } = await startProcess(
  ["http", "--port", "0", "--emulator", "--allow-writes", "--approval", "human", ...files],
  bareEnvironment({ HOME: home }),
  /approvers find waiting plans at (\S+)/,
);

const agent = new Client({ name: "Claude Code", version: "2.1" }, { capabilities: {} });
const requestInit = { headers: { authorization: `Bearer ${secrets.client}` } };
await agent.connect(new StreamableHTTPClientTransport(new URL("/mcp", match), { requestInit }));
const record = { zone: "example.com", name: "www", type: "A", values: ["203.0.113.80"] };
const { structuredContent } = await agent.callTool({ name: "dns_record_set", arguments: record });
const { plan } = structuredContent as { readonly plan: string };

const browser = await puppeteer.launch({ executablePath: chromium, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
const page = await browser.newPage();
await page.setViewport({ width: 960, height: 800 });
await page.goto(`${match}/${plan}`);
await page.type("input[type=password]", secrets.approver);
await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
await page.type("#reason", "The new server is up.");
await page.screenshot({ path: "docs/images/desk.png" });

await browser.close();
await agent.close();
child.kill("SIGTERM");
rmSync(home, { recursive: true });
