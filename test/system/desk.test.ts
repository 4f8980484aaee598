/** The approvals desk as people use it: the built server, a real identity provider, and a browser without a window. */
import { join } from "node:path";
import axe from "axe-core";
import puppeteer, { type Browser, type BrowserContext, type Page } from "puppeteer-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createPlans } from "../../src/guard/index.js";
import { directoryPlanStorage } from "../../src/guard/plans/directory.js";
import { file } from "../lab/files.js";
import { chromium, needs } from "../lab/needs.js";
import { connect, contentOf, type HttpServer, type Session, serve } from "../lab/session.js";
import { type Authority, startAuthority } from "./oauth/authority.js";

const purge = { queueName: "default", body: { objects: ["https://www.example.com/spring/hero.jpg"] } };
const [target] = purge.body.objects;

describe("the approvals desk in a browser", needs.chromium, () => {
  let authority: Authority;
  let browser: Browser;
  let server: HttpServer;
  let desk: string;
  let agent: Session;
  const open: BrowserContext[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    const mayApprove = { groups: [], mayHave: ["edgewise:read", "edgewise:approve"] };
    authority = await startAuthority({
      ann: mayApprove,
      carol: mayApprove,
      dave: mayApprove,
      erin: { groups: [], mayHave: ["edgewise:read"] },
    });
    // A provider takes any port of a loopback address for a native client.
    const registered = await fetch(`${authority.issuer}/reg`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        redirect_uris: ["http://localhost/plans/signed-in"],
        application_type: "native",
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code"],
        response_types: ["code"],
      }),
    });
    const { client_id: clientId } = (await registered.json()) as { client_id: string };
    const grave = "version: 1\nrules: [{ id: grave, effect: approve, objects: ['*/grave/*'], approvers: 2 }]\n";
    const policy = ["--policy", file(grave, { name: "policy.yaml" })];
    const issuer = ["--oauth-issuer", authority.issuer, "--desk-client-id", clientId];
    server = await serve({ flags: ["--approval", "human", ...policy, ...issuer], name: "ann" });
    // Another site than the provider's, as usual: ports make no difference to a browser, names do.
    desk = new URL("/plans", server.url).href.replace("127.0.0.1", "localhost");
    agent = await connect("v2 2025 http", { at: server });
    browser = await puppeteer.launch({ executablePath: chromium, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  });
  afterEach(async () => {
    for (const context of open.splice(0)) await context.close();
    expect(complaints.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await agent?.client.close();
    await browser?.close();
    server?.child?.kill("SIGKILL");
    await authority?.close();
  });

  const call = (args: object = purge) => contentOf(agent, "purge_submit", { ...args });

  const purgeOf = (name: string) => ({ ...purge, body: { objects: [`https://www.example.com/${name}.jpg`] } });

  /** Opens a plan in the state of the server, as a call does that takes no typed target, or expires as soon as this. */
  async function openPlan({ ttlMs = 600_000 }: { readonly ttlMs?: number }) {
    const storage = directoryPlanStorage(join(server.home, ".local/state/edgewise"));
    const whose = { owner: "client:ann", account: "x" };
    const preview = {
      summary: "REPLACE 1 record of example.com",
      kind: "overwrite",
      account: "Example",
      request: { method: "PUT", path: "/x" },
      target: "example.com",
      warnings: ["Resolvers keep the old record for an hour."],
      lines: ["REPLACE 1 record of example.com", "Account: Example", "Warning: Resolvers keep it.", "  ttl: 900 → 300"],
      outline: [
        { is: "summary", count: 1 },
        { is: "account", count: 1 },
        { is: "warning", count: 1 },
        { is: "changed", count: 1 },
      ],
      actsOn: ["production"],
      digest: "d",
    } as const;
    const plans = createPlans({ ttlMs, storage });
    const binding = { ...whose, tool: "dns_record_set", requestHash: "h", stateHash: undefined };
    const requester = { subject: "ann", client: "agents", software: "Example Agent 2.1" };
    const shown = { awaits: "person", tier: "guarded", why: "The call is guarded.", requester, preview } as const;
    return (await plans.open(binding, shown)).id;
  }

  /** A browser of its own, whose complaints, such as about the content security policy, count as failures. */
  async function newPage(): Promise<Page> {
    const context = await browser.createBrowserContext();
    open.push(context);
    const page = await context.newPage();
    // A scrollbar that a slow browser still draws would count as content that sticks out.
    await (await page.createCDPSession()).send("Emulation.setScrollbarsHidden", { hidden: true });
    page.on("console", (message) => {
      // A page that says that something was refused has that status.
      if (message.type() === "error" && !/status of (403|409|422)/.test(message.text()))
        complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    return page;
  }

  const follow = async (page: Page, selector: string): Promise<void> => {
    await Promise.all([page.waitForNavigation(), page.click(selector)]);
  };

  async function signIn(person: string, page: Page, path = desk): Promise<Page> {
    authority.person = person;
    await page.goto(path);
    await follow(page, "a.go");
    return page;
  }
  const signedIn = async (person: string, path = desk) => signIn(person, await newPage(), path);

  /** What an expression of the browser's own language gives there. */
  const inPage = <T>(page: Page, expression: string): Promise<T> => page.evaluate(expression) as Promise<T>;
  const textOf = (page: Page, selector = "main") =>
    inPage<string>(page, `document.querySelector(${JSON.stringify(selector)}).innerText`);
  const isDisabled = (page: Page, selector: string) =>
    inPage<boolean>(page, `document.querySelector(${JSON.stringify(selector)}).disabled`);
  const typedIn = (page: Page, selector: string) =>
    inPage<string>(page, `document.querySelector(${JSON.stringify(selector)}).value`);
  const focused = (page: Page) =>
    inPage<string>(page, "(({ href, value, id }) => href?.split('/').at(-1) ?? (value || id))(document.activeElement)");
  const says = (page: Page, text: RegExp, selector = "main") => expect.poll(() => textOf(page, selector)).toMatch(text);
  /** A button takes a press only when it has been in its place for a moment. */
  const press = async (page: Page, name: "approve" | "refuse"): Promise<void> => {
    const button = `button[value="${name}"]`;
    const isStill = `document.querySelector(${JSON.stringify(button)}).getAnimations().every((one) => one.playState === "finished")`;
    await page.waitForFunction(isStill);
    await follow(page, button);
  };

  /** Holds a page against axe: colors do not depend on the width, nor what sticks out at 320 pixels on the colors. */
  async function inspect(page: Page): Promise<void> {
    await page.evaluate(axe.source);
    for (const [scheme, width] of [
      ["light", 1_000],
      ["dark", 320],
    ] as const) {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      await page.setViewport({ width, height: 700 });
      // What depends on neither the colors nor the width is looked at once.
      const few = "{ runOnly: ['color-contrast', 'target-size', 'scrollable-region-focusable'] }";
      const chosen = width === 320 ? few : "{ resultTypes: ['violations'] }";
      const violations = `axe.run(${chosen}).then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]))`;
      const found = await inPage<unknown[]>(page, violations);
      const excess = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
      await expect.poll(async () => [scheme, width, await inPage<number>(page, excess)]).toEqual([scheme, width, 0]);
      expect([scheme, width, found]).toEqual([scheme, width, []]);
      // A fifth of the smallest phone's 568 pixels; above it the bar has the fields as well, and what has ended its news.
      const inView = `(({ length }) => length === 2 ? document.querySelector(".act").offsetHeight : 0)(document.querySelectorAll(".act button:enabled"))`;
      if (width === 320) expect(await inPage<number>(page, inView)).toBeLessThanOrEqual(113);
    }
    await page.setViewport({ width: 1_000, height: 700 });
  }

  it("a plan appears without a reload, and its call proceeds when approved", async () => {
    const page = await newPage();
    await page.goto(desk);
    await inspect(page);
    await signIn("carol", page);
    expect(page.url()).toBe(desk);
    await says(page, /Signed in as carol/, "header");
    await says(page, /No plan waits for a decision.*New plans appear here without a reload/s);
    await inspect(page);
    const { plan } = await call();
    await says(page, /1 plan waits for a decision.*REMOVE URL.*Requested by/s);
    expect(await page.title()).toBe("1 plan waits for a decision");
    await inspect(page);
    await follow(page, `a[href="plans/${plan}"]`);
    await says(page, /REMOVE URL.*Why it needs an approval.*production/s);
    await inspect(page);
    await page.type("#reason", "The campaign has ended.");
    await page.type("#target", "something else");
    await press(page, "approve");
    await says(page, /The text is not the target/);
    expect(await typedIn(page, "#reason")).toBe("The campaign has ended.");
    await inspect(page);
    await page.type("#target", target ?? "");
    await press(page, "approve");
    await says(page, /Approved\s+The assistant can make the call now.*by carol at .*The campaign has ended\./s);
    await inspect(page);
    expect(await call()).toMatchObject({ status: 201 });
    await follow(page, "header a");
    await says(page, /No plan waits.*Decided lately.*Approved.*Outcome: it answered 201/s);
    await inspect(page);
  });

  it("two persons approve where the policy says so, neither of whom asked", async () => {
    const grave = purgeOf("grave/hero");
    const [url = ""] = grave.body.objects;
    const { plan } = await call(grave);
    const at = `${desk}/${plan}`;
    const ann = await signedIn("ann", at);
    await says(ann, /Requested by\s+ann\s+With\s+test 1\.0\.0.*You asked for this change/s);
    expect(await ann.$('button[value="approve"]')).toBeNull();
    await inspect(ann);
    const [carol, dave] = [await signedIn("carol", at), await signedIn("dave", at)];
    expect(carol.url()).toBe(at);
    await says(carol, /0 of 2 approved/);
    await dave.type("#reason", "Agreed");
    await dave.type("#target", url);
    await carol.type("#reason", "As planned");
    await carol.type("#target", url);
    await press(carol, "approve");
    await says(carol, /You have approved this change; someone else has to approve it, too/);
    expect(await carol.$('button[value="approve"]')).toBeNull();
    await inspect(carol);
    expect(await call(grave)).toMatchObject({ approval: "required" });
    await says(dave, /1 of 2 approved.*/s);
    await says(dave, /Decisions so far\s+Approved by carol at .*As planned/s);
    expect(await inPage(dave, "document.activeElement.id")).toBe("target");
    expect(await typedIn(dave, "#reason")).toBe("Agreed");
    await inspect(dave);
    await press(dave, "approve");
    await says(dave, /by carol at .*As planned.*by dave at .*Agreed/s);
    await says(carol, /The assistant can make the call now/, "#verdict");
    expect(await isDisabled(carol, 'button[value="refuse"]')).toBe(true);
    expect(await call(grave)).toMatchObject({ status: 201 });
  });

  it("a refused plan stays in its place in another list, with its reason", async () => {
    const [first, second] = [await call(purgeOf("one")), await call(purgeOf("two"))];
    const [carol, dave] = [await signedIn("carol"), await signedIn("dave", `${desk}/${first["plan"]}`)];
    const link = `a[href="plans/${second["plan"]}"]`;
    await carol.waitForSelector(link);
    await carol.focus(link);
    const place = () =>
      inPage<number>(carol, `document.querySelector(${JSON.stringify(link)}).getBoundingClientRect().top`);
    await call(purgeOf("three"));
    await says(carol, /3 plans wait/);
    const before = await place();
    await dave.type("#reason", "Not today");
    await press(dave, "refuse");
    await says(dave, /Refused\s+Nothing was sent.*by dave at .*Not today/s);
    await inspect(dave);
    await says(carol, /Refused by dave at .*Not today/, `#${first["plan"]}`);
    expect(await focused(carol)).toBe(second["plan"]);
    expect(await place()).toBe(before);
    await inspect(carol);
    expect(await call(purgeOf("one"))).toMatchObject({ approval: "required" });
  });

  it("a plan that expires while it is open cannot be approved", async () => {
    const carol = await signedIn("carol");
    await carol.goto(`${desk}/${await openPlan({ ttlMs: 5_000 })}`);
    expect(await isDisabled(carol, ".yes")).toBe(false);
    await says(carol, /Expired\. Nothing was sent/);
    expect(await isDisabled(carol, ".yes")).toBe(true);
    await inspect(carol);
    await carol.reload();
    await says(carol, /Expired\s+Nothing was sent/);
    await inspect(carol);
  });

  it("nothing is decided after the sign-out, in any tab", async () => {
    const plan = await openPlan({});
    const carol = await signedIn("carol", `${desk}/${plan}`);
    const other = await carol.browserContext().newPage();
    await other.goto(desk);
    await follow(other, "header button");
    await says(other, /You are signed out/);
    await inspect(other);
    await carol.bringToFront();
    await says(carol, /Your sign-in has ended/);
    expect(await isDisabled(carol, "button[value=approve]")).toBe(true);
    await inspect(carol);
    await carol.reload();
    expect(await carol.$("a.go")).not.toBeNull();
  });

  it("the scope that is missing is named, and someone else can sign in", async () => {
    const page = await signedIn("erin");
    await says(page, /You may not approve.*erin does not have the scope edgewise:approve/s);
    await inspect(page);
    authority.person = "carol";
    await follow(page, "a.go");
    await says(page, /Signed in as carol/, "header");
  });

  it("can be used with the keyboard alone, and without a script", async () => {
    const plan = await openPlan({});
    const carol = await signedIn("carol");
    await carol.setJavaScriptEnabled(false);
    await carol.reload();
    await says(carol, /1 plan waits|plans wait/);
    const tabTo = async (wanted: string) => {
      for (let step = 0; step < 40 && (await focused(carol)) !== wanted; step += 1) await carol.keyboard.press("Tab");
      expect(await focused(carol)).toBe(wanted);
    };
    await tabTo(plan);
    await Promise.all([carol.waitForNavigation(), carol.keyboard.press("Enter")]);
    await tabTo("reason");
    await carol.keyboard.type("By keyboard");
    await tabTo("approve");
    await Promise.all([carol.waitForNavigation(), carol.keyboard.press("Enter")]);
    await says(carol, /Approved by carol.*By keyboard/s);
  });
});
