import { sql, type Statement } from '../../../../../packages/sql/sql.ts'
import type { SoughtToken } from '../../ast.ts'
import { wholeText } from '../../../store/indexed-text.ts'
import { noSystem, systemKey, type Key } from '../../../store/keys.ts'
import { anyHolds } from '../lookup.ts'

type Token = Pick<SoughtToken, 'system' | 'code'>

/** One of the tokens. Codes of one system go together, so that a thousand alternatives stay a few parameters. */
export function isToken(tokens: readonly Token[]): Statement {
  const ofAnySystem = tokens.filter(({ system }) => system === undefined)
  const wholeSystems = tokens.filter(({ system, code }) => system !== undefined && code === undefined)
  const coded = tokens.filter(({ system, code }) => system !== undefined && code !== undefined)
  const bySystem = Map.groupBy(coded, ({ system = '' }) => system)
  return anyHolds([
    ...(ofAnySystem.length === 0 ? [] : [isCode(ofAnySystem)]),
    ...[...bySystem].map(([system, those]) => sql`(${isCode(those)} and x.system = ${keyOf(system)})`),
    ...(wholeSystems.length === 0
      ? []
      : [
          sql`(x.system = any(${wholeSystems.map(({ system = '' }) => keyOf(system))}::bigint[]) and x.code is not null)`,
        ]),
  ])
}

const keyOf = (system: string): Key => (system === '' ? noSystem : systemKey(system))

/** One value compared by itself lets the planner see how frequent it is. */
function isCode(tokens: readonly Token[]): Statement {
  const codes = tokens.map(({ code = '' }) => wholeText(code))
  return codes.length === 1 ? sql`x.code = ${codes[0]}` : sql`x.code = any(${codes}::text[])`
}
