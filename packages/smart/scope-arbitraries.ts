import * as fc from 'fast-check'
import { letters } from './letters.ts'
import { parseScope } from './parse.ts'
import { specialScopeNames, type Scope } from './scope.ts'

/** Few types, letters and queries, so that two random scopes often have something to do with each other. */
const resourceText = fc
  .record({
    context: fc.constantFrom('patient', 'user', 'system'),
    type: fc.constantFrom('*', 'Observation', 'Patient'),
    access: fc.oneof(
      fc.constantFrom('read', 'write', '*'),
      fc.subarray([...letters], { minLength: 1 }).map((some) => some.join('')),
    ),
    query: fc.constantFrom('', '', '?category=lab', '?category=http%3A%2F%2Fa|b&code=x', '?code=x&category=http://a|b'),
  })
  .map(({ context, type, access, query }) => {
    const granular = /^[cruds]+$/.test(access) ? query : ''
    return `${context}/${type}.${access}${granular}`
  })

/** The text of a scope that parses. */
export const scopeText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: resourceText },
  { weight: 1, arbitrary: fc.constantFrom(...specialScopeNames) },
)

export const scope: fc.Arbitrary<Scope> = scopeText.map((text) => {
  const parsed = parseScope(text)
  if (parsed === undefined) throw new Error(`${text} should be a scope`)
  return parsed
})
