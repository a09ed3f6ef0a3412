import { bug, unreachable } from '../../../../../packages/faults/fault.ts'
import type { SearchParameter } from '../../../../../packages/fhir/definitions.ts'
import { joined, sql, type Statement } from '../../../../../packages/sql/sql.ts'
import type { Sought, SoughtComposite, SoughtQuantity } from '../../ast.ts'
import { beginningOf, wholeText } from '../../../store/indexed-text.ts'
import { addressKey, noSystem, systemKey } from '../../../store/keys.ts'
import { isDate } from './dates.ts'
import { isBetween } from './quantities.ts'
import { resourceKeys } from './references.ts'
import { beginsWith } from './strings.ts'

/** Which columns a component fills goes by its kind; see the migration. */
const columns = [
  { system: sql`x.system_1`, text: sql`x.text_1`, low: sql`x.low_1`, high: sql`x.high_1` },
  { system: sql`x.system_2`, text: sql`x.text_2`, low: sql`x.low_2`, high: sql`x.high_2` },
  { system: sql`x.system_3`, text: sql`x.text_3`, low: sql`x.low_3`, high: sql`x.high_3` },
] as const

type Columns = (typeof columns)[number]

export function isComposite(
  { parts }: SoughtComposite,
  parameter: SearchParameter,
  allTypes: Iterable<string>,
): Statement {
  const predicates = parts.map((part, position) => {
    const own = columns[position]
    if (own === undefined) throw bug(`the composite ${parameter.code} has more components than the index has columns`)
    return isComponent(part, own, parameter, allTypes)
  })
  return sql`(${joined(predicates, 'and')})`
}

function isComponent(part: Sought, own: Columns, parameter: SearchParameter, allTypes: Iterable<string>): Statement {
  switch (part.kind) {
    case 'token':
      return isSystemAndCode(part.system, part.code, own)
    case 'string':
      return beginsWith(own.text, beginningOf(part.text))
    case 'uri':
      return sql`${own.text} = ${wholeText(part.uri)}`
    case 'date':
      return isDate(part, own.low, own.high)
    case 'number':
      return isBetween(part, own.low, own.high)
    case 'quantity':
      return sql`${isBetween(part.number, own.low, own.high)} and ${isUnit(part, own)}`
    case 'reference': {
      const targets =
        part.url === undefined ? resourceKeys(part, { ...parameter, targets: [] }, allTypes) : [addressKey(part.url)]
      return sql`${own.system} = any(${targets}::bigint[])`
    }
    case 'token-text':
    case 'token-of-type':
    case 'codes':
    case 'reference-identifier':
    case 'composite':
      throw bug(`a component of a composite cannot be a ${part.kind}`)
    default:
      return unreachable(part)
  }
}

/**
 * Without a system people write what they see, which is the unit (0223). Here is its code alone, where it has one; what
 * unit goes with that is known of the same value by itself, which every such resource has, too.
 */
function isUnit({ system, code }: SoughtQuantity, own: Columns): Statement {
  if (system !== undefined || code === undefined) return isSystemAndCode(system, code, own)
  return sql`(${own.text} = ${wholeText(code)} or exists (
    select from fhir.quantities as q
    where q.key = x.key and q.unit = ${wholeText(code)} and q.code = ${own.text}
      and coalesce(q.value, q.low) = ${own.low} and coalesce(q.value, q.high) = ${own.high}))`
}

function isSystemAndCode(system: string | undefined, code: string | undefined, own: Columns): Statement {
  const key = system === undefined ? undefined : system === '' ? noSystem : systemKey(system)
  const parts = [
    ...(code === undefined ? [] : [sql`${own.text} = ${wholeText(code)}`]),
    ...(key === undefined ? [] : [sql`${own.system} = ${key}`]),
  ]
  return parts.length === 0 ? sql`true` : joined(parts, 'and')
}
