import * as fc from 'fast-check'
import { Type } from 'typebox'
import { formType, jsonType } from '../../../packages/http/body.ts'
import { propertiesOf } from '../../../packages/http/input.ts'
import type { Shape } from '../../../packages/http/route.ts'
import type { AttackedRoute } from '../world/attacked-route.ts'
import type { Sent } from '../world/client.ts'
import type { JsonSchema } from '../world/json-schema.ts'
import { fhirQueries, fhirResources } from './fhir-values.ts'
import { schemaValues } from './schema-values.ts'
import { jsonText, strangeTexts, textsOf } from './strange-values.ts'

export type Fuzzed = Pick<Sent, 'path' | 'body'> & { readonly headers: Readonly<Record<string, string>> }

/** Requests about what a route declares. `known` are texts that name something which exists. */
export function routeRequests({ route }: AttackedRoute, known: readonly string[]): fc.Arbitrary<Fuzzed> {
  const { input = {}, accepts = [jsonType], readsOwnInput } = route
  const params = objectOf(input.params)
  const query = objectOf(input.query)
  const accepted = fc.constantFrom(...accepts, ...accepts, ...accepts, jsonType, formType, 'text/plain')
  return fc
    .record({
      params: fieldsOf(params, known),
      query: readsOwnInput === true ? fhirQueries : fieldsOf(query, known).map(pairsOf),
      stray: fc.array(fc.tuple(fc.constantFrom('page', 'size', 'q', '__proto__', '_count'), strangeTexts), {
        maxLength: 1,
      }),
      headers: fieldsOf(objectOf(input.headers), known),
      body: readsOwnInput === true ? fhirResources : schemaValues(asSchema(input.body ?? {}), known),
      type: accepted,
      // A resource at the address of its own type, mostly.
      isAtHome: fc.nat(3).map((chance) => chance > 0),
    })
    .map(({ params: values, query: pairs, stray, headers, body, type, isAtHome }) => {
      const asked = joined([...pairs, ...stray])
      const home = readsOwnInput === true && isAtHome ? { type: fieldsIn(body)['resourceType'] } : {}
      const path = pathWith(route.path, { ...values, ...home })
      const whole = asked === '' ? path : `${path}?${asked}`
      const said = headersOf(headers)
      if (route.method === 'GET') return { path: whole, headers: said }
      const text = type === formType ? joined(pairsOf(fieldsIn(body))) : jsonText(body)
      return { path: whole, headers: { ...said, 'content-type': type }, body: text }
    })
}

const fieldsOf = (schema: JsonSchema, known: readonly string[]) => schemaValues(schema, known).map(fieldsIn)

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
