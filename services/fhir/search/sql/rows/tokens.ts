import { sql, type Statement } from '../../../../../packages/sql/sql.ts'
import type { SoughtToken } from '../../ast.ts'
import { wholeText } from '../../../store/indexed-text.ts'
import { noSystem, systemKey, type Key } from '../../../store/keys.ts'
import { anyHolds } from '../lookup.ts'

/** One of the tokens. Codes of one system go together, so that a thousand alternatives stay a few parameters. */
export function isToken(tokens: readonly Pick<SoughtToken, 'system' | 'code'>[]): Statement {
  const codesOfAny: string[] = []
  const codesBySystem = new Map<Key, string[]>()
  const wholeSystems: Key[] = []
  for (const { system, code } of tokens) {
    const key = system === undefined ? undefined : system === '' ? noSystem : systemKey(system)
    if (key === undefined) codesOfAny.push(wholeText(code ?? ''))
    else if (code === undefined) wholeSystems.push(key)
    else codesBySystem.set(key, [...(codesBySystem.get(key) ?? []), wholeText(code)])
  }
  return anyHolds([
    ...(codesOfAny.length === 0 ? [] : [isCode(codesOfAny)]),
    ...[...codesBySystem].map(([system, codes]) => sql`(${isCode(codes)} and x.system = ${system})`),
    ...(wholeSystems.length === 0 ? [] : [sql`(x.system = any(${wholeSystems}::bigint[]) and x.code is not null)`]),
  ])
}

/** One value compared by itself lets the planner see how frequent it is. */
const isCode = (codes: readonly string[]): Statement =>
  codes.length === 1 ? sql`x.code = ${codes[0]}` : sql`x.code = any(${codes}::text[])`
