import { Type } from 'typebox'
import { formType, jsonType } from '../../../packages/http/body.ts'
import { propertiesOf } from '../../../packages/http/input.ts'
import type { Shape } from '../../../packages/http/route.ts'
import { pathOf, type AttackedRoute } from './attacked-route.ts'
import type { Sent } from './client.ts'
import { sampleObject, sampleValue } from './sample-value.ts'

/** A request in which nothing is wrong but that what it names does not exist: made from the route's own schemas. */
export function goodRequest(target: AttackedRoute): Pick<Sent, 'path' | 'body'> & { headers: Record<string, string> } {
  const { input = {}, accepts = [jsonType] } = target.route
  const query = new URLSearchParams(textsOf(requiredOf(input.query ?? {})))
  const path = pathOf(target, textsOf(requiredOf(input.params ?? {})))
  const whole = query.size === 0 ? path : `${path}?${query}`
  if (input.body === undefined) return { path: whole, headers: {}, ...emptyForm(target) }
  const type = accepts[0] ?? jsonType
  return { path: whole, headers: { 'content-type': type }, body: bodyOf(input.body, type) }
}

/** Forms are sent as forms, also where they have no fields. */
function emptyForm({ route }: AttackedRoute) {
  return route.accepts?.[0] === formType ? { headers: { 'content-type': formType }, body: '' } : {}
}

function bodyOf(schema: unknown, type: string): string {
  const value = sampleValue(schema)
  return type === formType ? String(new URLSearchParams(textsOf(Object(value)))) : JSON.stringify(value)
}

function requiredOf(shape: Shape): Record<string, unknown> {
  const properties = propertiesOf(shape)
  const required = Object.entries(properties).filter(([, schema]) => !Type.IsOptional(schema))
  return sampleObject({ properties, required: required.map(([name]) => name) })
}

const textsOf = (values: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
