import { sideBySide } from '../../../../packages/clock/side-by-side.ts'
import { incorrect } from '../../../../packages/faults/fault.ts'
import type { CodeableConcept, Coding, ParametersParameter } from '../../../../packages/fhir/r4.ts'
import { SetWork, type BatchWork } from '../set-work.ts'

/** The parameters of an operation, whether they came in the address or as a Parameters resource. */
export interface OperationInput {
  text(name: string): string | undefined
  flag(name: string): boolean | undefined
  integer(name: string): number | undefined
  coding(name: string): Coding | undefined
  concept(name: string): CodeableConcept | undefined
  resource(name: string): unknown
  /** For one value set. */
  newWork(): SetWork
}

interface Given {
  readonly query?: URLSearchParams
  readonly body?: unknown
  /** That of the batch of which the operation is an entry. */
  readonly batchWork?: BatchWork | undefined
}

export function operationInput(given: Given): OperationInput {
  const parameters = parametersOf(given.body)
  const named = (name: string) => parameters.find((one) => one.name === name)
  const text = (name: string) => given.query?.get(name) ?? textOf(named(name))
  return {
    text,
    flag(name) {
      const value = text(name) ?? named(name)?.valueBoolean
      if (value === undefined || typeof value === 'boolean') return value
      if (value === 'true' || value === 'false') return value === 'true'
      throw wrong(name, 'must be true or false')
    },
    integer(name) {
      const value = text(name) ?? named(name)?.valueInteger ?? named(name)?.valuePositiveInt
      if (value === undefined) return undefined
      if (/^\d{1,9}$/.test(String(value))) return Number(value)
      throw wrong(name, 'must be a whole number')
    },
    coding: (name) => named(name)?.valueCoding,
    concept: (name) => named(name)?.valueCodeableConcept,
    resource: (name) => named(name)?.resource,
    newWork: () => new SetWork(given.batchWork),
  }
}

/** The text of a parameter that must be there. */
function needed(input: OperationInput, name: string): string {
  const value = input.text(name)
  if (value === undefined || value === '') throw wrong(name, 'is needed')
  return value
}

/** What `url` names, in the version that it or a parameter of its own says. */
export function neededCanonical(input: OperationInput, versionName: string): string {
  const url = needed(input, 'url')
  const version = input.text(versionName)
  return version === undefined || url.includes('|') ? url : `${url}|${version}`
}

/** A concept has a few codings. Each is looked up by itself: thousands would leave the database to nobody else. */
const codingsMax = 100

/** Codes as the operations take them: as code and system, as a Coding, or several in a concept. */
export function askedCodings(input: OperationInput): Coding[] {
  const concept = input.concept('codeableConcept')
  if (Array.isArray(concept?.coding)) {
    const codings = concept.coding.filter(isCoding)
    if (codings.length > codingsMax) throw wrong('codeableConcept', `may have ${codingsMax} codings at most`)
    return codings
  }
  const coding = input.coding('coding')
  if (isCoding(coding)) return [coding]
  const [code, system, display] = [input.text('code'), input.text('system'), input.text('display')]
  if (code === undefined) throw wrong('code', 'is needed, or a coding or codeableConcept')
  return [{ code, ...(system === undefined ? {} : { system }), ...(display === undefined ? {} : { display }) }]
}

/** The answer for each of the codes asked about, in their order, a few at a time. */
export const ofEachCoding = <Answer>(input: OperationInput, ask: (coding: Coding) => Promise<Answer>) =>
  sideBySide(askedCodings(input), 8, ask)

/** Nobody has validated it. */
const isCoding = (value: unknown): value is Coding =>
  typeof value === 'object' &&
  value !== null &&
  'code' in value &&
  typeof value.code === 'string' &&
  Object.entries(value).every(([name, text]) => !codingTexts.has(name) || typeof text === 'string')

const codingTexts: ReadonlySet<string> = new Set(['system', 'version', 'display'])

export const wrong = (name: string, message: string) =>
  incorrect('The parameters of the operation are not valid.', {
    fields: [{ path: `Parameters.parameter.where(name='${name}')`, message: `${name} ${message}` }],
  })

function textOf(parameter: ParametersParameter | undefined): string | undefined {
  const given: unknown =
    parameter?.valueUri ??
    parameter?.valueCanonical ??
    parameter?.valueCode ??
    parameter?.valueString ??
    parameter?.valueUrl ??
    parameter?.valueId
  return typeof given === 'string' ? given : undefined
}

function parametersOf(body: unknown): readonly ParametersParameter[] {
  if (typeof body !== 'object' || body === null) return []
  // Nobody has validated it: what is no parameter is passed over.
  const { resourceType, parameter } = body as { resourceType?: unknown; parameter?: unknown }
  if (resourceType !== 'Parameters' || !Array.isArray(parameter)) return []
  return parameter.filter((one): one is ParametersParameter => typeof one === 'object' && one !== null)
}
