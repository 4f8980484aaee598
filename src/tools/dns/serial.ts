/** The serial of a zone, raised for a change. */

/** Serials are 32 bits wide (RFC 1035, 3.3.13). */
const maxSerial = 0xffffffff;

/** The serials of a day by the convention YYYYMMDDnn: from its first to its last. */
function firstOfDay(serial: number): number | undefined {
  const text = String(serial);
  if (text.length !== 10) return undefined;
  const day = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 8)}`;
  const at = new Date(`${day}T00:00:00Z`);
  const isDay = !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
  return isDay && at.getUTCFullYear() >= 1980 && at.getUTCFullYear() < 2100
    ? Math.floor(serial / 100) * 100
    : undefined;
}

/**
 * The next serial, which is always greater: today's first by the convention YYYYMMDDnn where the present one follows it
 * and is of an earlier day, and one more otherwise. Undefined where a serial cannot be raised any more.
 */
export function nextSerial(present: number, nowMs: number): number | undefined {
  if (present >= maxSerial) return undefined;
  const today = Number(`${new Date(nowMs).toISOString().slice(0, 10).replaceAll("-", "")}01`);
  return firstOfDay(present) !== undefined && today > present ? today : present + 1;
}
