/** Which instance has which secret file, in PostgreSQL: the names of files and their holders, never what is in them. */
import type { SecretHolders } from "../index.js";
import type { Database } from "./database.js";
import { type Instance, living } from "./instance.js";

export function postgresSecretHolders(database: Database, instance: Instance): SecretHolders {
  return {
    async add({ directory, name }) {
      await database.run(
        "insert into edgewise.secret_files (directory, name, holder, created_ms) values ($1, $2, $3, $4)",
        [directory, name, instance.id(), instance.now()],
      );
    },
    async remove({ directory, name }) {
      await database.run("delete from edgewise.secret_files where directory = $1 and name = $2", [directory, name]);
    },
    async find({ directory, name }) {
      const { rows } = await database.run<{ readonly holder: string }>(
        "select holder from edgewise.secret_files where directory = $1 and name = $2",
        [directory, name],
      );
      return rows[0]?.holder;
    },
    async take({ directory, name }, from) {
      const { count } = await database.run(
        "update edgewise.secret_files set holder = $3 where directory = $1 and name = $2 and holder = $4",
        [directory, name, instance.id(), from],
      );
      return count === 1;
    },
    async claim(files) {
      await database.run(
        `update edgewise.secret_files set holder = $1
         where (directory, name) in (select * from unnest($2::text[], $3::text[])) and holder not in (${living})`,
        [instance.id(), files.map(({ directory }) => directory), files.map(({ name }) => name)],
      );
    },
  };
}
