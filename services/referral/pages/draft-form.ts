import type { Static } from 'typebox'
import { faultOf, type FaultField } from '../../../packages/faults/fault.ts'
import { object, oneOf, optional, text, uuid } from '../../../packages/http/fields.ts'
import { tooLong } from '../../../packages/views/too-long.ts'
import { priorities, type ReferralDraft } from '../referral.ts'
import { draftOf } from '../routes/draft-of.ts'
import { listItemsMax, noteCharactersMax, shortCharactersMax } from '../routes/fields.ts'
import { patientField, readReceiver, receiverValue, chosenReceiver, sharedTypes } from './people.ts'

/** Room for what is too long: that is said at its field, with what was typed still there. */
const typedMax = 60_000
export const typed = text({ max: typedMax })

/** A referral as a form gives it. What was left empty comes as an empty text. */
export const DraftForm = object({
  /** Which form it is: sent twice it makes one draft. */
  form: optional(uuid()),
  patientId: patientField,
  receivingFacilityClientId: chosenReceiver,
  referralDisplay: typed,
  priority: oneOf(priorities),
  occurrenceDate: typed,
  reasonCodes: typed,
  clinicalNote: typed,
  sharedResourceTypes: optional(sharedTypes),
})

export type DraftFormValues = Static<typeof DraftForm>

/** Which version of a referral was on the page. */
export const seenVersion = text({ pattern: /^\d{1,9}$/ })

/** What is typed to change a draft. */
export const ChangeForm = object({ ...DraftForm.properties, version: seenVersion })

export const emptyDraft = (patientId: string): DraftFormValues => ({
  ...{ patientId, receivingFacilityClientId: '', referralDisplay: '', priority: 'ROUTINE' },
  ...{ occurrenceDate: '', reasonCodes: '', clinicalNote: '' },
})

/** A draft as the form says it. */
export const formOf = (draft: ReferralDraft): DraftFormValues => ({
  patientId: draft.patientId,
  receivingFacilityClientId: receiverValue(draft),
  referralDisplay: draft.referralDisplay ?? '',
  priority: draft.priority,
  occurrenceDate: draft.occurrenceDate ?? '',
  reasonCodes: draft.reasonCodes.join(', '),
  clinicalNote: draft.clinicalNote ?? '',
  sharedResourceTypes: [...draft.sharedResourceTypes],
})

type ReadDraft =
  | { readonly is: 'read'; readonly draft: ReferralDraft }
  | { readonly is: 'wrong'; readonly fields: readonly FaultField[] }

interface ReadingDeps {
  readonly resourceTypes: ReadonlySet<string>
  readonly now: Date
}

/** The draft by the rules of the API; what is wrong is said field by field. */
export function readDraft(
  values: DraftFormValues,
  requesterId: string,
  { resourceTypes, now }: ReadingDeps,
  reasonCodes = reasonsIn(values),
): ReadDraft {
  const fields = wrongFields(values, reasonCodes, now)
  if (fields.length > 0) return { is: 'wrong', fields }
  const { patientId, priority, sharedResourceTypes = [] } = values
  const body = {
    ...{ patientId, priority, requesterId, sharedResourceTypes },
    ...readReceiver(values.receivingFacilityClientId),
    referralDisplay: values.referralDisplay.trim(),
    occurrenceDate: filled(values.occurrenceDate),
    reasonCodes: [...reasonCodes],
    clinicalNote: filled(values.clinicalNote),
  }
  try {
    return { is: 'read', draft: draftOf(body, resourceTypes) }
  } catch (thrown) {
    const fault = faultOf(thrown)
    if (fault.kind === 'incorrect') return { is: 'wrong', fields: fault.fields.map(atItsField) }
    throw fault
  }
}

/** A draft written anew. What the form has no words for stays as it was. */
export function readChange(values: DraftFormValues, before: ReferralDraft, deps: ReadingDeps): ReadDraft {
  const shown = formOf(before)
  // A program may write a comma into a reason: read back, one that nobody touched would be two.
  const reasons = values.reasonCodes === shown.reasonCodes ? before.reasonCodes : reasonsIn(values)
  const read = readDraft(values, before.requesterId, deps, reasons)
  if (read.is === 'wrong') return read
  // A code and its words go out as one: beside other words it would say what nobody wrote.
  const referralCode = values.referralDisplay.trim() === shown.referralDisplay.trim() ? before.referralCode : null
  return { is: 'read', draft: { ...read.draft, referralCode, supportingInfo: before.supportingInfo } }
}

function wrongFields(values: DraftFormValues, reasons: readonly string[], now: Date): FaultField[] {
  const { receivingFacilityClientId, referralDisplay, clinicalNote, occurrenceDate } = values
  const isOver = isDay.test(occurrenceDate) && occurrenceDate < dayNotOver(now)
  const longest = reasons.reduce((one, other) => (other.length > one.length ? other : one), '')
  const wrong: readonly (readonly [path: keyof DraftFormValues, message: string | undefined])[] = [
    ['receivingFacilityClientId', receivingFacilityClientId === '' ? 'Choose a facility.' : undefined],
    ['referralDisplay', referralDisplay.trim() === '' ? 'Say what is asked.' : undefined],
    ['referralDisplay', tooLong(referralDisplay, shortCharactersMax)],
    ['occurrenceDate', isOver ? 'This day is over.' : undefined],
    ['reasonCodes', reasons.length > listItemsMax ? `Give at most ${listItemsMax} reasons.` : undefined],
    ['reasonCodes', tooLong(longest, shortCharactersMax, 'Each')],
    ['clinicalNote', tooLong(clinicalNote, noteCharactersMax)],
  ]
  return wrong.flatMap(([path, message]) => (message === undefined ? [] : [{ path, message }]))
}

const isDay = /^\d{4}-\d{2}-\d{2}$/

/** The earliest day that is not over everywhere: the last zone is twelve hours behind. */
const dayNotOver = (now: Date): string => new Date(now.getTime() - 12 * 3_600_000).toISOString().slice(0, 10)

const reasonsIn = ({ reasonCodes }: DraftFormValues): readonly string[] =>
  reasonCodes
    .split(',')
    .map((reason) => reason.trim())
    .filter((reason) => reason !== '')

const filled = (given: string): string | null => (given.trim() === '' ? null : given.trim())

/** The rules of the API name its fields; here some of them have friendlier words. */
const atItsField = ({ path, message }: FaultField): FaultField =>
  path === 'occurrenceDate'
    ? { path, message: 'Give a day, such as 2027-03-04.' }
    : { path: path.replace(/\[.*/, ''), message }
