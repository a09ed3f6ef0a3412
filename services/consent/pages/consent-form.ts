import type { Static } from 'typebox'
import { faultOf, type FaultField } from '../../../packages/faults/fault.ts'
import { list, object, oneOf, optional, text } from '../../../packages/http/fields.ts'
import { isDay } from '../../../packages/http/formats.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'
import { tooLong } from '../../../packages/views/too-long.ts'
import { noteCharactersMax, regulatoryBasisCharactersMax, type NewConsent } from '../record/consent-body.ts'
import { provisionTypes, type ConsentTerms } from '../record/consent-record.ts'
import { newTerms } from '../record/new-terms.ts'

/** A required choice must not be empty: what a record says by saying nothing has words of its own here. */
export const everybody = 'everybody'
export const anyPurpose = 'any'

/** What may be done, as the letters of a scope. */
export const deeds = { rs: 'Read', cud: 'Write', cruds: 'Read and write' } as const

// Sound: these are its keys.
const deedWords = Object.keys(deeds) as (keyof typeof deeds)[]

/** Room for what is too long: that is said at its field, with what was typed still there. */
export const typed = text({ max: 60_000 })

/** A consent as a form gives it. What was left empty comes as an empty text. */
export const ConsentForm = object({
  actor: text({ max: 160 }),
  provisionType: oneOf(provisionTypes),
  deed: oneOf(deedWords),
  extent: oneOf(['all', 'some']),
  types: optional(list(text({ max: 64 }), { max: 150 })),
  purpose: text({ max: 64 }),
  periodStart: text({ max: 10 }),
  periodEnd: text({ max: 10 }),
  regulatoryBasis: typed,
  note: typed,
})

/** Beside what the form says: what is to be done with it, and on what the preview that was seen stood. */
export const stepFields = {
  step: oneOf(['preview', 'change', 'keep']),
  basis: text({ max: 64, optional: true }),
}

export type ConsentFormValues = Static<typeof ConsentForm>

export const emptyForm: ConsentFormValues = {
  ...{ actor: '', provisionType: 'permit', deed: 'rs', extent: 'some', purpose: 'TREAT' },
  ...{ periodStart: '', periodEnd: '', regulatoryBasis: '', note: '' },
}

export type ReadForm =
  | { readonly is: 'read'; readonly terms: ConsentTerms }
  | { readonly is: 'wrong'; readonly fields: readonly FaultField[] }

/** The terms of a record by the rules of the API; what is wrong is said field by field. */
export function readForm(
  values: ConsentFormValues,
  patientId: string,
  caller: Pick<Caller, 'organisation'>,
  resourceTypes: ReadonlySet<string>,
): ReadForm {
  const types = values.extent === 'all' ? [] : typesIn(values)
  const days = wrongDays(values)
  const fields = [
    ...(values.extent === 'some' && types.length === 0
      ? [{ path: 'types', message: 'Tick at least one kind, or choose everything.' }]
      : []),
    ...days,
    ...tooLongIn(values),
  ]
  const scopes = types.length === 0 ? ['*'] : types
  const body: NewConsent = {
    patientId,
    provisionType: values.provisionType,
    actorReference: values.actor === everybody ? null : values.actor,
    resourceClasses: types,
    scopeValues: scopes.map((type) => `patient/${type}.${values.deed}`),
    purposes: values.purpose === anyPurpose ? [] : [values.purpose],
    // The rules compare days; what is none was said above.
    periodStart: days.length > 0 ? null : filled(values.periodStart),
    periodEnd: days.length > 0 ? null : filled(values.periodEnd),
    regulatoryBasis: filled(values.regulatoryBasis),
    note: filled(values.note),
  }
  try {
    const terms = newTerms(body, caller.organisation, resourceTypes)
    return fields.length > 0 ? { is: 'wrong', fields } : { is: 'read', terms }
  } catch (thrown) {
    const fault = faultOf(thrown)
    // All at once: nobody likes to be told of one mistake after the other.
    if (fault.kind === 'incorrect') return { is: 'wrong', fields: [...fields, ...fault.fields.map(atItsField)] }
    throw fault
  }
}

export const typesIn = ({ types }: Pick<ConsentFormValues, 'types'>): string[] => [...new Set(types)]

/** Days that are none. */
export const wrongDays = (values: Pick<ConsentFormValues, 'periodStart' | 'periodEnd'>): FaultField[] =>
  (['periodStart', 'periodEnd'] as const)
    .filter((path) => values[path] !== '' && !isDay(values[path]))
    .map((path) => ({ path, message: 'Give a day, such as 2027-03-04.' }))

/** Texts of which not all could be kept. */
export const tooLongIn = ({ regulatoryBasis, note }: Pick<ConsentFormValues, 'regulatoryBasis' | 'note'>) =>
  [
    { path: 'regulatoryBasis', message: tooLong(regulatoryBasis, regulatoryBasisCharactersMax) },
    { path: 'note', message: tooLong(note, noteCharactersMax) },
  ].flatMap(({ path, message }) => (message === undefined ? [] : [{ path, message }]))

export const filled = (given: string): string | null => (given.trim() === '' ? null : given.trim())

/** The rules of the API name its fields; here some of them have other names and friendlier words. */
export function atItsField({ path, message }: FaultField): FaultField {
  if (path === 'actorReference') return { path: 'actor', message: 'Choose who this is about.' }
  if (path === 'periodEnd') return { path, message: 'The last day must not be before the first.' }
  return /^(?:resourceClasses|scopeValues)/.test(path)
    ? { path: 'types', message: 'One of these kinds cannot be recorded.' }
    : { path, message }
}
