import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SearchParameter } from '../../../packages/fhir/definitions.ts'
import { Fault } from '../../../packages/faults/fault.ts'
import { searchWorld, type SearchWorld } from './testing/search-world.ts'

/** A value of the right form for a parameter of a type. */
const values: Readonly<Record<SearchParameter['type'], string>> = {
  token: 'urn:s|c',
  string: 'x',
  date: 'ge2024-02',
  number: 'gt5.4',
  quantity: 'lt5.4|urn:s|c',
  reference: '1,http://example.org/x|2',
  uri: 'http://example.org/x',
  composite: '',
  special: 'x',
}

const valueFor = ({ type, components = [] }: SearchParameter) =>
  type === 'composite' ? components.map((component) => values[component.type].split(',')[0]).join('$') : values[type]

/** Behind its own value, those of its modifiers that have a form of their own. */
const withModifiers: Readonly<Record<string, string>> = {
  missing: 'true',
  not: 'urn:s|c',
  text: 'x',
  'of-type': 'urn:s|c|v',
  identifier: 'urn:s|v',
  exact: 'x',
  contains: 'x',
  above: 'http://example.org/x',
  below: 'http://example.org/x',
}

describe('every parameter of every type', () => {
  let world: SearchWorld
  beforeAll(async () => {
    world = await searchWorld()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const parametersOf = (type: string) =>
    [...world.definitions.parametersOf(type).values()].filter(({ code }) => type === 'Patient' || !code.startsWith('_'))

  it('can be searched by, with one of its modifiers, and nothing is found where nothing is', async () => {
    const wrong: string[] = []
    let searches = 0
    for (const type of world.definitions.resourceTypes) {
      const pairs = parametersOf(type).flatMap((parameter, position) => {
        const modifiers = parameter.modifiers.filter((word) => withModifiers[word] !== undefined)
        const modifier = modifiers[position % modifiers.length] ?? 'missing'
        return [`${parameter.code}=${valueFor(parameter)}`, `${parameter.code}:${modifier}=${withModifiers[modifier]}`]
      })
      for (const pair of pairs) {
        searches++
        const found = await world.find(`${type}?${pair}`).catch(refusal)
        if (typeof found === 'string' ? !isExpected(found) : found.length > 0)
          wrong.push(`${type}?${pair}: ${String(found)}`)
      }
    }
    expect(wrong).toEqual([])
    expect(searches).toBeGreaterThan(2_500)
  })

  it('can be sorted by in either direction, where it has an order', async () => {
    for (const type of ['Patient', 'Observation', 'Encounter', 'RiskAssessment', 'ValueSet', 'MolecularSequence']) {
      for (const parameter of parametersOf(type)) {
        for (const sort of [parameter.code, `-${parameter.code},_id`, `_lastUpdated,${parameter.code}`]) {
          const found = await world.find(`${type}?_sort=${sort}`).catch(refusal)
          const expected = parameter.type === 'composite' || hasNoPath(parameter) ? 'has no order' : ''
          expect(String(found), `${type}?_sort=${sort}`).toContain(expected)
        }
      }
    }
  })

  const hasNoPath = ({ branches, special }: SearchParameter) => branches === undefined && special === undefined

  const refusal = (thrown: unknown): string => {
    if (thrown instanceof Fault && thrown.kind === 'incorrect') return thrown.shown
    throw thrown
  }

  /** What this server says that it does not do. */
  const isExpected = (shown: string) =>
    /is not supported|hierarchy this server does not know|needs a value of the form system\|code|has a modifier that/.test(
      shown,
    )
})
