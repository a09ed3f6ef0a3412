import { Badge } from '../../../packages/views/components/badge.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { DefinitionList } from '../../../packages/views/components/definition-list.tsx'
import { Field, type FieldProps } from '../../../packages/views/components/field.tsx'
import { Time } from '../../../packages/views/components/time.tsx'
import { Filled } from '../../../packages/views/words/filled.tsx'
import type { ReferralTask } from '../referral.ts'
import type { Words } from '../words/words.ts'
import { noteCharactersMax, rejectionCharactersMax } from '../routes/fields.ts'
import { unansweredTaskStatuses, type TaskStatus } from '../transitions.ts'
import { AskedForm } from './asked-form.tsx'
import { Instead } from './instead.tsx'
import { Pill } from './pill.tsx'
import { moveWords, taskWord } from './words.ts'

interface TaskCardProps {
  readonly task: ReferralTask
  /** The statuses that the reader could give it now. */
  readonly moves: readonly TaskStatus[]
  /** Those that are for the facility to give, and the reader may give in its place. */
  readonly movesInstead?: readonly TaskStatus[]
  readonly nameOf: (reference: string | null | undefined) => string
  readonly words: Words
}

/** The work of the receiving facility, with a button for each step that is theirs to take. */
export function TaskCard({ task, moves, movesInstead = [], nameOf, words }: TaskCardProps) {
  const { text } = words
  const { status, note, rejectionReason, acceptBy, overdueAt } = task
  const facility = <bdi>{nameOf(task.performerId ?? `Organization/${task.receivingFacilityClientId}`)}</bdi>
  return (
    <Card title={<Filled text={text('workAt')} parts={{ facility }} />}>
      <div class="stack">
        <p class="facts">
          <Pill {...taskWord(status, words)} /> {overdueAt !== null && <Badge tone="warning">{text('overdue')}</Badge>}
        </p>
        <DefinitionList
          items={[
            ...(unansweredTaskStatuses.includes(status)
              ? [{ term: text('acceptUntil'), value: <Time at={acceptBy} /> }]
              : []),
            ...(note === null ? [] : [{ term: text('note'), value: <bdi class="preserve-lines">{note}</bdi> }]),
            ...(rejectionReason === null
              ? []
              : [{ term: text('rejectedBecause'), value: <bdi class="preserve-lines">{rejectionReason}</bdi> }]),
          ]}
        />
        <Moves task={task} moves={moves} />
        <Instead of={facility} isThere={movesInstead.length > 0}>
          <Moves task={task} moves={movesInstead} />
        </Instead>
      </div>
    </Card>
  )
}

function Moves({ task, moves }: Pick<TaskCardProps, 'task' | 'moves'>) {
  if (moves.length === 0) return null
  return (
    <div class="actions">
      {moves.map((move) => (
        <MoveForm key={move} task={task} move={move} />
      ))}
    </div>
  )
}

function MoveForm({ task, move }: { readonly task: ReferralTask; readonly move: TaskStatus }) {
  const path = `/referrals/${task.referralId}/tasks/${task.id}`
  const look = move === 'ACCEPTED' || move === 'COMPLETED' || move === 'RECEIVED' ? 'primary' : 'plain'
  const asked = askedFor[move]
  if (asked === undefined) {
    return (
      <form method="post" action={path}>
        <Wanted move={move} version={task.version} />
        <Button look={look}>{moveWords[move]}</Button>
      </form>
    )
  }
  const askedLook = move === 'COMPLETED' ? 'primary' : 'danger'
  return (
    <AskedForm
      id={`task-${task.id}-${move.toLowerCase()}`}
      title={moveWords[move]}
      look={askedLook}
      form={(place) => (
        <form class="form" method="post" action={path}>
          <Wanted move={move} version={task.version} />
          {asked.warning !== undefined && <p>{asked.warning}</p>}
          <Field {...asked.field} id={`${place}-said`} />
          <div class="actions">
            <Button look={askedLook}>{moveWords[move]}</Button>
          </div>
        </form>
      )}
    />
  )
}

/** The step, and what was seen when it was chosen: nobody cancels as not yet begun what was accepted meanwhile. */
const Wanted = ({ move, version }: { readonly move: TaskStatus; readonly version: number }) => (
  <>
    <input type="hidden" name="status" value={move} />
    <input type="hidden" name="version" value={version} />
  </>
)

interface Asked {
  readonly warning?: string
  readonly field: FieldProps
}

const done: FieldProps = {
  ...{ name: 'note', label: 'Note', hint: 'What was done, for the asking facility.' },
  ...{ rows: 4, maxLength: noteCharactersMax },
}

/** What ends the work is asked about first. */
const askedFor: Readonly<Partial<Record<TaskStatus, Asked>>> = {
  REJECTED: {
    field: {
      ...{ name: 'rejectionReason', label: 'Reason', hint: 'The asking facility reads it.' },
      ...{ rows: 3, maxLength: rejectionCharactersMax, required: true },
    },
  },
  CANCELLED: {
    warning: 'The work ends here and cannot be taken up again.',
    field: {
      ...{ name: 'note', label: 'Reason', hint: 'The other facility reads it.' },
      ...{ rows: 3, maxLength: noteCharactersMax, required: true },
    },
  },
  COMPLETED: { field: done },
  FAILED: { field: done },
}
