import { Badge } from '../../../packages/views/components/badge.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { DefinitionList } from '../../../packages/views/components/definition-list.tsx'
import { PostForm } from '../../../packages/views/components/post-form.tsx'
import { Time } from '../../../packages/views/components/time.tsx'
import { Filled } from '../../../packages/views/words/filled.tsx'
import type { ReferralTask } from '../referral.ts'
import type { Receiver } from '../same-receiver.ts'
import type { Words } from '../words/words.ts'
import { unansweredTaskStatuses, type TaskStatus } from '../transitions.ts'
import { askedOfMove, formOfMove, type WrongForm } from './asked-fields.ts'
import { AskedForm, AskedText, WithWrong } from './asked-form.tsx'
import { Instead } from './instead.tsx'
import { Pill } from './pill.tsx'
import { moveWords, taskWord } from './words.ts'

interface TaskCardProps {
  readonly task: ReferralTask
  /** The statuses that the reader could give it now. */
  readonly moves: readonly TaskStatus[]
  /** Those that are for the facility to give, and the reader may give in its place. */
  readonly movesInstead?: readonly TaskStatus[]
  /** What was sent in vain. */
  readonly wrong?: WrongForm | undefined
  readonly nameOfReceiver: (receiver: Receiver) => string
  readonly words: Words
}

/** The work of the receiving facility, with a button for each step that is theirs to take. */
export function TaskCard({ task, moves, movesInstead = [], wrong, nameOfReceiver, words }: TaskCardProps) {
  const { text } = words
  const { status, note, rejectionReason, acceptBy, overdueAt } = task
  const facility = <bdi>{nameOfReceiver(task)}</bdi>
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
        <Moves task={task} moves={moves} wrong={wrong} />
        <Instead
          of={facility}
          isThere={movesInstead.length > 0}
          isOpen={movesInstead.some((move) => formOfMove(task.id, move) === wrong?.form)}
        >
          <Moves task={task} moves={movesInstead} wrong={wrong} />
        </Instead>
      </div>
    </Card>
  )
}

function Moves({ task, moves, wrong }: Pick<TaskCardProps, 'task' | 'moves' | 'wrong'>) {
  if (moves.length === 0) return null
  const forms = moves.map((move) => ({ id: formOfMove(task.id, move), move }))
  const shown = ({ move }: (typeof forms)[number]) => <MoveForm key={move} task={task} move={move} wrong={wrong} />
  return <WithWrong forms={forms} wrong={wrong} shown={shown} />
}

function MoveForm({ task, move, wrong }: Pick<TaskCardProps, 'task' | 'wrong'> & { readonly move: TaskStatus }) {
  const path = `/referrals/${task.referralId}/tasks/${task.id}`
  const look = move === 'ACCEPTED' || move === 'COMPLETED' || move === 'RECEIVED' ? 'primary' : 'plain'
  const asked = askedOfMove[move]
  if (asked === undefined) {
    return (
      <PostForm action={path}>
        <Wanted move={move} version={task.version} />
        <Button look={look}>{moveWords[move]}</Button>
      </PostForm>
    )
  }
  const askedLook = move === 'COMPLETED' ? 'primary' : 'danger'
  return (
    <AskedForm
      id={formOfMove(task.id, move)}
      title={moveWords[move]}
      look={askedLook}
      wrong={wrong}
      form={(place, sent) => (
        <PostForm class="form" action={path}>
          <Wanted move={move} version={task.version} />
          {move === 'CANCELLED' && <p>The work ends here and cannot be taken up again.</p>}
          <AskedText asked={asked} place={place} wrong={sent} />
          <div class="actions">
            <Button look={askedLook}>{moveWords[move]}</Button>
          </div>
        </PostForm>
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
