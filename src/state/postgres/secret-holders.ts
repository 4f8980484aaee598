/** Which instance has which secret file, in PostgreSQL: the names of files and their holders, never what is in them. */
import type { SecretHolders } from "../../secrets/files.js";
import type { Database } from "./database.js";
import type { Instance } from "./instance.js";

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
      // This instance had another id before it was restarted, but the same address.
      const { rows } = await database.run<{ readonly address: string }>(
        `select address from edgewise.secret_files join edgewise.instances on id = holder
         where directory = $1 and name = $2 and address is not null
           and address is distinct from (select address from edgewise.instances where id = $3)`,
        [directory, name, instance.id()],
      );
      return rows[0]?.address;
    },
  };
}
