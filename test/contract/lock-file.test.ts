/** The lock file names everything that a package may need on any platform, so that `npm ci` installs the same everywhere. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

interface Locked {
  readonly version?: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
  readonly packages: Readonly<Record<string, Locked>>;
};

/** Where a package finds one that it needs: in the nearest `node_modules` above it, as Node looks. */
function placeOf(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const place = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (Object.hasOwn(packages, place)) return place;
    if (folder === "") return undefined;
  }
}

const needs = ({ dependencies, devDependencies, optionalDependencies }: Locked) =>
  Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });

it("has a place for each package that another one needs, or may need on some platform", () => {
  const missing = Object.entries(packages).flatMap(([from, one]) =>
    needs(one).flatMap((name) => (placeOf(name, from) === undefined ? [`${name}, for ${from}`] : [])),
  );
  expect(missing).toEqual([]);
});

it.each([
  "@biomejs/biome",
  "@duckdb/node-bindings",
  "@resvg/resvg-js",
  "esbuild",
  "oxc-parser",
  "oxc-resolver",
  "rolldown",
  "typescript",
])("has %s for Linux, macOS and Windows, on both kinds of processor", (name) => {
  const from = `node_modules/${name}`;
  const native = Object.keys(packages[from]?.optionalDependencies ?? {}).map(
    (one) => packages[placeOf(one, from) ?? ""],
  );
  const platforms = native.flatMap(
    (one) => one?.os?.flatMap((os) => one.cpu?.map((cpu) => `${os} ${cpu}`) ?? []) ?? [],
  );
  expect(platforms).toEqual(
    expect.arrayContaining(["linux x64", "linux arm64", "darwin x64", "darwin arm64", "win32 x64", "win32 arm64"]),
  );
});
