import { isContent } from '../../../packages/http/content.ts'
import { propertiesOf } from '../../../packages/http/input.ts'
import type { AttackedRoute } from '../world/attacked-route.ts'
import type { JsonSchema } from '../world/json-schema.ts'

/** Where nothing is declared, requests hardly differ. */
const requestsMin = 4

/**
 * How many of so many requests each route gets: the more fields it declares, the more. Data get more than pages,
 * documents and the steps of signing in, of which one costs as much as ten answers in JSON.
 */
export function routeShares(routes: readonly AttackedRoute[], requests: number): ReadonlyMap<AttackedRoute, number> {
  const weights = routes.map(weightOf)
  const each = (requests - requestsMin * routes.length) / weights.reduce((sum, one) => sum + one, 0)
  return new Map(routes.map((route, index) => [route, requestsMin + Math.ceil(each * (weights[index] ?? 0))]))
}

function weightOf({ route: { input = {}, output, readsOwnInput = false } }: AttackedRoute): number {
  const shapes = [input.params, input.query, input.headers].map((shape = {}) => Object.keys(propertiesOf(shape)).length)
  const declared = shapes.reduce((sum, one) => sum + one, 0) + fieldsOf(input.body ?? {})
  const fields = Math.min(readsOwnInput ? fieldsMax : declared, fieldsMax)
  const isForPeople = Object.entries(output).some(
    ([status, one]) => Number(status) >= 300 || (isContent(one) && dear.has(one.content)),
  )
  return isForPeople ? fields : 10 * fields
}

/** The language of FHIR has more fields than anybody counts. */
const fieldsMax = 8

const dear: ReadonlySet<string> = new Set(['html', 'text', 'bytes', 'stream'])

function fieldsOf({ properties = {}, items, anyOf = [] }: JsonSchema): number {
  const inner = [...Object.values(properties), ...(items === undefined ? [] : [items]), ...anyOf]
  return inner.reduce((sum, schema) => sum + 1 + fieldsOf(schema), 0)
}
