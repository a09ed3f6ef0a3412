import { invalid, type FaultField } from '../../../packages/faults/fault.ts'
import { purposeCode } from '../access-request.ts'
import type { NewConsent } from './consent-body.ts'
import type { ConsentTerms } from './consent-record.ts'
import { contextOf, operationsOf, resourceClassesOf } from './derive.ts'
import { failedRules } from './field-rules.ts'
import { organisationReference, patientReference } from './references.ts'

/** The terms of a new record as its body gives them, with what is left out derived. Names every failed field at once. */
export function newTerms(
  body: NewConsent,
  callerOrganisation: string | undefined,
  resourceTypes: ReadonlySet<string>,
): ConsentTerms {
  const failed: FaultField[] = []
  const reference = (path: 'patientId' | 'organisationId', read: (text: string) => string | undefined) => {
    const given = body[path] ?? null
    const found = given === null ? null : read(given)
    if (found === undefined) failed.push({ path, message: `must be ${referenceForm[path]}` })
    return found ?? null
  }
  const patientId = reference('patientId', patientReference)
  const organisationId = reference('organisationId', organisationReference)
  const scopeValues = body.scopeValues ?? []
  // Who names neither a patient nor another context has forgotten a field: the record must not be for everybody.
  const scopeContext = body.scopeContext ?? contextOf(patientId, scopeValues) ?? 'patient'
  const terms: ConsentTerms = {
    patientId,
    actorReference: body.actorReference ?? null,
    provisionType: body.provisionType,
    resourceClasses: body.resourceClasses ?? resourceClassesOf(scopeValues),
    classesFollow: (body.resourceClasses ?? null) === null,
    scopeValues,
    permittedOperations: operationsOf(scopeValues),
    periodStart: body.periodStart ?? null,
    periodEnd: body.periodEnd ?? null,
    scopeContext,
    purposes: (body.purposes ?? []).map(purposeCode),
    regulatoryBasis: body.regulatoryBasis ?? null,
    note: body.note ?? null,
    organisationId: organisationId ?? callerOrganisation ?? null,
  }
  const isNamed = failed.some(({ path }) => path === 'patientId')
  failed.push(...failedRules(terms, resourceTypes).filter(({ path }) => !(isNamed && path === 'patientId')))
  if (failed.length > 0) throw invalid(...failed)
  return terms
}

const referenceForm = { patientId: 'Patient/<id>', organisationId: 'Organization/<id>' } as const
