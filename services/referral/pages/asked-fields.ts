import { count } from '../../../packages/views/numbers.ts'
import { tooLong } from '../../../packages/views/too-long.ts'
import type { OfferedAction } from '../available-actions.ts'
import { noteCharactersMax, rejectionCharactersMax } from '../routes/fields.ts'
import type { TaskStatus } from '../transitions.ts'

/** What is written with a step. */
export interface AskedField {
  readonly name: 'reason' | 'note' | 'rejectionReason'
  readonly label: string
  readonly hint: string
  readonly rows: number
  readonly charactersMax: number
  readonly required?: true
}

/** As by the API. */
const reasonCharactersMax = 256

const field = (said: AskedField): AskedField => ({
  ...said,
  hint: `${said.hint} At most ${count(said.charactersMax)} characters.`,
})

const reason = field({
  ...{ name: 'reason', label: 'Reason', hint: 'The other facility reads it.' },
  ...{ rows: 3, charactersMax: reasonCharactersMax },
})

const done = field({
  ...{ name: 'note', label: 'Note', hint: 'What was done, for the asking facility.' },
  ...{ rows: 4, charactersMax: noteCharactersMax },
})

export const askedOfAction: Readonly<Partial<Record<OfferedAction, AskedField>>> = { hold: reason, revoke: reason }

/** What ends the work is asked about first. */
export const askedOfMove: Readonly<Partial<Record<TaskStatus, AskedField>>> = {
  REJECTED: field({
    ...{ name: 'rejectionReason', label: 'Reason', hint: 'The asking facility reads it.' },
    ...{ rows: 3, charactersMax: rejectionCharactersMax, required: true },
  }),
  CANCELLED: field({
    ...{ name: 'note', label: 'Reason', hint: 'The other facility reads it.' },
    ...{ rows: 3, charactersMax: noteCharactersMax, required: true },
  }),
  COMPLETED: done,
  FAILED: done,
}

/** What may be written with a move, asked for or not. */
export const textOfMove = (move: TaskStatus): AskedField => askedOfMove[move] ?? done

export const facilityLabel = 'Facility'

/** The form that asks: for its dialog, and for what is wrong in it. */
export const formOfAction = (action: OfferedAction): string => `step-${action}`
export const formOfMove = (taskId: number, move: TaskStatus): string => `task-${taskId}-${move.toLowerCase()}`

/** A form that was sent in vain. */
export interface WrongForm {
  readonly form: string
  readonly label: string
  readonly message: string
  readonly value: string
}

/** The field of a form. */
export const askedId = (form: string): string => `${form}-said`

/** A list without anybody sends no choice along. */
export const nobodyChosen = (form: string): WrongForm => ({
  ...{ form, label: facilityLabel, message: 'Choose a facility.', value: '' },
})

/** What is wrong with what was written, if anything. Who types a space where a reason is needed has given none. */
export function wrongIn(form: string, asked: AskedField | undefined, said = ''): WrongForm | undefined {
  if (asked === undefined) return undefined
  const { label, required, charactersMax } = asked
  const isMissing = required === true && said.trim() === ''
  const message = isMissing ? 'Give a reason.' : tooLong(said, charactersMax)
  return message === undefined ? undefined : { form, label, message, value: said }
}
