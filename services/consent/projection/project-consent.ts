import type { CodeableConcept, Coding, Consent, ConsentProvision } from '../../../packages/fhir/r4.ts'
import { stringOf } from '../../../packages/fhir/string.ts'
import type { ConsentRecord } from '../record/consent-record.ts'
import { fhirReference } from './fhir-reference.ts'

/** The system of the identifiers by which a Consent and its record know each other. */
export const recordIdentifiers = 'urn:corridor:consent:record'

/** The record as a FHIR Consent. Its id follows from the record, so writing it twice is writing it once. */
export function projectConsent(record: ConsentRecord): Consent & { readonly id: string } {
  const { patientId, organisationId } = record
  const regulatoryBasis = stringOf(record.regulatoryBasis)
  return {
    resourceType: 'Consent',
    id: record.fhirConsentId,
    ...(record.scopeValues.length === 0
      ? {}
      : { extension: record.scopeValues.map((scope) => ({ url: 'urn:corridor:consent:scope', valueString: scope })) }),
    identifier: [{ system: recordIdentifiers, value: String(record.id) }],
    status: record.status,
    scope: concept('http://terminology.hl7.org/CodeSystem/consentscope', 'patient-privacy', 'Privacy Consent'),
    category: [concept('http://loinc.org', '59284-0', 'Consent Document')],
    ...(patientId === null ? {} : { patient: { reference: patientId } }),
    dateTime: record.createdAt.toISOString(),
    ...(organisationId === null ? {} : { organization: [{ reference: organisationId }] }),
    policyRule: {
      ...(record.provisionType === 'permit' ? optIn : optOut),
      ...(regulatoryBasis === undefined ? {} : { text: regulatoryBasis }),
    },
    provision: provisionOf(record),
  }
}

function provisionOf(record: ConsentRecord): ConsentProvision {
  const { periodStart, periodEnd, actorReference, resourceClasses, purposes } = record
  const actions = actionsOf(record.permittedOperations)
  return {
    type: record.provisionType,
    ...(periodStart === null && periodEnd === null
      ? {}
      : {
          period: {
            ...(periodStart === null ? {} : { start: periodStart }),
            ...(periodEnd === null ? {} : { end: periodEnd }),
          },
        }),
    ...(actorReference === null ? {} : { actor: [{ role: recipient, reference: fhirReference(actorReference) }] }),
    ...(actions.length === 0 ? {} : { action: actions.map((code) => concept(consentActions, code)) }),
    ...(purposes.length === 0 ? {} : { purpose: purposes.map((code) => ({ system: purposesOfUse, code })) }),
    ...(resourceClasses.length === 0
      ? {}
      : { class: resourceClasses.map((code) => ({ system: resourceTypes, code })) }),
  }
}

const consentActions = 'http://terminology.hl7.org/CodeSystem/consentaction'
const purposesOfUse = 'http://terminology.hl7.org/CodeSystem/v3-ActReason'
const resourceTypes = 'http://hl7.org/fhir/resource-types'
const policyCodes = 'http://terminology.hl7.org/CodeSystem/v3-ActCode'

const optIn = concept(policyCodes, 'OPTIN', 'opt-in')
const optOut = concept(policyCodes, 'OPTOUT', 'opt-out')
const recipient = concept('http://terminology.hl7.org/CodeSystem/v3-ParticipationType', 'IRCP', 'information recipient')

/** R4 has coarser words than the letters; the extension keeps the scopes as they are. All of them is no word at all. */
function actionsOf(permittedOperations: string): string[] {
  if (permittedOperations === 'cruds') return []
  const words = permittedOperations.split('').map((letter) => actionOfLetter[letter])
  return [...new Set(words.filter((word) => word !== undefined))]
}

const actionOfLetter: Readonly<Record<string, string>> = {
  c: 'collect',
  r: 'access',
  u: 'correct',
  d: 'correct',
  s: 'access',
}

function concept(system: string, code: string, display?: string): CodeableConcept {
  const coding: Coding = { system, code, ...(display === undefined ? {} : { display }) }
  return { coding: [coding] }
}
