import { describe, expect, it } from 'vitest'
import type { Observation, Quantity } from '../../../../packages/fhir/r4.ts'
import { mapInPasses } from '../testing/map-in-passes.ts'

/** The value 12 in this unit, and the upper end of its range. */
function measured(unit: string): (Quantity | undefined)[] {
  const mapping = mapInPasses(
    [
      'MSH|^~\\&|LAB|CENTRAL|||20260304091500+0400||ORU^R01|1|P|2.5.1',
      'PID|1||4711^^^CENTRAL^MR',
      'OBR|1||F-1^LAB|CBC^Count^L|||20260304',
      `OBX|1|NM|WBC^Leukocytes^L||12|${unit}|4-11||||F`,
    ].join('\r'),
  )
  if (mapping.refused !== undefined) throw new Error(mapping.refused[0]?.text)
  const result = mapping.writes.map(({ resource }) => resource).find((one) => one.resourceType === 'Observation')
  const { valueQuantity, referenceRange: [range] = [] } = result as Observation
  return [valueQuantity, range?.high]
}

describe('OBX-6', () => {
  it.each([
    ['10^9/L', '10^9/L', '10*9/L'],
    ['x10^3/uL', 'x10^3/uL', '10*3/uL'],
    ['X10^12/L', 'X10^12/L', '10*12/L'],
    ['10\\S\\9/L', '10^9/L', '10*9/L'],
    ['*10^6/uL', '*10^6/uL', undefined],
    ['10^9/L^per litre^UCUM', 'per litre', '10^9/L'],
    ['g/dL^grams per decilitre^UCUM', 'grams per decilitre', 'g/dL'],
    ['10^tens^L', 'tens', undefined],
    ['g/l', 'g/l', 'g/L'],
    ['G/l', 'G/l', undefined],
    ['G/L', 'G/L', undefined],
  ])('%s is the unit %s of the value and its range, in UCUM %s', (sent, unit, code) => {
    const ofUnit = { unit, ...(code === undefined ? {} : { system: 'http://unitsofmeasure.org', code }) }
    expect(measured(sent)).toEqual([
      { value: 12, ...ofUnit },
      { value: 11, ...ofUnit },
    ])
  })
})
