import type { ValidateFunction } from 'ajv'
import { isContent } from '../../../packages/http/content.ts'
import { makeAjv } from '../../../packages/http/input.ts'
import type { AttackedRoute } from '../world/attacked-route.ts'
import type { Answered } from '../world/client.ts'

/** Tells, in sentences, what of a success its route has not declared. Refusals look the same everywhere. */
export function declaredAnswers({ route: { output } }: AttackedRoute): (answer: Answered) => string[] {
  const checks = new Map<number, ValidateFunction>()
  // Most routes are asked for one of their answers only.
  const checkOf = (status: number, schema: object) => {
    const check = checks.get(status) ?? makeAjv().compile(schema)
    checks.set(status, check)
    return check
  }
  return ({ status, text }) => {
    if (status >= 400) return []
    const declared = Object.entries(output).find(([one]) => Number(one) === status)?.[1]
    if (declared === undefined) return [`${status} is not declared`]
    if (isContent(declared)) return []
    const fits = checkOf(status, declared)
    if (fits(JSON.parse(text))) return []
    const wrong = (fits.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
    return [`${status} says what is not declared: ${wrong.join(', ')}`]
  }
}
