import type { Definitions } from '../../../packages/fhir/definitions.ts'
import type { Condition, Include, Pair, Search, Warning } from './ast.ts'
import type { ParseContext } from './parse/parse-context.ts'
import { refuse } from './parse/refuse.ts'
import { asRead, cursorName, emptyResultParameters, readResultParameter } from './parse/result-parameters.ts'
import { sentTime } from './parse/values/sent-time.ts'

/**
 * `Patient/1/$everything`: the compartment of the patient as matches, and what it refers to outside of any patient's
 * compartment (practitioners, organizations, medications) as includes.
 */
export function parseEverything(
  patient: string,
  pairs: readonly Pair[],
  strict: boolean,
  context: ParseContext,
): Search & { readonly includedTypes: readonly string[] } {
  const { definitions } = context
  const result = emptyResultParameters(context)
  const conditions: Condition[] = [{ kind: 'compartment', compartment: 'Patient', id: patient }]
  const care = { lowMs: -widestMs, highMs: widestMs }
  const warnings: Warning[] = []
  let named: ReadonlySet<string> | undefined
  for (const [name, value] of pairs) {
    if (value === '') continue
    if (name === '_since') conditions.push({ kind: 'changed', sinceMs: dateOf(name, value).low })
    else if (name === 'start') care.lowMs = dateOf(name, value).low
    else if (name === 'end') care.highMs = dateOf(name, value).high
    else if (name === '_type') named = typesOf(value, definitions)
    else if (!readResultParameter(name, value, ['Patient'], result, context)) {
      if (strict) throw refuse(name, 'is not known for $everything.')
      warnings.push({ parameter: name, message: `The parameter ${name} is not known for $everything. It was ignored.` })
    }
  }
  if (care.lowMs !== -widestMs || care.highMs !== widestMs) conditions.push({ kind: 'care-dates', ...care })
  const isWanted = (type: string) => named === undefined || named.has(type)
  const types = [...definitions.resourceTypes].filter(isWanted)
  if (!types.some((type) => isOfPatients(type, definitions))) {
    throw refuse('_type', "must name at least one type of the patient's compartment; the others come with them.")
  }
  return {
    ...asRead(result),
    includes: [],
    branches: inTurn(types.filter((type) => isOfPatients(type, definitions))).map((group) => ({
      types: group,
      conditions,
    })),
    inTurn: true,
    includedTypes: types.filter((type) => !isOfPatients(type, definitions)),
    warnings,
    understood: pairs.filter(([name]) => name !== cursorName && !warnings.some(({ parameter }) => parameter === name)),
  }
}

/** The patient is part of its own compartment: where nothing narrows the search, an empty one means that none is there. */
export const wouldHoldThePatient = ({ branches: [branch] }: Search): boolean =>
  branch?.types.includes('Patient') === true && branch.conditions.length === 1

/** First whom it is about, then their care, and last who has looked at it: that is most of it, and seldom meant. */
function inTurn(types: readonly string[]): (readonly string[])[] {
  const [patient, log] = [types.filter(isPatient), types.filter(isLog)]
  return [patient, types.filter((type) => !isPatient(type) && !isLog(type)), log].filter(({ length }) => length > 0)
}

const isPatient = (type: string) => type === 'Patient'
export const isLog = (type: string): boolean => type === 'AuditEvent'

/** Every reference of the compartment's resources. */
export const everyReference: Include = {
  direction: 'forward',
  source: undefined,
  parameter: undefined,
  target: undefined,
  iterate: false,
}

const isOfPatients = (type: string, definitions: Definitions): boolean =>
  type === 'Patient' || definitions.compartmentParameters('Patient', type).length > 0

/** As far as dates reach in JavaScript. */
const widestMs = 8.64e15

function dateOf(name: string, value: string) {
  const range = sentTime(value)
  if (range === undefined) throw refuse(name, 'needs a date such as 2024-02-29 or 2024-02-29T10:00:00Z.')
  return range
}

function typesOf(value: string, { resourceTypes }: Definitions): ReadonlySet<string> {
  const types = new Set(value.split(','))
  if ([...types].some((type) => !resourceTypes.has(type))) {
    throw refuse('_type', 'names a resource type that does not exist.')
  }
  return types
}
