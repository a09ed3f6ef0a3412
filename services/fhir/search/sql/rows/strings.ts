import { unreachable } from '../../../../../packages/faults/fault.ts'
import { fold } from '../../../../../packages/fhir/fold.ts'
import { sql, type Statement } from '../../../../../packages/sql/sql.ts'
import type { Sought } from '../../ast.ts'
import { beginningOf, wholeText } from '../../../store/indexed-text.ts'

export function isString({ how, text }: Extract<Sought, { kind: 'string' }>): Statement {
  switch (how) {
    case 'starts':
      return beginsWith(sql`x.folded`, beginningOf(text))
    case 'contains':
      return sql`position(${beginningOf(text)} in x.folded) > 0`
    case 'exact':
      // The index holds the folded text, so that is asked for too.
      return sql`x.folded = ${beginningOf(fold(text))} and x.text = ${wholeText(text)}`
    default:
      return unreachable(how)
  }
}

/** As a range, which every B-tree in byte order can answer. */
export function beginsWith(column: Statement, text: string): Statement {
  const next = successorOf(text)
  return next === undefined ? sql`${column} >= ${text}` : sql`${column} >= ${text} and ${column} < ${next}`
}

/** The smallest text above all that begin with this one, in the order of code points (which is that of UTF-8's bytes). */
export function successorOf(text: string): string | undefined {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    if (last === 0x10ffff) continue
    // No character lies between U+D7FF and U+E000.
    return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1)
  }
  return undefined
}
