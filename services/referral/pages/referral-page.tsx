import { Badge } from '../../../packages/views/components/badge.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { Alert } from '../../../packages/views/components/alert.tsx'
import { DefinitionList } from '../../../packages/views/components/definition-list.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { PatientBanner } from '../../../packages/views/components/patient-banner.tsx'
import { CalendarDate } from '../../../packages/views/components/time.tsx'
import { Filled } from '../../../packages/views/words/filled.tsx'
import { patientWays } from '../../../packages/people/patient-ways.tsx'
import type { ShownPatient } from '../../../packages/people/shown-patient.ts'
import type { OfferedAction } from '../available-actions.ts'
import type { GateResult } from '../consent-gate.ts'
import type { Attention as AttentionWord, CountedReferral, ReferralEvent, ReferralTask } from '../referral.ts'
import type { Receiver } from '../same-receiver.ts'
import type { TaskStatus } from '../transitions.ts'
import { askedId, type WrongForm } from './asked-fields.ts'
import { consentsOf, GateView } from './gate-view.tsx'
import { History } from './history.tsx'
import { askerOf } from './people.ts'
import { ReferralFrame, type FrameModel } from './referral-frame.tsx'
import { StepForms } from './step-forms.tsx'
import { TaskCard } from './task-card.tsx'
import { staff } from '../words/reader.ts'
import type { Words } from '../words/words.ts'
import { Pill } from './pill.tsx'
import { doneWords, priorityWord, shareableWord, statusWord, titleOf } from './words.ts'

export interface ReferralModel extends FrameModel {
  readonly referral: CountedReferral
  /** Nobody where the record is not there, or not for the reader: then their reference says whose the referral is. */
  readonly patient: ShownPatient | undefined
  readonly nameOf: (reference: string | null | undefined) => string
  readonly nameOfReceiver: (receiver: Receiver) => string
  readonly tasks: readonly {
    readonly task: ReferralTask
    readonly moves: readonly TaskStatus[]
    readonly movesInstead?: readonly TaskStatus[]
  }[]
  readonly history: readonly ReferralEvent[]
  readonly actions: readonly OfferedAction[]
  /** What is the other facility's to do, and the reader may do in its place. */
  readonly actionsInstead?: readonly OfferedAction[]
  /** What the consent gate would say now; only of a draft, for whoever may send it. */
  readonly gate?: GateResult
  readonly facilities: readonly { readonly value: string; readonly label: string }[]
  /** The visitor's last step. */
  readonly done?: keyof typeof doneWords
  /** The visitor wanted a step that was not taken. */
  readonly notTaken?: NotTaken
}

export type NotTaken =
  /** It was no longer possible; what they wrote for it is stored nowhere, and goes back to them. */
  | { readonly is: 'late'; readonly wrote: string | null }
  /** What was written for it does not fit. */
  | { readonly is: 'wrong'; readonly wrong: WrongForm }
  /** The consent gate stopped it; of a facility that the referral does not name, with what it says. */
  | { readonly is: 'refused'; readonly asked: { readonly gate: GateResult; readonly receiver: Receiver } | undefined }

/** One referral: what is asked, where it stands, what the reader can do. */
export function ReferralPage({ model }: { readonly model: ReferralModel }) {
  const { referral, nameOf, nameOfReceiver, tasks, history, gate, notTaken, reader = staff } = model
  const { words } = reader
  const { text } = words
  // What the reader has to do comes before what there is to read.
  const [mine, others] = [
    tasks.filter(({ moves }) => moves.length > 0),
    tasks.filter(({ moves }) => moves.length === 0),
  ]
  const title = titleOf(referral, words)
  const asked = notTaken?.is === 'refused' ? notTaken.asked : undefined
  const wrong = notTaken?.is === 'wrong' ? notTaken.wrong : undefined
  const consentsAt = consentsOf(referral.patientId, model.addresses)
  const from = nameOf(askerOf(referral))
  const to = nameOfReceiver(referral)
  return (
    <ReferralFrame model={model} title={title} banner={whose(model)}>
      <PageHead
        title={<bdi>{title}</bdi>}
        lead={
          <Filled
            text={text('asks')}
            parts={{
              from: <bdi>{from}</bdi>,
              to: <bdi>{to}</bdi>,
            }}
          />
        }
      />
      <p class="facts">
        <Pill {...statusWord(referral.status, words)} /> <Pill {...priorityWord(referral.priority, words)} />{' '}
        <span>{text('referralNumber', { id: referral.id })}</span>
      </p>
      {model.done !== undefined && wasTaken(model.done, history) && (
        <Alert tone="good" urgent title={doneWords[model.done]} />
      )}
      {notTaken?.is === 'late' && <Late wrote={notTaken.wrote} />}
      {wrong !== undefined && <Wrong {...wrong} />}
      {notTaken?.is === 'refused' && <Refused to={asked === undefined ? to : nameOfReceiver(asked.receiver)} />}
      {asked !== undefined && (
        <GateView gate={asked.gate} to={nameOfReceiver(asked.receiver)} consentsAt={consentsAt} />
      )}
      {(referral.status === 'ONHOLD' || referral.status === 'REVOKED') && referral.statusReason !== null && (
        // The reason of a referral says why it is held or was revoked, and nothing about its work.
        <Alert title={text(`reason_${referral.status}`)}>
          <bdi>{referral.statusReason}</bdi>
        </Alert>
      )}
      {referral.attention !== null && <Attention {...{ tasks, words }} attention={referral.attention} />}
      {gate !== undefined && <GateView gate={gate} to={to} consentsAt={consentsAt} />}
      {mine.map((shown) => (
        <TaskCard key={shown.task.id} {...{ ...shown, wrong, nameOfReceiver, words }} />
      ))}
      <StepForms {...model} wrong={wrong} from={from} mayBeSent={gate === undefined || gate.passes} />
      <div class="columns">
        <Card title={text('whatIsAsked')}>
          <DefinitionList items={askedFor(referral, nameOf, words)} />
        </Card>
        <Card title={text('whatHappened')}>
          <History history={history} nameOf={nameOf} reader={reader} />
        </Card>
      </div>
      {others.map((shown) => (
        <TaskCard key={shown.task.id} {...{ ...shown, wrong, nameOfReceiver, words }} />
      ))}
    </ReferralFrame>
  )
}

/** Patients know themselves by name and birthday; what else there is has English words. */
function whose({ referral: { patientId }, patient, addresses, reader = staff }: ReferralModel) {
  if (reader !== staff) return patient && <PatientBanner name={patient.name} birthDate={patient.birthDate} />
  const id = patientId.replace(/^Patient\//, '')
  return <PatientBanner {...(patient ?? { name: patientId })} actions={patientWays({ id, addresses })} />
}

/** Anybody can write an address, or open it again: what is told is what the last call did, and nothing has undone since. */
function wasTaken(step: keyof typeof doneWords, history: readonly ReferralEvent[]): boolean {
  const last = history.at(-1)
  const isOfLast = (event: ReferralEvent) =>
    event === last || (event.requestId !== null && event.requestId === last?.requestId)
  return history.filter(isOfLast).some(({ action, to }) => action === step || (action === 'task' && to === step))
}

/** What somebody wrote for a step outlives it: they can copy it into the next one. */
function Late({ wrote }: { readonly wrote: string | null }) {
  return (
    <Alert tone="warning" urgent title="This has changed in the meantime: your step was not taken">
      <p>Here is how it stands now, with what can be done from here.</p>
      {wrote !== null && wrote.trim() !== '' && (
        <>
          <p>What you wrote was not kept. Copy it if it is still needed:</p>
          <blockquote class="code-block">
            <bdi class="preserve-lines">{wrote}</bdi>
          </blockquote>
        </>
      )}
    </Alert>
  )
}

function Wrong({ form, label, message }: WrongForm) {
  return (
    <Alert tone="bad" urgent title="Something is missing or does not fit: your step was not taken">
      <a href={`#${askedId(form)}`}>{label}</a>: {message}
    </Alert>
  )
}

function Refused({ to }: { readonly to: string }) {
  const title = (
    <>
      Nothing was sent to <bdi>{to}</bdi>: the consent check stopped it
    </>
  )
  return (
    <Alert tone="bad" urgent title={title}>
      Here is what it says now.
    </Alert>
  )
}

interface AttentionProps extends Pick<ReferralModel, 'tasks'> {
  readonly attention: AttentionWord
  readonly words: Words
}

/** Why somebody should look, in the words of whoever ended the work. */
function Attention({ attention, tasks, words }: AttentionProps) {
  const ended = tasks
    .map(({ task }) => task)
    .filter(({ status }) => status === endedBy[attention])
    .sort((one, other) => other.updatedAt.getTime() - one.updatedAt.getTime())[0]
  const reason = (attention === 'TASK_REJECTED' ? ended?.rejectionReason : ended?.note) ?? null
  return (
    <Alert tone="warning" title={words.text(`attention_${attention}`)}>
      {reason !== null && <bdi class="preserve-lines">{reason}</bdi>}
    </Alert>
  )
}

const endedBy: Readonly<Partial<Record<AttentionWord, TaskStatus>>> = {
  TASK_REJECTED: 'REJECTED',
  TASK_FAILED: 'FAILED',
  TASK_CANCELLED: 'CANCELLED',
}

function askedFor(referral: CountedReferral, nameOf: ReferralModel['nameOf'], words: Words) {
  const { text } = words
  const { clinicalNote, occurrenceDate, reasonCodes, requesterId, sharedResourceTypes, supportingInfo } = referral
  return [
    { term: text('askedBy'), value: <bdi>{nameOf(requesterId)}</bdi> },
    ...(reasonCodes.length === 0 ? [] : [{ term: text('reasons'), value: <bdi>{reasonCodes.join(', ')}</bdi> }]),
    ...(occurrenceDate === null ? [] : [{ term: text('wantedBy'), value: <CalendarDate date={occurrenceDate} /> }]),
    ...(clinicalNote === null ? [] : [{ term: text('note'), value: <bdi class="preserve-lines">{clinicalNote}</bdi> }]),
    ...(sharedResourceTypes.length === 0 && supportingInfo.length > 0
      ? [] // Not that nothing is shared: documents are.
      : [{ term: text('shares'), value: sharedIn(sharedResourceTypes, words) }]),
    ...(supportingInfo.length === 0
      ? []
      : [
          {
            term: text('enclosed'),
            value: supportingInfo.map((reference) => (
              <div key={reference}>
                <bdi>{reference}</bdi>
              </div>
            )),
          },
        ]),
  ]
}

function sharedIn(types: readonly string[], words: Words) {
  if (types.length === 0) return words.text('sharesNothing')
  return types.map((type) => (
    <>
      <Badge key={type}>{shareableWord(type, words)}</Badge>{' '}
    </>
  ))
}
