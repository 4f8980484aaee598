/** What `edgewise config` lists: every setting, its value and its source, and no secret. */
import { expect, it } from "vitest";
import { configRows } from "../../src/commands/config.js";
import { readConfig, settings } from "../../src/config.js";

it("config lists every setting once, with where it comes from", () => {
  const config = readConfig(["--surface", "core", "--emulator"], { EDGEWISE_PORT: "4010", EDGEWISE_SURFACE: "all" });
  const rows = configRows(config);
  expect(rows.map(({ setting }) => setting)).toEqual([...Object.keys(settings), "credentials"]);
  const of = (name: string) => rows.find(({ setting }) => setting === name);
  expect(of("surface")).toEqual({ setting: "surface", value: "core", from: "--surface" });
  expect(of("port")).toEqual({ setting: "port", value: "4010", from: "EDGEWISE_PORT" });
  expect(of("read-only")).toEqual({ setting: "read-only", value: "false", from: "default" });
  expect(of("state-dir")?.value).toMatch(/edgewise$/);
  expect(of("credentials")?.value).toBe("the emulator's");
});

it("config masks passwords and credentials, and names their source", () => {
  const hidden = "hidden-12345678";
  const environment = {
    EDGEWISE_STORE: `postgres://u:${hidden}@db.example/edgewise`,
    HTTPS_PROXY: `http://u:${hidden}@proxy.example:3128`,
    http_proxy: `u:${hidden}@proxy.example:3128`,
    AKAMAI_HOST: "akab-x.luna.akamaiapis.net",
    AKAMAI_CLIENT_TOKEN: hidden,
    AKAMAI_CLIENT_SECRET: hidden,
    AKAMAI_ACCESS_TOKEN: hidden,
  };
  const rows = configRows(readConfig([], environment));
  expect(JSON.stringify(rows)).not.toContain(hidden);
  for (const form of [`u:a@${hidden}@h`, `u:a/${hidden}@h`, `h/x?sslpassword=${hidden}&a=1`]) {
    const odd = configRows(readConfig([], { EDGEWISE_STORE: `postgres://${form}`, HTTPS_PROXY: `https://${form}` }));
    expect(JSON.stringify(odd)).not.toContain(hidden);
  }
  for (const form of [` http://u:${hidden}@p`, `http://u:a ${hidden}@p`, `host=h password = ${hidden}`]) {
    const odd = configRows(readConfig([], { EDGEWISE_STORE: form, HTTP_PROXY: form }));
    expect(JSON.stringify(odd)).not.toContain(hidden);
  }
  const shown = (value: string) => rows.filter((row) => row.value === value).map(({ from }) => from);
  expect(shown("postgres://[secret]@db.example/edgewise")).toEqual(["EDGEWISE_STORE"]);
  expect(shown("http://[secret]@proxy.example:3128")).toEqual(["HTTPS_PROXY"]);
  expect(shown("[secret]@proxy.example:3128")).toEqual(["HTTP_PROXY"]);
  expect(shown("akab-x.luna.akamaiapis.net, [secret]")[0]).toMatch(/AKAMAI_/);
  const broken = configRows(readConfig([], { AKAMAI_HOST: "akab-x.luna.akamaiapis.net" })).at(-1);
  expect(broken?.value).toMatch(/^cannot be used: /);
});
