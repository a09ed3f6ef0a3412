import type { CodeableConcept, Coding, Consent, ConsentProvision } from '../../../packages/fhir/r4.ts'
import { stringOf } from '../../../packages/fhir/string.ts'
import { grantsOf, type Grant } from '../grants.ts'
import type { ConsentRecord } from '../record/consent-record.ts'
import { fhirReference } from './fhir-reference.ts'
import { purposeCoding } from './purpose-coding.ts'

/** The system of the identifiers by which a Consent and its record know each other. */
export const recordIdentifiers = 'urn:corridor:consent:record'

/** The record as a FHIR Consent. Its id follows from the record, so writing it twice is writing it once. */
export function projectConsent(
  record: ConsentRecord,
  resourceTypes: ReadonlySet<string>,
): Consent & { readonly id: string } {
  const { patientId, organisationId } = record
  const provision = provisionOf(record, resourceTypes)
  return {
    resourceType: 'Consent',
    id: record.fhirConsentId,
    ...(record.scopeValues.length === 0
      ? {}
      : { extension: record.scopeValues.map((scope) => ({ url: 'urn:corridor:consent:scope', valueString: scope })) }),
    identifier: [{ system: recordIdentifiers, value: String(record.id) }],
    // In FHIR a provision that names no action is about all of them: what decides nothing must not be taken for one.
    status: provision === undefined ? 'inactive' : record.status,
    scope: concept('http://terminology.hl7.org/CodeSystem/consentscope', 'patient-privacy', 'Privacy Consent'),
    category: [concept('http://loinc.org', '59284-0', 'Consent Document')],
    ...(patientId === null ? {} : { patient: { reference: patientId } }),
    dateTime: record.createdAt.toISOString(),
    ...(organisationId === null ? {} : { organization: [{ reference: organisationId }] }),
    policyRule: policyOf(record, provision !== undefined),
    ...(provision === undefined ? {} : { provision }),
  }
}

function policyOf({ provisionType, regulatoryBasis }: ConsentRecord, decides: boolean): CodeableConcept {
  const basis = stringOf(regulatoryBasis)
  // R4 wants a policy of every Consent, and has no code for one without effect.
  if (!decides)
    return { text: `Without effect: nothing is permitted or refused.${basis === undefined ? '' : ` ${basis}`}` }
  return { ...(provisionType === 'permit' ? optIn : optOut), ...(basis === undefined ? {} : { text: basis }) }
}

/** What the record says: one rule, or one below it for each set of operations. Undefined where it never decides. */
function provisionOf(record: ConsentRecord, resourceTypes: ReadonlySet<string>): ConsentProvision | undefined {
  const grants = grantsOf(record)
  const rules = grants
    .filter(({ letters }) => letters !== '')
    .map(({ letters, types }) => ruleOf(record, letters, types === 'rest' ? restOf(grants, resourceTypes) : types))
  const [first, ...others] = rules
  if (first === undefined || (record.patientId === null && !record.isDomainPolicy)) return undefined
  return others.length === 0 ? first : { provision: rules }
}

/** FHIR cannot say "all but": where some types are named apart, the rest is, too. */
function restOf(grants: readonly Grant[], resourceTypes: ReadonlySet<string>): readonly string[] {
  const apart = new Set(grants.flatMap(({ types }) => (types === 'rest' ? [] : types)))
  return apart.size === 0 ? [] : [...resourceTypes].filter((type) => !apart.has(type))
}

/** Complete in itself: readers differ in what a rule takes over from the one above it. */
function ruleOf(record: ConsentRecord, letters: string, classes: readonly string[]): ConsentProvision {
  const { periodStart, periodEnd, actorReference, purposes } = record
  const actions = actionsOf(letters)
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
    ...(purposes.length === 0 ? {} : { purpose: purposes.map(purposeCoding) }),
    ...(classes.length === 0 ? {} : { class: classes.map((code) => ({ system: resourceTypeCodes, code })) }),
  }
}

const consentActions = 'http://terminology.hl7.org/CodeSystem/consentaction'
const resourceTypeCodes = 'http://hl7.org/fhir/resource-types'
const policyCodes = 'http://terminology.hl7.org/CodeSystem/v3-ActCode'

const optIn = concept(policyCodes, 'OPTIN', 'opt-in')
const optOut = concept(policyCodes, 'OPTOUT', 'opt-out')
const recipient = concept('http://terminology.hl7.org/CodeSystem/v3-ParticipationType', 'IRCP', 'information recipient')

/** R4 has coarser words than the letters; the extension keeps the scopes as they are. All of them is no word at all. */
function actionsOf(operations: string): string[] {
  if (operations === 'cruds') return []
  const words = operations.split('').map((letter) => actionOfLetter[letter])
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
