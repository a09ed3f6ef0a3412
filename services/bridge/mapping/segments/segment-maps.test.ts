import { describe, expect, it } from 'vitest'
import { loadDefinitions } from '../../../../packages/fhir/definitions.ts'
import type { SegmentMap } from '../segment-map.ts'
import { isReadElsewhere } from '../unmapped-segments.ts'
import { al1ToAllergyIntolerance } from './al1.ts'
import { dg1ToCondition } from './dg1.ts'
import { iamToAllergyIntolerance } from './iam.ts'
import { obrToDiagnosticReport, obrToServiceRequest, obrToSpecimen } from './obr.ts'
import { obxToObservation } from './obx.ts'
import { orcToDiagnosticReport, orcToServiceRequest } from './orc.ts'
import { pd1ToPatient } from './pd1.ts'
import { pidToPatient } from './pid.ts'
import { pr1ToProcedure } from './pr1.ts'
import { pv1ToEncounter } from './pv1.ts'
import { pv2ToEncounter } from './pv2.ts'
import { rxeToMedicationRequest } from './rxe.ts'
import { rxoToMedicationRequest } from './rxo.ts'
import { rxrToDosage } from './rxr.ts'
import { aisToAppointment } from './ais.ts'
import { schToAppointment } from './sch.ts'
import { ldpToLocation } from './ldp.ts'
import { locToLocation } from './loc.ts'
import { orgToPractitionerRole } from './org.ts'
import { praToPractitioner, praToPractitionerRole } from './pra.ts'
import { stfToPractitioner } from './stf.ts'
import { txaToDocumentReference } from './txa.ts'
import { rxaToImmunization } from './rxa.ts'
import { spmToSpecimen } from './spm.ts'

const definitions = await loadDefinitions()
const maps: SegmentMap[] = [
  pidToPatient,
  pd1ToPatient,
  pv1ToEncounter,
  pv2ToEncounter,
  al1ToAllergyIntolerance,
  iamToAllergyIntolerance,
  dg1ToCondition,
  pr1ToProcedure,
  orcToServiceRequest,
  orcToDiagnosticReport,
  obrToServiceRequest,
  obrToDiagnosticReport,
  obrToSpecimen,
  spmToSpecimen,
  obxToObservation,
  rxaToImmunization,
  txaToDocumentReference,
  rxeToMedicationRequest,
  rxoToMedicationRequest,
  rxrToDosage,
  schToAppointment,
  aisToAppointment,
  stfToPractitioner,
  praToPractitioner,
  praToPractitionerRole,
  orgToPractitionerRole,
  locToLocation,
  ldpToLocation,
]

describe.each(maps)('$segment to $resource', ({ segment, resource, rows }) => {
  it('is a segment that some family says it reads', () => {
    expect(isReadElsewhere(segment)).toBe(true)
  })

  it.each(rows)('field $field ($name) goes to $to, which R4 has, as a list or not', ({ to }) => {
    const [step = '', inner] = to
      .replace(/^extension\(.*\)$/, 'extension[]')
      .replace('_', '')
      .split('.')
    const element = elementOf(resource, step)
    const last =
      inner === undefined
        ? element
        : elementOf(step === 'meta' ? 'Meta' : step === 'period' ? 'Period' : `${resource}.${step}`, inner)
    expect(last).toBeDefined()
    const isList = (inner ?? step).endsWith('[]')
    expect(last?.max === '*').toBe(isList)
  })
})

function elementOf(type: string, step: string) {
  const name = step.replace('[]', '')
  return definitions
    .elementsOf(type)
    .find((element) => element.name === name || (element.choice === true && name.startsWith(element.name)))
}
