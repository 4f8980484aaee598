/** The container image and the compose files: linted, and run as far as that goes without a container. */
import { type ChildProcess, execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { validate } from "dockerfile-utils";
import { build } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readConfig } from "../../src/config.js";
import { file, folder } from "../lab/files.js";
import { needs } from "../lab/needs.js";
import { bareEnvironment, startProcess } from "../lab/session.js";
import { ownPostgres } from "./instances.js";

const scratch = folder();
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(scratch, { recursive: true, force: true });
});

const text = readFileSync("Dockerfile", "utf8");
const instructions = [...text.replaceAll(/^#.*\n|\\\n\s*/gm, "").matchAll(/^([A-Z]+) +(.*)$/gm)].map(
  ([, name = "", given = ""]) => ({ name, given }),
);
const lastStage = instructions.slice(instructions.findLastIndex(({ name }) => name === "FROM"));
const last = (name: string): string => lastStage.findLast((one) => one.name === name)?.given ?? "";
const pairs = last("ENV").split(" ");
const variables: Record<string, string> = Object.fromEntries(pairs.map((pair) => pair.split("=")));
const command = (given: string): string[] => JSON.parse(given.slice(given.indexOf("["))) as string[];

describe("the Dockerfile", () => {
  it("is one that the linter finds nothing in", () => {
    expect(validate(text, {})).toEqual([]);
    expect(validate(text.replace("USER", "USR"), {})).not.toEqual([]);
  });

  it("Dockerfile: runs as a non-root user on a named release of Node", () => {
    expect(last("USER")).toBe("node");
    const afterUser = lastStage.slice(lastStage.findLastIndex(({ name }) => name === "USER") + 1);
    expect(afterUser.map(({ name }) => name).filter((name) => /^(RUN|COPY|ADD)$/.test(name))).toEqual([]);
    for (const { name, given } of instructions)
      if (name === "FROM") expect(given).toMatch(/^node:\d+-\w+-slim( AS \w+)?$/);
  });

  it("takes from the checkout what there is, and all that the build reads", async () => {
    const taken = [...readFileSync(".dockerignore", "utf8").matchAll(/^!(.+)$/gm)].map(([, name = ""]) => name);
    expect(taken.filter((name) => !existsSync(name))).toEqual([]);
    const { metafile } = await build({
      entryPoints: ["scripts/run.mjs", "scripts/build.ts", "scripts/record-code-cache.cjs", "src/server.ts"],
      outdir: scratch,
      bundle: true,
      write: false,
      metafile: true,
      packages: "external",
      platform: "node",
      format: "esm",
    });
    const read = Object.keys(metafile.inputs);
    expect(read.length).toBeGreaterThan(200);
    expect(read.filter((path) => !taken.some((name) => path === name || path.startsWith(`${name}/`)))).toEqual([]);
  });

  it("Dockerfile: its command serves, which the health check verifies", async () => {
    const tokens = file(`client ${randomBytes(24).toString("hex")}\n`);
    const [node, program, ...flags] = [...command(last("ENTRYPOINT")), ...command(last("CMD"))];
    expect([node, program]).toEqual(["node", "/opt/edgewise/dist/server.js"]);
    const env = bareEnvironment({ ...variables, EDGEWISE_STATE_DIR: scratch, EDGEWISE_PORT: "0" });
    const started = await startProcess(
      flags,
      { ...env, EDGEWISE_TOKEN_FILE: tokens, EDGEWISE_EMULATOR: "1" },
      /serving MCP at http:\/\/0\.0\.0\.0:(\d+)\/mcp/,
    );
    children.push(started.child);
    const [check = "", ...args] = command(last("HEALTHCHECK"));
    const health = () => spawnSync(check, args, { env: { ...env, EDGEWISE_PORT: started.match } }).status;
    expect(health()).toBe(0);
    const answer = await fetch(`http://127.0.0.1:${started.match}/healthz`);
    expect([await answer.text(), answer.headers.get("mcp-session-id")]).toEqual(['{"status":"ok"}', null]);
    started.child.kill("SIGTERM");
    await once(started.child, "exit");
    expect(health()).toBe(1);
  });
});

interface Service {
  readonly ports?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly volumes: readonly string[];
  readonly [setting: string]: unknown;
}

interface Compose<Name extends string> {
  readonly services: Readonly<Record<Name, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, null>>;
}

const port = variables["EDGEWISE_PORT"];
const onLoopback = [`127.0.0.1:${port}:${port}`];
const fewRights = { read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] };
/** The secrets whose files the variables of a service name. */
const secretsIn = ({ environment }: Service): readonly string[] =>
  Object.values(environment).flatMap((value) => /^\/run\/secrets\/(.*)$/.exec(value)?.slice(1) ?? []);
const expectIgnored = (secrets: Compose<never>["secrets"]): void => {
  for (const { file } of Object.values(secrets)) execFileSync("git", ["check-ignore", "--quiet", file]);
};
/** A compose file with variables, or with their defaults. */
const composed = <Name extends string>(file: string, given: Readonly<Record<string, string>> = {}): Compose<Name> => {
  const filled = readFileSync(file, "utf8").replaceAll(/\$\{(\w+):-(\w*)\}/g, (_, name, usual) => given[name] ?? usual);
  return parse(filled, { strict: true, merge: true }) as Compose<Name>;
};

describe("the compose file", () => {
  const { services, secrets, volumes } = composed<"edgewise">("compose.yaml");
  const service = services.edgewise;

  it("compose file: publishes on loopback alone, with minimal rights", () => {
    expect(service.ports).toEqual(onLoopback);
    expect(service).toMatchObject(fewRights);
  });

  it("compose file: sets what the server reads, secrets in ignored files", () => {
    const { values } = readConfig(command(last("CMD")), { ...variables, ...service.environment });
    expect(values).toMatchObject({ host: "0.0.0.0", "state-dir": "/var/lib/edgewise" });
    expect(secretsIn(service)).toEqual(service.secrets);
    expect(Object.keys(secrets)).toEqual(service.secrets);
    expectIgnored(secrets);
  });

  it("keeps the state in a volume", () => {
    expect(service.volumes).toEqual([`state:${variables["EDGEWISE_STATE_DIR"]}`]);
    expect(command(last("VOLUME"))).toEqual([variables["EDGEWISE_STATE_DIR"]]);
    expect(Object.keys(volumes)).toEqual(["state"]);
  });
});

describe("the compose file of several instances", () => {
  const { services, secrets, volumes } = composed<"proxy" | "postgres" | `edgewise-${1 | 2}`>("compose.instances.yaml");
  const { proxy, postgres, ...instances } = services;
  const all = Object.entries(instances);
  const single = composed<"edgewise">("compose.yaml").services.edgewise;
  const proxyFile = readFileSync("assets/instances.haproxy.cfg", "utf8");

  it("several instances: only the proxy is published; rights are minimal", () => {
    expect(proxy.ports).toEqual(onLoopback);
    for (const [name, service] of Object.entries(services)) {
      expect(service, name).toMatchObject(fewRights);
      expect(service.ports === undefined, name).toBe(name !== "proxy");
      expect(service["cap_add"] === undefined, name).toBe(name !== "postgres");
    }
  });

  it("several instances: like a single server, plus store and address", () => {
    const { ports: _, volumes: __, environment: alone, secrets: usedAlone, ...like } = single;
    for (const [name, instance] of all) {
      expect(instance, name).toMatchObject({ ...like, environment: alone });
      expect(instance.secrets, name).toEqual(expect.arrayContaining([...usedAlone]));
      expect(instance.volumes).toEqual([`${name.replace("edgewise", "state")}:${variables["EDGEWISE_STATE_DIR"]}`]);
      const { values } = readConfig(command(last("CMD")), { ...variables, ...instance.environment });
      expect(values["instance-url"]).toBe(`http://${name}:${port}`);
    }
    const shared = all.map(([, { environment }]) => ({ ...environment, EDGEWISE_INSTANCE_URL: "its own" }));
    expect(shared[0]).toEqual(shared[1]);
  });

  it("several instances: secrets are git-ignored, every volume is in use", () => {
    for (const service of [...Object.values(instances), postgres])
      expect(secretsIn(service).toSorted()).toEqual(service.secrets.toSorted());
    expect(Object.keys(secrets)).toEqual([...(all[0]?.[1].secrets ?? []), ...postgres.secrets]);
    expectIgnored(secrets);
    const mounted = Object.values(services).flatMap((service) => service.volumes.map((volume) => volume.split(":")[0]));
    expect(mounted.filter((name) => !name?.startsWith("./"))).toEqual(Object.keys(volumes));
    expect(mounted.filter((name) => name?.startsWith("./") && !existsSync(name))).toEqual([]);
  });

  it("several instances: the store's URL names its service and user", () => {
    const { hostname, username, password, pathname } = new URL(all[0]?.[1].environment["EDGEWISE_STORE"] ?? "");
    const user = postgres.environment["POSTGRES_USER"];
    // The image names the first database after its user.
    expect([hostname, username, password, pathname]).toEqual(["postgres", user, "", `/${user}`]);
  });

  it("several instances: the proxy knows and health-checks every one", () => {
    const known = [...proxyFile.matchAll(/^ {2}server (\S+) (\S+)$/gm)].map(([, name, address]) => [name, address]);
    const own = all.map(([name]) => [name, `${name}:${port}`]);
    // Those that are ready, and those that run.
    expect(known).toEqual([...own, ...own]);
    expect(proxyFile).toContain(`\n  bind :${port}\n`);
    for (const check of ["/readyz", "/healthz"])
      expect(proxyFile).toContain(
        `\n  http-check send meth GET uri ${check} ver HTTP/1.1 hdr Host localhost:${port}\n`,
      );
  });

  it("several instances: tried without an account, a person approves", needs.postgresServer, async () => {
    const { services: onEmulator } = composed<"edgewise-1" | "edgewise-2">("compose.instances.yaml", {
      EDGEWISE_EMULATOR: "1",
    });
    const token = randomBytes(24).toString("hex");
    const given: Readonly<Record<string, string>> = {
      ...{ edgerc: "", tokens: `ann ${token}`, approvers: `bob ${randomBytes(24).toString("hex")}`, pgpass: "" },
      "store-keys": randomBytes(32).toString("hex"),
    };
    for (const [name, text] of Object.entries(given)) writeFileSync(join(scratch, name), `${text}\n`, { mode: 0o600 });
    const store = await (await ownPostgres()).createDatabase();
    const started: Awaited<ReturnType<typeof startProcess>>[] = [];
    for (const { environment } of [onEmulator["edgewise-1"], onEmulator["edgewise-2"]]) {
      // No other instance reaches it at the address that its service has among containers.
      const local = Object.entries(environment)
        .filter(([name]) => name !== "EDGEWISE_INSTANCE_URL")
        .map(([name, value]) => [name, String(value).replace("/run/secrets", scratch)]);
      const own = { EDGEWISE_STORE: store, EDGEWISE_PORT: "0", EDGEWISE_STATE_DIR: folder() };
      const env = bareEnvironment({ ...variables, ...Object.fromEntries(local), ...own });
      started.push(await startProcess(command(last("CMD")), env, /serving MCP at http:\/\/0\.0\.0\.0:(\d+)\/mcp/));
    }
    for (const { match, stderr, child } of started) {
      const page = await fetch(`http://127.0.0.1:${match}/plans`);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("approve")]);
      expect(stderr()).toContain("goes to the embedded emulator");
      child.kill("SIGKILL");
    }
  });
});
