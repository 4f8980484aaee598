/** Who else can use a file, on each platform: the bits of its mode, its owner, and where neither says anything. */
import { describe, expect, it } from "vitest";
import {
  fileAccessOf,
  howToClose,
  isOpenDirectory,
  type ProcessUser,
  refuseOpenFile,
  syncDirectory,
} from "../../src/system/file-access.js";
import { onWindows } from "../lab/users.js";

const none = { owner: "self", canUse: false, canWrite: false };

describe.each(["linux", "darwin"] as const)("on %s", (platform) => {
  const ada: ProcessUser = { platform, uid: 1000 };

  it("the mode of one's own file says who else can use it and write it", () => {
    const [used, written] = [{ canUse: true }, { canUse: true, canWrite: true }];
    for (const [modes, others] of [
      [[0o600, 0o700, 0o000, 0o4700], {}],
      [[0o640, 0o604, 0o610, 0o601, 0o755, 0o1755], used],
      [[0o620, 0o602, 0o1777], written],
    ] as const)
      for (const mode of modes)
        for (const type of [0o100000, 0o040000])
          expect([mode, fileAccessOf({ mode: type | mode, uid: 1000 }, ada)]).toEqual([mode, { ...none, ...others }]);
  });

  it("a file or directory of one's own is told from root's and from others'", () => {
    expect(fileAccessOf({ mode: 0o100400, uid: 1001 }, ada)).toEqual({ ...none, owner: "other" });
    expect(fileAccessOf({ mode: 0o100600, uid: 0 }, ada)).toEqual({ ...none, owner: "root" });
    expect(fileAccessOf({ mode: 0o100644, uid: 0 }, ada)).toEqual({ ...none, owner: "root", canUse: true });
    expect(fileAccessOf({ mode: 0o100600, uid: 0 }, { platform, uid: 0 })).toEqual(none);
    expect(fileAccessOf({ mode: 0o100600, uid: 1000 }, { platform, uid: 0 })).toEqual({ ...none, owner: "other" });
    expect(isOpenDirectory({ mode: 0o040700, uid: 1000 }, ada)).toBe(false);
    expect(isOpenDirectory({ mode: 0o040755, uid: 1000 }, ada)).toBe(false);
    expect(isOpenDirectory({ mode: 0o040770, uid: 1000 }, ada)).toBe(true);
    expect(isOpenDirectory({ mode: 0o041777, uid: 0 }, ada)).toBe(true);
    expect(isOpenDirectory({ mode: 0o040700, uid: 0 }, ada)).toBe(true);
  });

  const file = { path: "/a", what: "the file /a", why: "They could.", chmod: "600" } as const;

  it("closing a file takes a mode, or first another owner", () => {
    expect(howToClose(file, { mode: 0o644, uid: 1000 }, ada)).toBe("Run chmod 600 /a.");
    expect(howToClose({ ...file, chmod: "go-w" }, { mode: 0o666, uid: 0 }, ada)).toBe("Run chmod go-w /a.");
    expect(howToClose({ ...file, mayBelongToOthers: true }, { mode: 0o666, uid: 1001 }, ada)).toBe("Run chmod 600 /a.");
    expect(howToClose(file, { mode: 0o600, uid: 1001 }, ada)).toBe(
      "It belongs to user 1001: run chown 1000 /a and chmod 600 /a as root, or use your own copy.",
    );
  });

  it("a file is refused only for what others must not be able to do", () => {
    const refuse =
      (mode: number, forbids: "writing" | "any use", uid = 1000, mayBelongToOthers = false) =>
      () =>
        refuseOpenFile({ mode, uid }, { ...file, forbids, mayBelongToOthers }, ada);
    expect(refuse(0o644, "writing")).not.toThrow();
    expect(refuse(0o600, "any use")).not.toThrow();
    expect(refuse(0o664, "writing")).toThrow("Other users can write to the file /a.");
    expect(refuse(0o644, "any use")).toThrow("Other users can read or write the file /a.");
    expect(refuse(0o600, "any use", 0)).not.toThrow();
    for (const forbids of ["writing", "any use"] as const) {
      expect(refuse(0o600, forbids, 1001)).toThrow("Other users can ");
      expect(refuse(0o600, forbids, 1001, true)).not.toThrow();
    }
  });
});

it.each([0o100666, 0o100444, 0o100777, 0o040777])(
  "Windows: nothing is known from mode %o, and nothing refused",
  (mode) => {
    const found = { mode, uid: 0 };
    expect(fileAccessOf(found, onWindows)).toBeUndefined();
    expect(isOpenDirectory(found, onWindows)).toBe(false);
    for (const forbids of ["writing", "any use"] as const)
      expect(() =>
        refuseOpenFile(found, { path: "C:\\a", what: "it", forbids, why: "so", chmod: "600" }, onWindows),
      ).not.toThrow();
  },
);

it("Windows: no directory is synced", async () => {
  await expect(syncDirectory("/none/such", "win32")).resolves.toBeUndefined();
  await expect(syncDirectory("/none/such", "darwin")).rejects.toMatchObject({ code: "ENOENT" });
});
