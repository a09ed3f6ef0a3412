import type { Queryable } from '../../../../packages/sql/database.ts'
import { json, sql } from '../../../../packages/sql/sql.ts'
import type { PublicSigningKey } from '../keys/public-signing-key.ts'

export interface SigningKeyRow {
  readonly number: number
  readonly kid: string
  readonly publicKey: PublicSigningKey
  readonly privateKey: string | null
  readonly certificate: Buffer
  readonly currentFrom: Date
}

/** Every key that is published, oldest first. */
export function signingKeys(on: Queryable): Promise<SigningKeyRow[]> {
  return on.many<SigningKeyRow>(sql`
    select number, kid, public_key as "publicKey", private_key as "privateKey", certificate,
      current_from as "currentFrom"
    from immunization.signing_keys where withdrawn_at is null order by number`)
}

/** The next number, counting those that were withdrawn. */
export async function nextKeyNumber(on: Queryable): Promise<number> {
  const { next } = await on.one<{ next: number }>(
    sql`select coalesce(max(number), 0) + 1 as next from immunization.signing_keys`,
  )
  return next
}

/** False when another copy was first with this number. */
export async function addSigningKey(row: SigningKeyRow, on: Queryable): Promise<boolean> {
  const added = await on.run(sql`
    insert into immunization.signing_keys (number, kid, public_key, private_key, certificate, current_from)
    values (${row.number}, ${row.kid}, ${json(row.publicKey)}::jsonb, ${row.privateKey}, ${row.certificate},
      ${row.currentFrom})
    on conflict (number) do nothing`)
  return added === 1
}

/** False when it has changed in the meantime. */
export async function replacePrivateKey(
  { kid, old, new: next }: { readonly kid: string; readonly old: string; readonly new: string },
  on: Queryable,
): Promise<boolean> {
  const replaced = await on.run(sql`
    update immunization.signing_keys set private_key = ${next} where kid = ${kid} and private_key = ${old}`)
  return replaced === 1
}

/** The private halves of keys older than this one. */
export function erasePrivateKeysBefore(number: number, on: Queryable): Promise<number> {
  return on.run(sql`
    update immunization.signing_keys set private_key = null where number < ${number} and private_key is not null`)
}

/** False when it is not there or was withdrawn before. */
export async function withdrawSigningKey(kid: string, now: Date, on: Queryable): Promise<boolean> {
  const withdrawn = await on.run(sql`
    update immunization.signing_keys set withdrawn_at = ${now}, private_key = null
    where kid = ${kid} and withdrawn_at is null`)
  return withdrawn === 1
}
