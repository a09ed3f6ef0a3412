import { beforeAll, describe, expect, it } from 'vitest'
import type { CompiledType } from '../compiled.ts'
import { openPackage } from './package-folder.ts'
import { compilePath } from './path-compiler.ts'
import { compileStructures } from './structures.ts'

describe('the path compiler', () => {
  let types: Record<string, CompiledType>
  beforeAll(() => {
    types = compileStructures(openPackage())
  })

  it.each([
    ['Patient.name.family', 'Patient', [{ steps: ['name', 'family'], type: 'string' }]],
    ['Account.period | Patient.birthDate', 'Patient', [{ steps: ['birthDate'], type: 'date' }]],
    ['(Observation.value as Quantity)', 'Observation', [{ steps: ['valueQuantity'], type: 'Quantity' }]],
    ['Observation.value.ofType(string)', 'Observation', [{ steps: ['valueString'], type: 'string' }]],
    [
      'Appointment.participant.actor.where(resolve() is Patient)',
      'Appointment',
      [{ steps: ['participant', 'actor', { resolvesTo: 'Patient' }], type: 'Reference' }],
    ],
    [
      "Person.telecom.where(system='email')",
      'Person',
      [{ steps: ['telecom', { where: 'system', equals: 'email' }], type: 'ContactPoint' }],
    ],
    ['Bundle.entry[0].resource', 'Bundle', [{ steps: ['entry', { index: 0 }, 'resource'], type: 'Resource' }]],
    [
      "Patient.extension('http://x.org/y')",
      'Patient',
      [{ steps: [{ extension: 'http://x.org/y' }], type: 'Extension' }],
    ],
    ['Resource.meta.tag', 'Patient', [{ steps: ['meta', 'tag'], type: 'Coding' }]],
    ['%resource.id', 'Patient', [{ steps: [{ root: true }, 'id'], type: 'id' }]],
  ])('compiles %s', (expression, type, branches) => {
    expect(compilePath(expression, type, type, types)).toEqual(branches)
  })

  it('takes a choice apart into one branch a type', () => {
    const branches = compilePath('Patient.deceased', 'Patient', 'Patient', types)
    expect(branches).toEqual([
      { steps: ['deceasedBoolean'], type: 'boolean' },
      { steps: ['deceasedDateTime'], type: 'dateTime' },
    ])
  })

  it.each([
    ['Patient.nmae', 'Patient has no element nmae.'],
    ['Patient.name.first()', 'The function first is not supported'],
    ['Patient.name.where(use)', 'Expected = and found )'],
    ['Patient.name and true', 'ends in something unknown'],
    ['Patient.', 'The path ends too early.'],
    ['(', 'The path ends too early.'],
  ])('stops at %s and says %s', (expression, message) => {
    expect(() => compilePath(expression, 'Patient', 'Patient', types)).toThrow(message)
  })
})
