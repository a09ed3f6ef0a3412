import type { Queryable } from '../../../../packages/sql/database.ts'
import { sql } from '../../../../packages/sql/sql.ts'

/** Remembers it for ever, as papers are kept that name it. */
export async function addAddress(address: string, now: Date, on: Queryable): Promise<void> {
  await on.run(sql`
    insert into immunization.addresses (address, used_from) values (${address}, ${now}) on conflict do nothing`)
}

export async function knownAddresses(on: Queryable): Promise<readonly string[]> {
  const rows = await on.many<{ address: string }>(
    sql`select address from immunization.addresses order by used_from, address`,
  )
  return rows.map(({ address }) => address)
}
