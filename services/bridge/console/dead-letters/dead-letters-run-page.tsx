import { Alert } from '../../../../packages/views/components/alert.tsx'
import { Button } from '../../../../packages/views/components/button.tsx'
import { Card } from '../../../../packages/views/components/card.tsx'
import { DefinitionList } from '../../../../packages/views/components/definition-list.tsx'
import { PageHead } from '../../../../packages/views/components/page-head.tsx'
import { PostForm } from '../../../../packages/views/components/post-form.tsx'
import { Progress } from '../../../../packages/views/components/progress.tsx'
import { Time } from '../../../../packages/views/components/time.tsx'
import type { RetryRun } from '../../store/retry-runs.ts'
import { ConsoleFrame, type FrameModel } from '../console-frame.tsx'
import { Live } from '../overview/live.tsx'
import { fieldLabels, hrefOfPage, searchFields, wordsIn } from '../search/search-words.ts'
import { count } from '../numbers.ts'

interface RetryRunModel extends FrameModel {
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
        actions={
          <>
            {!isOver(run) && (
              <PostForm class="while-refreshed" action={`${runPath(run.id)}/stop`}>
                <Button look="danger">Stop</Button>
              </PostForm>
            )}
            <Button href="/console/dead-letters">All dead letters</Button>
          </>
        }
      />
      <Live at={isOver(run) ? undefined : `${runPath(run.id)}/progress`} seconds={1} look="stack">
        <RunProgress run={run} />
      </Live>
      <Card title="Which messages">
        <DefinitionList
          items={[
            ...(run.search === null ? groupOf(run) : searchOf(run.search)),
            { term: 'Found', value: count(run.matched) },
          ]}
        />
      </Card>
    </ConsoleFrame>
  )
}

const groupOf = ({ errorCode, facilityCode }: RetryRun) => [
  { term: 'Cause', value: errorCode === null ? 'Any' : <code>{errorCode}</code> },
  { term: 'Facility', value: <bdi>{facilityCode ?? 'Any'}</bdi> },
]

/** All of them are dead letters; what else was asked for. */
function searchOf(search: string) {
  const words = wordsIn(search)
  const asked = searchFields.filter((name) => name !== 'status' && words[name] !== undefined)
  return [
    { term: 'Search', value: <a href={hrefOfPage(words, 0)}>Dead letters that are still there</a> },
    ...asked.map((name) => ({ term: fieldLabels[name], value: <bdi>{words[name]}</bdi> })),
  ]
}

/** The part that moves. When nothing moves any more, it says so to the script that fetches it. */
export function RunProgress({ run }: { readonly run: RetryRun }) {
  const { atWork, waiting, succeeded, failed, matched, notYet } = run
  const isDone = isOver(run)
  const alone = isDone ? matched - run.taken - notYet : 0
  return (
    <div class="stack" data-refresh-over={isDone ? '' : undefined}>
      <Card title="How far it is">
        <Progress label="Messages" done={matched - notYet - atWork} total={matched} unit="messages" />
        <p class="facts run-facts">
          <span>{count(succeeded)} succeeded</span>
          <span>{count(failed)} failed again</span>
          <span>{count(waiting)} wait for the store</span>
          <span>{count(atWork)} at work</span>
          <span>{count(notYet)} not yet begun</span>
        </p>
      </Card>
      {isDone && <RunEnd run={run} />}
      {alone > 0 && (
        <Alert tone="info" title={`${count(alone)} were left alone`}>
          Somebody else was quicker, or their bytes are past their retention.
        </Alert>
      )}
    </div>
  )
}

export const runPath = (id: string): string => `/console/dead-letters/runs/${id}`

/** How it stands, in a line. */
export function runWords(run: RetryRun): string {
  if (!isOver(run)) return `${count(run.matched - run.notYet)} of ${count(run.matched)} begun`
  return `${count(run.succeeded)} succeeded, ${count(run.failed)} failed again${run.stoppedAt === null ? '' : ', stopped'}`
}

const isOver = ({ atWork, notYet, stoppedAt }: RetryRun): boolean =>
  atWork === 0 && (notYet === 0 || stoppedAt !== null)

function RunEnd({ run: { taken, succeeded, failed, notYet, stoppedBy, matched } }: { readonly run: RetryRun }) {
  if (stoppedBy !== null && notYet > 0) {
    return (
      <Alert tone="warning" title={`Stopped by ${stoppedBy}: ${count(notYet)} were not begun.`}>
        They are among the <a href="/console/dead-letters">dead letters</a> as before.
      </Alert>
    )
  }
  if (matched === 0 || taken === 0) return <Alert tone="info" title="There was nothing to be sent through." />
  if (failed === 0) return <Alert tone="good" title={`All are through: ${count(succeeded)} succeeded.`} />
  return (
    <Alert tone="bad" title={`${count(failed)} failed again.`}>
      Their cause is not gone yet. They are among the <a href="/console/dead-letters">dead letters</a>.
    </Alert>
  )
}
