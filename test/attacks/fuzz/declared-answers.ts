import { isContent } from '../../../packages/http/content.ts'
import { makeAjv } from '../../../packages/http/input.ts'
import type { AttackedRoute } from '../world/attacked-route.ts'
import type { Answered } from '../world/client.ts'

/** Tells, in sentences, what of a success its route has not declared. Refusals look the same everywhere. */
export function declaredAnswers({ route: { output } }: AttackedRoute): (answer: Answered) => string[] {
  const ajv = makeAjv()
  const schemas = Object.entries(output).flatMap(([status, one]) => (isContent(one) ? [] : [[status, one] as const]))
  const checks = new Map(schemas.map(([status, schema]) => [Number(status), ajv.compile(schema)]))
  return ({ status, text }) => {
    if (status >= 400) return []
    if (!(status in output)) return [`${status} is not declared`]
    const fits = checks.get(status)
    if (fits === undefined || fits(JSON.parse(text))) return []
    return [`${status} says what is not declared: ${ajv.errorsText(fits.errors)}`]
  }
}
