import { Type } from 'typebox'
import { formType, jsonType } from '../../../packages/http/body.ts'
import { propertiesOf } from '../../../packages/http/input.ts'
import type { Shape } from '../../../packages/http/route.ts'
import { oneOf } from '../../../packages/testkit/cases.ts'
import type { AttackedRoute } from '../world/attacked-route.ts'
import type { Sent } from '../world/client.ts'
import type { JsonSchema } from '../world/json-schema.ts'
import { fhirQuery, fhirResource } from './fhir-values.ts'
import { schemaValue } from './schema-values.ts'
import { jsonText, strangeText, textsOf, type Make } from './strange-values.ts'

export type Fuzzed = Pick<Sent, 'path' | 'body'> & { readonly headers: Readonly<Record<string, string>> }

/** Makes requests about what a route declares. `known` are texts that name something which exists. */
export function routeRequest({ route }: AttackedRoute, known: readonly string[]): Make<Fuzzed> {
  const { input = {}, accepts = [jsonType], readsOwnInput = false } = route
  const makeParams = fieldsOf(objectOf(input.params), known)
  const makeQuery = fieldsOf(objectOf(input.query), known)
  const makeHeaders = fieldsOf(objectOf(input.headers), known)
  const makeBody = readsOwnInput ? fhirResource : schemaValue(asSchema(input.body ?? {}), known)
  const types = [...accepts, ...accepts, ...accepts, jsonType, formType, 'text/plain']
  return (choose) => {
    const body = makeBody(choose)
    // A resource at the address of its own type, mostly.
    const home = readsOwnInput && choose(4) < 3 ? { type: fieldsIn(body)['resourceType'] } : {}
    const path = pathWith(route.path, { ...makeParams(choose), ...home })
    const pairs = readsOwnInput ? fhirQuery(choose) : pairsOf(makeQuery(choose))
    const stray = choose(2) === 0 ? [] : [[oneOf(choose, strayNames), strangeText(choose)]]
    const asked = joined([...pairs, ...stray])
    const whole = asked === '' ? path : `${path}?${asked}`
    const said = headersOf(makeHeaders(choose))
    if (route.method === 'GET') return { path: whole, headers: said }
    const type = oneOf(choose, types)
    const text = type === formType ? joined(pairsOf(fieldsIn(body))) : jsonText(body)
    return { path: whole, headers: { ...said, 'content-type': type }, body: text }
  }
}

const strayNames = ['page', 'size', 'q', '__proto__', '_count']

function fieldsOf(schema: JsonSchema, known: readonly string[]): Make<Fields> {
  const make = schemaValue(schema, known)
  return (choose) => fieldsIn(make(choose))
}

/** What is no object has none. */
const fieldsIn = (value: unknown): Fields => (typeof value === 'object' ? { ...value } : {})

type Fields = Readonly<Record<string, unknown>>

const pairsOf = (fields: Fields): [string, string][] =>
  Object.entries(fields).flatMap(([name, value]) => textsOf(value).map((text): [string, string] => [name, text]))

const joined = (pairs: readonly (readonly string[])[]) => pairs.map((pair) => pair.map(percent).join('=')).join('&')

/** Node's client itself refuses names and values that are none. */
function headersOf(fields: Fields): Record<string, string> {
  const named = Object.entries(fields).filter(([name]) => /^[a-z-]+$/.test(name))
  return Object.fromEntries(named.map(([name, value]): [string, string] => [name, headerText(textsOf(value)[0] ?? '')]))
}

function objectOf(shape: Shape = {}): JsonSchema {
  return asSchema(Type.IsObject(shape) ? shape : Type.Object(propertiesOf(shape)))
}

/** TypeBox schemas are JSON Schema. */
const asSchema = (schema: object): JsonSchema => schema

function pathWith(path: string, values: Fields): string {
  return path
    .split('/')
    .map((step) => {
      if (!step.startsWith(':') && step !== '*') return step
      const [text = 'none'] = textsOf(Object.hasOwn(values, step.slice(1)) ? values[step.slice(1)] : 'none')
      return percent(text.slice(0, 3_000))
    })
    .join('/')
}

const percent = (text: string) => encodeURIComponent(text.toWellFormed())

const headerText = (text: string) => text.replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, '?').slice(0, 2_000)
