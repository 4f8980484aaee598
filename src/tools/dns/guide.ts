/** The text of the guide to DNS zones. */
import type { Guide } from "../../language/guide.js";
import type { dns as service } from "./index.js";

export const dns = {
  purpose:
    "Use it to read and write a primary zone. A zone is written as a whole, so each change begins with a read: its `token` proves that it has not changed since, and the serial of its SOA record has to increase. For a single record use `dns_record_set` and `dns_record_remove`, which read, increase the serial and preview the change; `dns_record_set` can also change only a TTL.",
  objects: { zone: "All records of a domain, with the token that the next write needs." },
  lives: [
    {
      of: "a zone",
      moves: [
        { to: "served", by: "dns_zone_write", when: "with the token new" },
        { from: "served", to: "served", by: "dns_zone_write", when: "with the current token and a greater serial" },
      ],
    },
  ],
} satisfies Guide<typeof service>;
