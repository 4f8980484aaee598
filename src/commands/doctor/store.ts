/** Checks of the database in which instances share their state. */
import type { Config } from "../../config.js";
import { sharedKeys } from "../../engine/state.js";
import { nameOfDatabase } from "../../state/postgres/database.js";
import { inspectDatabase } from "../../state/postgres/inspect.js";
import { quantity } from "../../text/quantity.js";
import { type DoctorFinding, fail, pass, warning } from "./finding.js";

const subject = "Store";
/** More than this, and instances disagree on when a plan has expired. */
const maxClockDifferenceMs = 5_000;

/** The database, if there is one: whether it can be used, and what could lose or delay approvals. */
export async function storeFindings(config: Config): Promise<readonly DoctorFinding[]> {
  const { store: url } = config.values;
  if (url === undefined) return [];
  const name = nameOfDatabase(url);
  sharedKeys(config);
  const database = await inspectDatabase(url);
  const { version, schema, expectedSchema: ownSchema, instances, waitingPlans, writeStop } = database;
  if (database.isReadOnly)
    return [fail(subject, `${name} is a standby, which only reads.`, "Name the primary with --store.")];
  const findings: DoctorFinding[] = [
    schema === undefined
      ? pass(subject, `${name}, version ${version}, can be used; the first instance creates the schema.`)
      : pass(
          subject,
          `${name}, version ${version}: ${quantity(instances, "instance")}, ${quantity(waitingPlans, "plan")} waiting, schema ${schema}.`,
        ),
  ];
  if (schema !== undefined && schema < ownSchema)
    findings.push(
      warning(subject, `Its schema is older than this program's ${ownSchema}.`, "The next start brings it up to date."),
    );
  if (database.asynchronousStandbys === undefined)
    findings.push(
      warning(subject, "Its standbys cannot be seen by this role.", "Grant it pg_monitor to have doctor check them."),
    );
  else if (database.asynchronousStandbys > 0)
    findings.push(
      warning(
        subject,
        `${quantity(database.asynchronousStandbys, "standby")} may lack the last commits: a failover could lose outcomes, audit lines and counts of quotas.`,
        "Have the primary wait for a standby: set synchronous_standby_names.",
      ),
    );
  if (Math.abs(database.clockDifferenceMs) > maxClockDifferenceMs)
    findings.push(
      warning(
        subject,
        `Its clock differs from this machine's by ${Math.round(database.clockDifferenceMs / 1_000)} s.`,
        "Keep both on time with NTP.",
      ),
    );
  if (writeStop)
    findings.push(
      warning(
        subject,
        `${writeStop.by} stopped all changes: ${writeStop.reason}`,
        "edgewise resume-writes lets them through again.",
      ),
    );
  return findings;
}
