import { BarChart } from '../../../../packages/views/components/bar-chart.tsx'
import { Button } from '../../../../packages/views/components/button.tsx'
import { Card } from '../../../../packages/views/components/card.tsx'
import { CodeBlock } from '../../../../packages/views/components/code-block.tsx'
import { EmptyState } from '../../../../packages/views/components/empty-state.tsx'
import { PageHead } from '../../../../packages/views/components/page-head.tsx'
import { PostForm } from '../../../../packages/views/components/post-form.tsx'
import { Time } from '../../../../packages/views/components/time.tsx'
import type { Delivery } from '../../outbound/delivery.ts'
import { stages } from '../../pipeline/stage.ts'
import { isToBeRun, tooLargeCode } from '../../store/to-be-run.ts'
import type { AttemptRow, TransactionRow } from '../../store/transactions.ts'
import { ConsoleFrame, type FrameModel } from '../console-frame.tsx'
import { fieldLinksScript } from '../console-assets.ts'
import { Facts } from './transaction-facts.tsx'
import { Attempts, Deliveries } from './transaction-history.tsx'
import { MessageTree } from './transaction-message.tsx'
import type { Retold } from './transaction-mapping.ts'
import { LiveOutcome, type OutcomeModel } from './transaction-outcome.tsx'
import { Resources } from './transaction-resources.tsx'
import { stageNames } from '../state-words.ts'
import { durationWords } from './transaction-words.ts'
import { messagePath } from './message-path.ts'

export interface TransactionModel extends FrameModel, OutcomeModel {
  /** Undefined when the bytes are past their retention. */
  readonly retold: Retold | undefined
  /** The bytes as text, where they are no message. */
  readonly rawText: string | undefined
  readonly ack: string | undefined
  /** The id under which its sender sent it again after it had failed. */
  readonly cameAgainAs: string | undefined
  readonly attempts: readonly AttemptRow[]
  readonly deliveries: readonly Delivery[]
}

/** One message on one screen: where it stands and why, what it says, what it became, who was told. */
export function TransactionPage({ model }: { readonly model: TransactionModel }) {
  const { row, assetUrl } = model
  return (
    <ConsoleFrame
      model={model}
      title={row.message_type === '' ? unreadable : `${row.message_type} ${row.control_id}`}
      here="search"
      scripts={['refresh-fragment.js']}
      moreScripts={[assetUrl(fieldLinksScript)]}
      hints={[{ keys: ['↑', '↓'], does: 'From field to field; what it became is marked' }]}
    >
      <PageHead
        title={<Title {...row} />}
        lead={
          <>
            {row.control_id === '' ? 'Received ' : <ControlId {...row} />}
            <Time at={row.received_at} precision="second" />
          </>
        }
        actions={canRun(model) && <RetryForm id={row.id} />}
      />
      <LiveOutcome {...model} />
      <div class="message-facts">
        <Card title="What is known of it">
          <Facts row={row} cameAgainAs={model.cameAgainAs} />
        </Card>
        <Card title="Where the time went">
          <Stages row={row} />
        </Card>
      </div>
      <Content {...model} />
      {model.ack !== undefined && (
        <Card title="The answer to the sender">
          <CodeBlock label="Answer" code={model.ack.replaceAll('\r', '\n').trimEnd()} />
        </Card>
      )}
      {model.attempts.length > 0 && <Attempts attempts={model.attempts} />}
      <Deliveries deliveries={model.deliveries} hasWritten={model.row.resources.length > 0} />
    </ConsoleFrame>
  )
}

const unreadable = 'Unreadable message'

const canRun = ({ row, retold }: TransactionModel): boolean =>
  isToBeRun(row.status, row.content_mismatch) && retold !== undefined && !isCut(row)

const isCut = ({ error_code }: TransactionRow): boolean => error_code === tooLargeCode

function Title({ message_type, facility_code, sending_facility }: TransactionRow) {
  const from = (facility_code ?? sending_facility) || undefined
  return (
    <>
      {message_type === '' ? unreadable : <bdi>{message_type}</bdi>}
      {from !== undefined && (
        <>
          {' '}
          <span class="muted">from</span> <bdi>{from}</bdi>
        </>
      )}
    </>
  )
}

const ControlId = ({ control_id }: Pick<TransactionRow, 'control_id'>) => (
  <>
    Control id <bdi>{control_id}</bdi>, received{' '}
  </>
)

function RetryForm({ id }: Pick<TransactionRow, 'id'>) {
  return (
    <PostForm action={`${messagePath(id)}/retry`}>
      <Button look="primary">Retry</Button>
    </PostForm>
  )
}

function Stages({ row: { stage, stage_ms, status, duration_ms } }: { readonly row: TransactionRow }) {
  const timed = stages.filter((name) => stage_ms[name] !== undefined)
  if (timed.length === 0) return <EmptyState title="No stage was timed" />
  return (
    <>
      <BarChart
        label="Time in each stage"
        bars={timed.map((name) => ({
          label: stageNames[name],
          value: stage_ms[name] ?? 0,
          words: durationWords(stage_ms[name] ?? 0),
          ...(status === 'ERROR' && name === stage ? { tone: 'bad' as const } : {}),
        }))}
      />
      {duration_ms !== null && <p class="hint stage-sum">From receipt to end: {durationWords(duration_ms)}</p>}
    </>
  )
}

function Content({ row, retold, rawText }: TransactionModel) {
  if (retold === undefined) {
    return (
      <Card title="The message">
        <EmptyState title="Its bytes are past their retention">What became of it stays in the log.</EmptyState>
      </Card>
    )
  }
  const { message, mapped, trace } = retold
  if (message === undefined || isCut(row)) {
    return (
      <Card title={isCut(row) ? 'How it began' : 'The bytes as they came'}>
        <CodeBlock label="Bytes" code={(rawText ?? '').replaceAll('\r', '\n')} />
      </Card>
    )
  }
  return (
    <div class="message-sides">
      <Card title="What was sent">
        <MessageTree message={message} trace={trace} />
      </Card>
      <Card title={row.status === 'SUCCESS' ? 'What it became' : 'What it would become'}>
        {mapped === undefined ? (
          <EmptyState title="Nothing">
            It is refused before it is turned into FHIR, or its facility is not known.
          </EmptyState>
        ) : mapped.writes.length === 0 ? (
          <EmptyState title="Nothing is written">A question is answered, and leaves no resource behind.</EmptyState>
        ) : (
          <Resources message={message} mapped={mapped} trace={trace} written={row.resources} />
        )}
      </Card>
    </div>
  )
}
