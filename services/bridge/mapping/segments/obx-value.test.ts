import { describe, expect, it } from 'vitest'
import type { Observation } from '../../../../packages/fhir/r4.ts'
import { mapInPasses } from '../testing/map-in-passes.ts'
import type { ObservationValue } from './obx-value.ts'

/** What this SN becomes, and how many warnings it takes. */
const structured = (sent: string, unit = '') => sentAs('SN', sent, unit)

function sentAs(type: string, sent: string, unit: string): { value: ObservationValue; warnings: number } {
  const mapping = mapInPasses(
    [
      'MSH|^~\\&|LAB|CENTRAL|||20260304091500+0400||ORU^R01|1|P|2.5.1||||||UNICODE UTF-8',
      'PID|1||4711^^^CENTRAL^MR',
      'OBR|1||F-1^LAB|SER^Serology^L|||20260304',
      `OBX|1|${type}|RUB^Rubella^L||${sent}|${unit}|||||F`,
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

describe('a text in the place of a number', () => {
  it.each([
    ['ST', '>=6.1', '%', '>=6.1 %', 0],
    ['TX', '6.8', 'mmol/L', '6.8 mmol/L', 0],
    ['FT', 'about 12', '10*9/L^billions per litre^UCUM', 'about 12 (unit: billions per litre)', 0],
    ['NM', '6,8', 'mmol/L', '6,8 mmol/L', 1],
    ['NM', '1:40', 'titre', '1:40 titre', 1],
    ['VR', '3^9', 'mg', '3^9 mg', 0],
    ['', '6.8', 'mmol/L', '6.8 mmol/L', 0],
    ['ST', '7', '12^mmol/L^L', '7 mmol/L', 0],
    ['ST', '2 L', 'L^litre', '2 L litre', 0],
    ['ST', '2 mL', 'L', '2 mL (unit: L)', 0],
    ['ST', '6.8 H', 'mmol/L', '6.8 H mmol/L', 0],
    ['ST', 'again in 2 days', 'mmol/L', 'again in 2 days (unit: mmol/L)', 0],
  ])('%s %s of %s has its unit in the text: %s', (type, sent, unit, valueString, warnings) => {
    expect(sentAs(type, sent, unit)).toEqual({ value: { valueString }, warnings })
  })

  it.each([
    ['ST', 'Negative', 'mg/dL', 'Negative'],
    ['ST', 'UNABLE TO CALCULATE', 'MG/DL', 'UNABLE TO CALCULATE'],
    ['ST', '45%', '%', '45%'],
    ['ST', '5 MG/DL (fasting)', 'mg/dL', '5 MG/DL (fasting)'],
    ['FT', 'Taken at 9.\\.br\\Repeated at 10.', 'mg/dL', 'Taken at 9.\nRepeated at 10.'],
    ['TX', '6.8~7.1', 'mmol/L', '6.8\n7.1'],
    ['ST', '6.8', '""', '6.8'],
  ])('%s %s of %s stays what it is', (type, sent, unit, valueString) => {
    expect(sentAs(type, sent, unit)).toEqual({ value: { valueString }, warnings: 0 })
  })

  it('has its unit in each of several values', () => {
    const mapping = mapInPasses(
      [
        'MSH|^~\\&|LAB|CENTRAL|||20260304091500+0400||ORU^R01|1|P|2.5.1',
        'PID|1||4711^^^CENTRAL^MR',
        'OBR|1||F-1^LAB|SER^Serology^L|||20260304',
        'OBX|1|ST|RUB^Rubella^L||<5~12|IU/mL|||||F',
      ].join('\r'),
    )
    if (mapping.refused !== undefined) throw new Error(mapping.refused[0]?.text)
    const found = mapping.writes.map(({ resource }) => resource).find((one) => one.resourceType === 'Observation')
    expect(found?.component?.map(({ valueString }) => valueString)).toEqual(['<5 IU/mL', '12 IU/mL'])
  })
})
