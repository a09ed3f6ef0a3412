import { Alert } from '../../../packages/views/components/alert.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { DefinitionList } from '../../../packages/views/components/definition-list.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { Progress } from '../../../packages/views/components/progress.tsx'
import { Time } from '../../../packages/views/components/time.tsx'
import type { RetryRun } from '../store/dead-letters.ts'
import { ConsoleFrame, type FrameModel } from './console-frame.tsx'

export interface RetryRunModel extends FrameModel {
  readonly run: RetryRun
}

/** One batch of messages that go through once more. What moves is fetched anew. */
export function RetryRunPage({ model }: { readonly model: RetryRunModel }) {
  const { run } = model
  return (
    <ConsoleFrame model={model} title="Batch retry" here="dead-letters" scripts={['refresh-fragment.js']}>
      <PageHead
        title="Batch retry"
        lead={
          <>
            Started <Time at={run.startedAt} precision="second" /> by <bdi>{run.startedBy}</bdi>
          </>
        }
        actions={<Button href="/console/dead-letters">All dead letters</Button>}
      />
      <div
        class="stack"
        data-refresh={isOver(run) ? undefined : `/console/dead-letters/runs/${run.id}/progress`}
        data-refresh-seconds="1"
      >
        <RunProgress run={run} />
      </div>
      <Card title="Which messages">
        <DefinitionList
          items={[
            { term: 'Cause', value: run.errorCode === null ? 'Any' : <code>{run.errorCode}</code> },
            { term: 'Facility', value: <bdi>{run.facilityCode ?? 'Any'}</bdi> },
            { term: 'Found', value: run.matched.toLocaleString('en') },
            { term: 'Taken', value: run.taken.toLocaleString('en') },
          ]}
        />
      </Card>
    </ConsoleFrame>
  )
}

/** The part that moves. */
export function RunProgress({ run }: { readonly run: RetryRun }) {
  const { taken, atWork, waiting, succeeded, failed, matched } = run
  return (
    <>
      <Card title="How far it is">
        <Progress label="Messages" done={taken - atWork} total={taken} unit="messages" />
        <p class="facts run-facts">
          <span>{succeeded} succeeded</span>
          <span>{failed} failed again</span>
          <span>{waiting} wait for the store</span>
          <span>{atWork} at work</span>
        </p>
      </Card>
      {isOver(run) && <RunEnd run={run} />}
      {matched > taken && (
        <Alert tone="info" title={`${matched - taken} were left alone`}>
          Somebody else was quicker, or their bytes are past their retention.
        </Alert>
      )}
    </>
  )
}

const isOver = ({ atWork }: RetryRun): boolean => atWork === 0

function RunEnd({ run: { taken, succeeded, failed } }: { readonly run: RetryRun }) {
  if (taken === 0) return <Alert tone="info" title="There was nothing to be sent through." />
  if (failed === 0) return <Alert tone="good" title={`All are through: ${succeeded} succeeded.`} />
  return (
    <Alert tone="bad" title={`${failed} failed again.`}>
      Their cause is not gone yet. They are among the <a href="/console/dead-letters">dead letters</a>.
    </Alert>
  )
}
