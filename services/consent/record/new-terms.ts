import { invalid, type FaultField } from '../../../packages/faults/fault.ts'
import { purposeCodes } from '../purposes.ts'
import type { NewConsent } from './consent-body.ts'
import type { ConsentTerms } from './consent-record.ts'
import { contextOf, operationsOf, resourceClassesOf } from './derive.ts'
import { failedContext, failedFields, isGiven } from './field-rules.ts'
import { organisationReference, patientReference } from './references.ts'

/** The terms of a new record as its body gives them, with what is left out derived. Names every failed field at once. */
export function newTerms(
  body: NewConsent,
  callerOrganisation: string | undefined,
  resourceTypes: ReadonlySet<string>,
): ConsentTerms {
  const failed = wrongInNew(body, resourceTypes)
  if (failed.length > 0) throw invalid(...failed)
  const scopeValues = body.scopeValues ?? []
  const { patientId, organisationId, scopeContext } = whoseIn(body)
  return {
    patientId: patientId ?? null,
    actorReference: body.actorReference ?? null,
    provisionType: body.provisionType,
    resourceClasses: body.resourceClasses ?? resourceClassesOf(scopeValues),
    classesFollow: (body.resourceClasses ?? null) === null,
    scopeValues,
    permittedOperations: operationsOf(scopeValues),
    periodStart: body.periodStart ?? null,
    periodEnd: body.periodEnd ?? null,
    scopeContext,
    purposes: purposeCodes(body.purposes ?? []),
    regulatoryBasis: body.regulatoryBasis ?? null,
    note: body.note ?? null,
    organisationId: organisationId ?? callerOrganisation ?? null,
  }
}

/** All that is wrong beyond the types of the fields, in a body of which some may be unsound and are then not there. */
export function wrongInNew(
  body: Partial<NewConsent>,
  resourceTypes: ReadonlySet<string>,
  unsound: ReadonlySet<string> = new Set(),
): FaultField[] {
  const { patientId, organisationId, scopeContext } = whoseIn(body)
  // Who needs no patient says so in one of these: where it cannot be read nobody knows.
  const isContextKnown = !unsound.has('scopeContext') && !unsound.has('scopeValues')
  return [
    ...(patientId === undefined ? [{ path: 'patientId', message: 'must be Patient/<id>' }] : []),
    ...(organisationId === undefined ? [{ path: 'organisationId', message: 'must be Organization/<id>' }] : []),
    ...failedFields(body, resourceTypes),
    ...(patientId === null && isContextKnown ? failedContext({ patientId, scopeContext }) : []),
  ]
}

/** Undefined is what is no reference. */
function whoseIn({ patientId, organisationId, scopeContext, scopeValues }: Partial<NewConsent>) {
  const patient = isGiven(patientId) ? patientReference(patientId) : null
  return {
    patientId: patient,
    organisationId: isGiven(organisationId) ? organisationReference(organisationId) : null,
    // Who names neither a patient nor another context has forgotten a field: the record must not be for everybody.
    scopeContext: scopeContext ?? contextOf(patient ?? null, scopeValues ?? []) ?? 'patient',
  }
}
