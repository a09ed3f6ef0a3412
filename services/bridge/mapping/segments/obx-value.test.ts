import { describe, expect, it } from 'vitest'
import type { Observation } from '../../../../packages/fhir/r4.ts'
import { mapInPasses } from '../testing/map-in-passes.ts'
import type { ObservationValue } from './obx-value.ts'

/** What this SN becomes, and how many warnings it takes. */
function structured(sent: string, unit = ''): { value: ObservationValue; warnings: number } {
  const mapping = mapInPasses(
    [
      'MSH|^~\\&|LAB|CENTRAL|||20260304091500+0400||ORU^R01|1|P|2.5.1||||||UNICODE UTF-8',
      'PID|1||4711^^^CENTRAL^MR',
      'OBR|1||F-1^LAB|SER^Serology^L|||20260304',
      `OBX|1|SN|RUB^Rubella^L||${sent}|${unit}|||||F`,
    ].join('\r'),
  )
  if (mapping.refused !== undefined) throw new Error(mapping.refused[0]?.text)
  const found = mapping.writes.map(({ resource }) => resource).find((one) => one.resourceType === 'Observation')
  const { valueQuantity, valueRange, valueRatio, valueString } = found as Observation
  return {
    value: {
      ...(valueQuantity && { valueQuantity }),
      ...(valueRange && { valueRange }),
      ...(valueRatio && { valueRatio }),
      ...(valueString && { valueString }),
    },
    warnings: mapping.warnings.filter(({ path }) => path === 'OBX-5').length,
  }
}

describe('SN', () => {
  it.each<[string, ObservationValue]>([
    ['>=^300', { valueQuantity: { value: 300, comparator: '>=' } }],
    ['≥^100', { valueQuantity: { value: 100, comparator: '>=' } }],
    ['=>^100', { valueQuantity: { value: 100, comparator: '>=' } }],
    ['≤^5', { valueQuantity: { value: 5, comparator: '<=' } }],
    ['=^4', { valueQuantity: { value: 4 } }],
    ['^1^:^128', { valueRatio: { numerator: { value: 1 }, denominator: { value: 128 } } }],
    ['=^1^:^128', { valueRatio: { numerator: { value: 1 }, denominator: { value: 128 } } }],
    ['^10^-^20', { valueRange: { low: { value: 10 }, high: { value: 20 } } }],
    ['^10^-', { valueRange: { low: { value: 10 } } }],
    ['^2^+', { valueString: '2 +' }],
    ['<>^3', { valueString: '<> 3' }],
    ['<^1^:^10', { valueString: '< 1 : 10' }],
    ['>^1^:^1280', { valueString: '> 1 : 1280' }],
    ['<^10^-^20', { valueString: '< 10 - 20' }],
    ['^1^^128', { valueString: '1 128' }],
  ])('%s is the value that says all of it, or a text', (sent, value) => {
    expect(structured(sent)).toEqual({ value, warnings: 0 })
  })

  it('has its unit in the text', () => {
    expect(structured('<^10^-^20', 'mg/dL').value).toEqual({ valueString: '< 10 - 20 mg/dL' })
  })

  it.each([
    ['^1^x^128', '1 x 128'],
    ['about^100', 'about 100'],
    ['^5^-^many', '5 - many'],
    ['>^100^^^mg', '> 100 mg'],
  ])('%s has a part that nobody can read: it is a text with a warning', (sent, valueString) => {
    expect(structured(sent)).toEqual({ value: { valueString }, warnings: 1 })
  })
})
