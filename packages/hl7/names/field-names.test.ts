import { describe, expect, it } from 'vitest'
import { fieldName, segmentNames, segmentTitle } from './field-names.ts'

describe('the names of fields', () => {
  it.each([
    ['MSH', 9, 'Message Type'],
    ['MSH', 18, 'Character Set'],
    ['PID', 3, 'Patient Identifier List'],
    ['PID', 29, 'Patient Death Date and Time'],
    ['PV1', 19, 'Visit Number'],
    ['PV1', 44, 'Admit Date/Time'],
    ['PV2', 38, 'Mode of Arrival Code'],
    ['NK1', 33, "Next of Kin/Associated Party's Identifiers"],
    ['ORC', 12, 'Ordering Provider'],
    ['OBR', 25, 'Result Status'],
    ['OBX', 11, 'Observation Result Status'],
    ['OBX', 21, 'Observation Instance Identifier'],
    ['DG1', 16, 'Diagnosing Clinician'],
    ['IN1', 36, 'Policy Number'],
    ['RXE', 27, 'Give Indication'],
    ['RXA', 20, 'Completion Status'],
    ['TXA', 19, 'Document Availability Status'],
    ['SCH', 25, 'Filler Status Code'],
    ['STF', 22, "Driver's License Number - Staff"],
    ['SPM', 17, 'Specimen Collection Date/Time'],
  ])('%s-%i is %s', (segment, field, name) => {
    expect(fieldName(segment, field)).toBe(name)
  })

  it.each([
    ['PID', 99],
    ['PID', 0],
    ['ZPI', 1],
    ['constructor', 1],
  ])('has none for %s-%i', (segment, field) => {
    expect(fieldName(segment, field)).toBeUndefined()
  })

  it.each(Object.entries(segmentNames))('%s has a title and no empty name', (segment, { title, fields }) => {
    expect(segmentTitle(segment)).toBe(title)
    expect(fields.filter((name) => name.trim() === '')).toEqual([])
  })
})
