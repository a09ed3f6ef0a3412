import { invalid } from '../../../packages/faults/fault.ts'
import { purposeCodes } from '../purposes.ts'
import { changeableFields, type ConsentChange } from './consent-body.ts'
import type { ConsentRecord, ConsentTerms } from './consent-record.ts'
import { operationsOf, resourceClassesOf } from './derive.ts'
import { failedRules, isGiven } from './field-rules.ts'
import { organisationReference, patientReference } from './references.ts'

/** The terms of a record after a change: only what is given and not null is applied. Undefined when that is nothing. */
export function changedTerms(
  record: ConsentRecord,
  change: ConsentChange,
  resourceTypes: ReadonlySet<string>,
): ConsentTerms | undefined {
  const terms: ConsentTerms = {
    patientId: record.patientId,
    actorReference: change.actorReference ?? record.actorReference,
    provisionType: change.provisionType ?? record.provisionType,
    resourceClasses: change.resourceClasses ?? classesAfter(record, change),
    classesFollow: record.classesFollow && !isGiven(change.resourceClasses),
    scopeValues: change.scopeValues ?? record.scopeValues,
    permittedOperations: isGiven(change.scopeValues) ? operationsOf(change.scopeValues) : record.permittedOperations,
    periodStart: change.periodStart ?? record.periodStart,
    periodEnd: change.periodEnd ?? record.periodEnd,
    scopeContext: change.scopeContext ?? record.scopeContext,
    purposes: isGiven(change.purposes) ? purposeCodes(change.purposes) : record.purposes,
    regulatoryBasis: change.regulatoryBasis ?? record.regulatoryBasis,
    note: change.note ?? record.note,
    organisationId: record.organisationId,
  }
  const failed = [
    ...fixed('patientId', change.patientId, patientReference, record.patientId),
    ...fixed('organisationId', change.organisationId, organisationReference, record.organisationId),
    ...failedRules(terms, resourceTypes),
  ]
  if (failed.length > 0) throw invalid(...failed)
  return changeableFields.some((field) => isGiven(change[field])) ? terms : undefined
}

/**
 * Classes that nobody chose follow the scopes when these change, else the record would go on about types that nobody
 * names any more. A permit is not opened to all types that way: who wants that says so.
 */
function classesAfter(record: ConsentRecord, { scopeValues, provisionType }: ConsentChange): readonly string[] {
  const { resourceClasses, classesFollow } = record
  if (!isGiven(scopeValues) || !classesFollow) return resourceClasses
  const derived = resourceClassesOf(scopeValues)
  const isPermit = (provisionType ?? record.provisionType) === 'permit'
  return derived.length === 0 && isPermit ? resourceClasses : derived
}

/** Whom a record is about and who owns it never change; saying the same again is no change. */
function fixed(
  path: string,
  given: string | null | undefined,
  read: (text: string) => string | undefined,
  present: string | null,
) {
  if (!isGiven(given) || read(given) === present) return []
  return [{ path, message: 'cannot be changed' }]
}
