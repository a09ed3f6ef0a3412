import { effectiveOperations } from '../checks.ts'
import type { ConsentRecord } from '../record/consent-record.ts'
import { resourceScopesOf } from '../record/derive.ts'
import { failedRules } from '../record/field-rules.ts'
import {
  anyPurpose,
  atItsField,
  deeds,
  emptyForm,
  everybody,
  filled,
  readForm,
  tooLongIn,
  wrongDays,
} from './consent-form.ts'
import type { ConsentFormValues, ReadForm } from './consent-form.ts'

/** A record as the form says it; what the form has no words for is left as an empty form has it. */
export function formOf(record: ConsentRecord): ConsentFormValues {
  const { actorReference, provisionType, resourceClasses, purposes } = record
  return {
    actor: actorReference ?? everybody,
    provisionType,
    deed: deedOf(record) ?? emptyForm.deed,
    extent: resourceClasses.length === 0 ? 'all' : 'some',
    types: [...resourceClasses],
    purpose: purposes[0] ?? anyPurpose,
    periodStart: record.periodStart ?? '',
    periodEnd: record.periodEnd ?? '',
    regulatoryBasis: record.regulatoryBasis ?? '',
    note: record.note ?? '',
  }
}

/** Whether the form says all that the record says: one purpose, one deed for all kinds, of one patient, no conditions. */
export const isSayable = (record: ConsentRecord): boolean =>
  record.patientId !== null && record.purposes.length <= 1 && deedOf(record) !== undefined

function deedOf(record: ConsentRecord): ConsentFormValues['deed'] | undefined {
  const { resourceClasses, scopeValues, permittedOperations } = record
  if (resourceScopesOf(scopeValues).some(({ query }) => query !== undefined)) return undefined
  const letters = new Set(
    resourceClasses.length === 0
      ? [permittedOperations, ...namedTypes(record).map((type) => effectiveOperations(record, type))]
      : resourceClasses.map((type) => effectiveOperations(record, type)),
  )
  const [only = '', ...others] = letters
  return others.length === 0 && isDeed(only) ? only : undefined
}

const namedTypes = ({ scopeValues }: ConsentRecord) =>
  resourceScopesOf(scopeValues)
    .map(({ type }) => type)
    .filter((type) => type !== '*')

const isDeed = (letters: string): letters is ConsentFormValues['deed'] => letters in deeds

/** The terms of a record after what the form says of it. Whom it is about and who owns it stay. */
export function readChange(
  record: ConsentRecord,
  values: ConsentFormValues,
  resourceTypes: ReadonlySet<string>,
): ReadForm {
  const { patientId, organisationId, scopeContext } = record
  if (!isSayable(record) || patientId === null) return readPeriod(record, values, resourceTypes)
  const read = readForm(values, patientId, { organisation: undefined }, resourceTypes)
  if (read.is === 'wrong') return read
  const kept = { patientId, organisationId, scopeContext }
  return { is: 'read', terms: { ...read.terms, ...(saysTheSame(record, values) ? whatOf(record) : {}), ...kept } }
}

/** What was not touched is kept as it was written, not as the form would write it. */
function saysTheSame(record: ConsentRecord, values: ConsentFormValues): boolean {
  const before = formOf(record)
  const whatOfForm = ({ deed, extent, types }: ConsentFormValues) =>
    JSON.stringify([deed, extent, extent === 'all' ? [] : (types ?? []).toSorted()])
  return whatOfForm(before) === whatOfForm(values)
}

const whatOf = ({ resourceClasses, classesFollow, scopeValues, permittedOperations }: ConsentRecord) => ({
  resourceClasses,
  classesFollow,
  scopeValues,
  permittedOperations,
})

function readPeriod(record: ConsentRecord, values: ConsentFormValues, resourceTypes: ReadonlySet<string>): ReadForm {
  const terms = {
    ...record,
    periodStart: filled(values.periodStart),
    periodEnd: filled(values.periodEnd),
    regulatoryBasis: filled(values.regulatoryBasis),
    note: filled(values.note),
  }
  const days = wrongDays(values)
  const fields = [...(days.length > 0 ? days : failedRules(terms, resourceTypes).map(atItsField)), ...tooLongIn(values)]
  return fields.length > 0 ? { is: 'wrong', fields } : { is: 'read', terms }
}
