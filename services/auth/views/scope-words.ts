import { contains } from '../../../packages/smart/contains.ts'
import { parseScope, parseScopes } from '../../../packages/smart/parse.ts'
import { printScope } from '../../../packages/smart/print.ts'
import { sameQuery } from '../../../packages/smart/query.ts'
import { granularCategories } from '../authorize/granular-categories.ts'
import { en } from '../words/en.ts'
import type { Words } from '../words/words.ts'

/** What scopes let an app do together, each thing once: reading all results says that it reads those of a laboratory. */
export function scopesInWords(scopeTexts: readonly string[], words: Words): readonly string[] {
  const scopes = parseScopes(scopeTexts.join(' '))
  const widest = scopes.filter((scope) => !scopes.some((wide) => contains(wide, scope) && !contains(scope, wide)))
  return [...new Set(widest.map((scope) => scopeInWords(printScope(scope), words)))]
}

/** What a scope lets an app do, in words that a patient understands. */
export function scopeInWords(scopeText: string, words: Words): string {
  const { text } = words
  const scope = parseScope(scopeText)
  if (scope === undefined) return scopeText
  if (scope.kind === 'special') return text(`special_${scope.name}`)
  const reads = /[rs]/.test(scope.letters)
  const writes = /[cud]/.test(scope.letters)
  const whose = scope.context === 'patient' ? 'patient' : 'user'
  const what = scope.type === '*' ? text('everything') : typeInWords(scope.type, words)
  const said = text(`scope_${whose}_${reads && writes ? 'both' : writes ? 'change' : 'read'}`, { what })
  return scope.query === undefined
    ? said
    : text('scopeOnly', { scope: said, part: partInWords(scope.type, scope.query, words) })
}

/** The part of a type that a search confines a scope to. */
function partInWords(type: string, query: string, { text, list }: Words): string {
  const known = granularCategories[type]?.find(({ system, code }) => sameQuery(query, `category=${system}|${code}`))
  if (known !== undefined) return text(`part_${known.code}`)
  const conditions = query.split('&').map((condition) => {
    const at = condition.indexOf('=')
    return text('condition', { name: condition.slice(0, at), value: decodeURIComponent(condition.slice(at + 1)) })
  })
  return text('partWhere', { conditions: list.format(conditions) })
}

/** Types without words of their own keep their code; in English they are said as they are called: `nutrition order`. */
function typeInWords(type: string, { text, language }: Words): string {
  const key = `type_${type}`
  if (isMessage(key)) return text(key)
  return language === 'en' ? type.replaceAll(/(?<=[a-z])([A-Z])/g, ' $1').toLowerCase() : type
}

const isMessage = (key: string): key is Extract<keyof typeof en, `type_${string}`> => Object.hasOwn(en, key)
