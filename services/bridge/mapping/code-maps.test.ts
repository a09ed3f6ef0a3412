import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { loadDefinitions } from '../../../packages/fhir/definitions.ts'
import { type CodeMap, rowOf } from './code-map.ts'

const definitions = await loadDefinitions()
const files = readdirSync(new URL('./v/', import.meta.url)).filter((name) => name.endsWith('.ts'))
const tables: { name: string; map: CodeMap<unknown> }[] = []
for (const file of files) {
  const module = (await import(new URL(`./v/${file}`, import.meta.url).href)) as Record<string, CodeMap<unknown>>
  for (const [name, map] of Object.entries(module)) tables.push({ name, map })
}

/** Where R4 binds an element, every row must be one of its codes. */
const boundTo: Readonly<Record<string, { type: string; element: string; part?: string }>> = {
  administrativeSex: { type: 'Patient', element: 'gender' },
  patientClassStatus: { type: 'Encounter', element: 'status' },
  orderStatus: { type: 'ServiceRequest', element: 'status' },
  orderControl: { type: 'ServiceRequest', element: 'status' },
  orderRequest: { type: 'ServiceRequest', element: 'status' },
  resultStatus: { type: 'DiagnosticReport', element: 'status' },
  observationResultStatus: { type: 'Observation', element: 'status' },
  allergenType: { type: 'AllergyIntolerance', element: 'category', part: 'category' },
  allergySeverity: { type: 'AllergyIntolerance', element: 'criticality', part: 'criticality' },
  addressType: { type: 'Address', element: 'use', part: 'use' },
  nameType: { type: 'HumanName', element: 'use' },
  telecommunicationUse: { type: 'ContactPoint', element: 'use' },
  telecommunicationEquipment: { type: 'ContactPoint', element: 'system', part: 'system' },
  prescriptionStatus: { type: 'MedicationRequest', element: 'status' },
  prescriptionControl: { type: 'MedicationRequest', element: 'status' },
  prescriptionRequest: { type: 'MedicationRequest', element: 'status' },
  documentCompletion: { type: 'DocumentReference', element: 'docStatus' },
  documentAvailability: { type: 'DocumentReference', element: 'status' },
  fillerStatus: { type: 'Appointment', element: 'status' },
  priority: { type: 'ServiceRequest', element: 'priority' },
  completionStatus: { type: 'Immunization', element: 'status' },
}

describe.each(tables)('$name', ({ name, map }) => {
  it('names its table and has rows', () => {
    expect(map.table).toMatch(/^(\d{4}|NIP001|units|vital-signs|scheduled-resource)$/)
    expect(Object.keys(map.rows).length).toBeGreaterThan(0)
  })

  it.each(Object.keys(map.rows))('knows %s, in either case and with spaces around', (code) => {
    expect(rowOf(map, code)).toEqual(map.rows[code])
    expect(rowOf(map, ` ${code} `)).toEqual(map.rows[code])
  })

  it('gives only codes that R4 knows', () => {
    const bound = boundTo[name]
    const element = bound && definitions.elementsOf(bound.type).find(({ name: found }) => found === bound.element)
    const codes = Object.values(map.rows).map((row) =>
      bound?.part === undefined ? row : (row as Record<string, unknown>)[bound.part],
    )
    const set = definitions.codeSet(element?.codes ?? '')
    const allowed = new Set(Object.values(set ?? {}).flat())
    expect(bound === undefined || allowed.size > 0).toBe(true)
    expect(
      bound === undefined ? [] : codes.filter((code) => code !== undefined && !allowed.has(code as string)),
    ).toEqual([])
  })
})

it.each(['hasOwnProperty', '__proto__', 'constructor', 'toString'])('no table knows %s', (code) => {
  expect(tables.filter(({ map }) => rowOf(map, code) !== undefined)).toEqual([])
})
