import { missing, unprocessable } from '../../../../packages/faults/fault.ts'
import { fold } from '../../../../packages/fhir/fold.ts'
import type { ValueSet } from '../../../../packages/fhir/r4.ts'
import { memorySource } from '../memory-source.ts'
import { notKnown } from '../not-known.ts'
import { readValueSet } from '../read-resource.ts'
import { combined, type TerminologySource } from '../source.ts'
import { codesOf } from '../value-set-codes.ts'
import { neededCanonical, wrong, type OperationInput } from './operation-input.ts'

interface ExpandDeps {
  readonly source: TerminologySource
  readonly now: () => Date
  readonly newId: () => string
}

/** More than this is asked for page by page. */
const countMax = 1_000

/** Each of its words is looked for in each of the codes. */
const filterCharactersMax = 300

/** `ValueSet/$expand`: the codes of a value set, those whose display or code has the words of `filter`. */
export async function expand(input: OperationInput, deps: ExpandDeps): Promise<ValueSet> {
  const { now, newId } = deps
  // Sound: the route has validated it.
  const sent = input.resource('valueSet') as ValueSet | undefined
  const { canonical, source } = sent === undefined ? named(input, deps) : brought(sent, deps)
  const valueSet = await source.valueSet(canonical)
  if (valueSet === undefined) throw await notKnown('ValueSet', canonical, source)
  const { url } = valueSet
  const set = await codesOf(canonical, source, input.newWork())
  if (set === undefined) {
    throw missing(`The value set ${url} is made of code systems or value sets that are not known here.`)
  }
  const filter = input.text('filter') ?? ''
  if (filter.length > filterCharactersMax) throw wrong('filter', `may have ${filterCharactersMax} characters at most`)
  const words = fold(filter).split(' ')
  const found = set.codes.filter(({ code, display = '' }) => {
    const text = `${fold(display)} ${code.toLowerCase()}`
    return words.every((word) => text.includes(word))
  })
  const offset = input.integer('offset') ?? 0
  const count = input.integer('count') ?? (found.length > countMax ? tooMany(found.length) : found.length)
  const part = found.slice(offset, offset + Math.min(count, countMax))
  return {
    resourceType: 'ValueSet',
    ...(sent !== undefined && sent.url === undefined ? {} : { url }),
    name: valueSet.name,
    ...(valueSet.title === undefined ? {} : { title: valueSet.title }),
    ...(valueSet.version === undefined ? {} : { version: valueSet.version }),
    status: 'active',
    expansion: {
      ...(set.partly.size === 0 ? {} : { extension: [unclosed] }),
      identifier: `urn:uuid:${newId()}`,
      timestamp: now().toISOString(),
      total: found.length,
      offset,
      ...(part.length === 0
        ? {}
        : {
            contains: part.map(({ system, code, display }) => ({
              system,
              code,
              ...(display === undefined ? {} : { display }),
            })),
          }),
    },
  }
}

/** R4: codes that are not listed may be in the set, too. Of a code system only a part is here. */
const unclosed = { url: 'http://hl7.org/fhir/StructureDefinition/valueset-unclosed', valueBoolean: true }

const named = (input: OperationInput, { source }: ExpandDeps) => ({
  canonical: neededCanonical(input, 'valueSetVersion'),
  source,
})

/** A set that came with the question, made of what is known here. */
function brought(sent: ValueSet, { source, newId }: ExpandDeps) {
  const { url = `urn:uuid:${newId()}` } = sent
  const { valueSet } = readValueSet({ ...sent, url })
  const own = memorySource({ codeSystems: [], valueSets: [valueSet], conceptMaps: [] })
  return { canonical: url, source: combined([own, source]) }
}

function tooMany(total: number): never {
  throw unprocessable(`The value set has ${total} codes; ask with count and offset, or with a filter.`, {
    code: 'TOO_COSTLY',
  })
}
