import { Button } from '../../../../packages/views/components/button.tsx'
import { Card } from '../../../../packages/views/components/card.tsx'
import { PageHead } from '../../../../packages/views/components/page-head.tsx'
import { PostForm } from '../../../../packages/views/components/post-form.tsx'
import { Table } from '../../../../packages/views/components/table.tsx'
import { Time } from '../../../../packages/views/components/time.tsx'
import type { DeadLetterGroup } from '../../store/dead-letters.ts'
import { runMessagesMax, type RetryRun } from '../../store/retry-runs.ts'
import { tooLargeCode } from '../../store/to-be-run.ts'
import { ConsoleFrame, type FrameModel } from '../console-frame.tsx'
import { runPath, runWords } from './dead-letters-run-page.tsx'
import { deadStatus, hrefOfPage, noneWord } from '../search/search-words.ts'
import { adviceOn } from '../transaction/transaction-words.ts'
import { messagePath } from '../transaction/message-path.ts'
import { count, plural } from '../numbers.ts'

interface DeadLettersModel extends FrameModel {
  readonly groups: readonly DeadLetterGroup[]
  /** There are more than are listed. */
  readonly hasMore: boolean
  /** The last batches, newest first. */
  readonly runs: readonly RetryRun[]
}

/** What has failed, by cause and place: one cause is mended once, for all its messages. */
export function DeadLettersPage({ model }: { readonly model: DeadLettersModel }) {
  const { groups, hasMore, runs } = model
  const total = plural(
    groups.reduce((sum, group) => sum + group.count, 0),
    'failed message',
  )
  return (
    <ConsoleFrame model={model} title="Dead letters" here="dead-letters">
      <PageHead
        title="Dead letters"
        lead="What failed and was not sent again since, by cause and facility. Mend the cause, then send all of its messages through once more."
      />
      <Card
        flush
        title={hasMore ? `More than ${total}` : total}
        actions={hasMore && <a href={hrefOfPage({ status: deadStatus }, 0)}>All dead letters</a>}
      >
        <Table
          label="Failed messages by cause"
          stacks
          rows={groups}
          empty={{
            title: 'Nothing has failed',
            children: 'Messages that cannot be taken appear here, with their cause.',
          }}
          columns={[
            { heading: 'Cause', cell: (group) => <Cause {...group} /> },
            { heading: 'Facility', cell: ({ facilityCode }) => <bdi>{facilityCode ?? '–'}</bdi> },
            { heading: 'Messages', kind: 'number', cell: (group) => <CountLink {...group} /> },
            { heading: 'First', kind: 'date', cell: ({ firstAt }) => <Time at={firstAt} /> },
            {
              heading: 'Last',
              kind: 'date',
              cell: ({ lastAt, lastId }) => (
                <a href={messagePath(lastId)}>
                  <Time at={lastAt} />
                </a>
              ),
            },
            { heading: 'Retry', cell: (group) => group.errorCode !== tooLargeCode && <RetryForm {...group} /> },
          ]}
        />
      </Card>
      {runs.length > 0 && (
        <Card title="The last batches">
          <ul class="link-list">
            {runs.map((run) => (
              <li key={run.id}>
                <a href={runPath(run.id)}>
                  <Time at={run.startedAt} />
                </a>
                <span>
                  {run.search === null ? (
                    <>
                      <code>{run.errorCode}</code> from <bdi>{run.facilityCode ?? 'nowhere'}</bdi>
                    </>
                  ) : (
                    'What a search had found'
                  )}
                  : {runWords(run)}
                </span>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </ConsoleFrame>
  )
}

function Cause({ errorCode }: DeadLetterGroup) {
  const { title, todo } = adviceOn('ERROR', errorCode)
  return (
    <div class="cause">
      <p>
        <b>{title}</b> <code>{errorCode}</code>
      </p>
      <p class="hint">{todo}</p>
    </div>
  )
}

function CountLink({ count: failed, errorCode, facilityCode }: DeadLetterGroup) {
  const words = { status: deadStatus, errorCode: errorCode || noneWord, facilityCode: facilityCode ?? noneWord }
  return <a href={hrefOfPage(words, 0)}>{count(failed)}</a>
}

function RetryForm({ errorCode, facilityCode, count: failed }: DeadLetterGroup) {
  const meant = failed > runMessagesMax ? `${count(runMessagesMax)} of ${count(failed)}` : count(failed)
  return (
    <PostForm action="/console/dead-letters/retry">
      <input type="hidden" name="errorCode" value={errorCode} />
      <input type="hidden" name="facilityCode" value={facilityCode ?? ''} />
      <Button label={`Retry ${meant} with ${errorCode} from ${facilityCode ?? 'nowhere'}`}>
        Retry{failed > runMessagesMax ? ` ${meant}` : ''}
      </Button>
    </PostForm>
  )
}
