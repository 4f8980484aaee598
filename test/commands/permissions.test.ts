/** What `doctor` says on Windows of the files whose access control lists nobody has looked at. */
import { expect, it } from "vitest";
import { permissions } from "../../src/commands/doctor/machine.js";
import { readConfig } from "../../src/config.js";

const emulated = readConfig(["doctor", "--emulator"], {});
const given = ["--edgerc", "C:\\keys\\edgerc", "--policy", "C:\\policy.yaml", "--token-file", "C:\\tokens"];
const configured = readConfig(["doctor", ...given], {});

it("names the files that others' access matters for, on Windows alone", () => {
  expect(permissions(configured, "win32")).toEqual([
    {
      state: "warning",
      subject: "Access",
      what: "The access control lists of C:\\keys\\edgerc, C:\\policy.yaml, C:\\tokens were not checked: Edgewise does not read those of Windows.",
      next: "Run icacls on each; only your user, SYSTEM and Administrators should be listed.",
    },
  ]);
  for (const platform of ["linux", "darwin"] as const) expect(permissions(configured, platform)).toEqual([]);
});

it("says nothing where no file is relied on", () => {
  expect(permissions(emulated, "win32")).toEqual([]);
});
