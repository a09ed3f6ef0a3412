import type { Queryable } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'

/** To be read beside something else: a number that is another one after every change. */
export const termsVersion = sql`(select version::text from bridge.terms_version where id = 1)`

export async function readTermsVersion(on: Queryable): Promise<string> {
  const { version } = await on.one<{ version: string }>(sql`select ${termsVersion} as version`)
  return version
}

export async function raiseTermsVersion(on: Queryable): Promise<string> {
  const { version } = await on.one<{ version: string }>(
    sql`update bridge.terms_version set version = version + 1 where id = 1 returning version::text as version`,
  )
  return version
}
