import { forbidden } from '../../../packages/faults/fault.ts'
import { patientsWord } from '../../../packages/fhir/patients-word.ts'
import type { Queryable } from '../../../packages/sql/queryable.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { isVouchedFor } from '../scopes/patients-word.ts'
import type { Placed, Places } from './change-under-way.ts'
import { parameterKey, systemKey, type Key } from './keys.ts'

/** Of these resources those that a patient wants to change or delete, and that others vouch for. */
export async function othersWord(
  placed: readonly Placed[],
  heads: Places['heads'],
  tx: Queryable,
): Promise<ReadonlySet<Key>> {
  const asked = placed.filter(
    ({ key, change: { type, access } }) =>
      access.isPatientsWord === true && isVouchedFor(type) && heads.get(key) !== undefined,
  )
  if (asked.length === 0) return nobodys
  const rows = await tx.many<{ key: Key }>(sql`
    select distinct key from fhir.tokens
    where key = any (${asked.map(({ key }) => key)}::bigint[])
      and param = any (${asked.map(({ change }) => parameterKey(change.type, '_security'))}::integer[])
      and code = ${patientsWord.code} and system = ${systemKey(patientsWord.system)}::bigint`)
  const own = new Set(rows.map(({ key }) => key))
  return new Set(asked.filter(({ key }) => !own.has(key)).map(({ key }) => key))
}

const nobodys: ReadonlySet<Key> = new Set()

export const vouchedForByOthers = (type: string) =>
  forbidden(
    `Others have recorded this ${type}: with a patient’s token it is neither changed nor deleted. Ask who recorded it to put it right, or add what you know as another one.`,
    { code: 'RECORDED_BY_OTHERS' },
  )
