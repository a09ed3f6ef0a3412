import { unreachable } from '../../../../../packages/faults/fault.ts'
import { sql, type Statement } from '../../../../../packages/sql/sql.ts'
import type { Sought } from '../../ast.ts'
import { beginningOf, wholeText } from '../../../store/indexed-text.ts'
import { beginsWith } from './strings.ts'

export function isUri({ how, uri }: Extract<Sought, { kind: 'uri' }>): Statement {
  switch (how) {
    case 'is':
      return sql`x.uri = ${wholeText(uri)}`
    case 'below':
      return sql`(x.uri = ${wholeText(uri)} or (${beginsWith(sql`x.uri`, beginningOf(withSlash(uri)))}))`
    case 'above':
      return sql`x.uri = any(${ancestorsOf(uri).map(wholeText)}::text[])`
    default:
      return unreachable(how)
  }
}

const withSlash = (uri: string) => (uri.endsWith('/') ? uri : `${uri}/`)

/** The address itself and every shorter one that ends at a slash: `http://a/b/c`, `http://a/b`, `http://a`. */
export function ancestorsOf(uri: string): string[] {
  const authority = uri.indexOf('://') + 3
  const ancestors = [uri]
  for (let at = uri.lastIndexOf('/'); at >= authority; at = uri.lastIndexOf('/', at - 1)) {
    ancestors.push(uri.slice(0, at), uri.slice(0, at + 1))
  }
  return [...new Set(ancestors)]
}
