import { Alert } from '../../../packages/views/components/alert.tsx'
import { StatusPill } from '../../../packages/views/components/badge.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { Dialog } from '../../../packages/views/components/dialog.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { PostForm } from '../../../packages/views/components/post-form.tsx'
import { Table } from '../../../packages/views/components/table.tsx'
import { Time } from '../../../packages/views/components/time.tsx'
import type { Dependency } from '../breakers/breakers.ts'
import type { BreakerEntry } from '../breakers/circuit-breaker.ts'
import type { Reset } from '../store/breaker-resets.ts'
import { ConsoleFrame, type FrameModel } from './console-frame.tsx'
import { Live } from './overview/live.tsx'
import { count, plural } from './numbers.ts'
import { breakerWords, dependencyWords, stageNames } from './state-words.ts'

export interface BreakerRow extends BreakerEntry {
  readonly name: Dependency
  /** How many messages are in the retry queue, which is the store's. */
  readonly waiting: number
}

interface BreakersModel extends FrameModel {
  readonly rows: readonly BreakerRow[]
  readonly lastReset: Reset | undefined
  /** The reader has just reset them. */
  readonly wasReset: boolean
}

export function BreakersPage({ model }: { readonly model: BreakersModel }) {
  const { rows, lastReset, wasReset } = model
  return (
    <ConsoleFrame model={model} title="Breakers" here="breakers" scripts={['refresh-fragment.js']}>
      <PageHead
        title="Breakers"
        lead="What the bridge depends on. Whoever does not answer is left alone for a while and then tried again with a few messages."
        actions={<Button opens="reset">Reset all</Button>}
      />
      {wasReset && (
        <Alert tone="good" title="You have reset all breakers" urgent>
          What waited in the retry queue is tried now.
        </Alert>
      )}
      <Live at="/console/breakers/now" seconds={3}>
        <BreakerTable rows={rows} />
      </Live>
      <p class="facts">
        {lastReset === undefined ? (
          'Nobody has reset them yet.'
        ) : (
          <span>
            Last reset by <bdi>{lastReset.by}</bdi> at <Time at={lastReset.at} precision="second" />
          </span>
        )}
      </p>
      <noscript>
        <Card title="Reset all breakers">
          <ResetForm />
        </Card>
      </noscript>
      <Dialog id="reset" title="Reset all breakers?">
        <ResetForm />
      </Dialog>
    </ConsoleFrame>
  )
}

export function BreakerTable({ rows }: { readonly rows: readonly BreakerRow[] }) {
  return (
    <Card flush>
      <Table
        label="Breakers"
        rows={rows}
        stacks
        empty={{ title: 'There is no breaker' }}
        columns={[
          {
            heading: 'Dependency',
            cell: ({ name }) => (
              <span>
                <strong>{dependencyWords[name].name}</strong>
                <span class="under">{dependencyWords[name].does}</span>
              </span>
            ),
          },
          { heading: 'Stage', cell: ({ name }) => stageNames[dependencyWords[name].stage] },
          {
            heading: 'State',
            cell: ({ state }) => (
              <span>
                <StatusPill tone={breakerWords[state].tone}>{breakerWords[state].label}</StatusPill>
                <span class="under">Circuit {breakerWords[state].closed.toLowerCase()}</span>
              </span>
            ),
          },
          { heading: 'Meaning', cell: ({ name, state }) => <Meaning name={name} state={state} /> },
          {
            heading: 'Last calls',
            kind: 'number',
            cell: ({ successCount, failureCount }) => `${count(successCount)} good, ${count(failureCount)} failed`,
          },
          {
            heading: 'Waiting',
            kind: 'number',
            cell: ({ waiting }) => (waiting === 0 ? '0' : plural(waiting, 'message')),
          },
        ]}
      />
    </Card>
  )
}

function Meaning({ name, state }: Pick<BreakerRow, 'name' | 'state'>) {
  if (state === 'CLOSED') return <span>Calls go through.</span>
  const { whenOpen } = dependencyWords[name]
  return <span>{state === 'OPEN' ? whenOpen : `A few calls go through to see whether it is well. ${whenOpen}`}</span>
}

function ResetForm() {
  return (
    <PostForm class="form" action="/console/breakers/reset">
      <p>
        Says that everything is well again. All circuits close, in every copy of the bridge, and what waits in the retry
        queue is tried at once. Where something is still down its breaker opens again.
      </p>
      <div class="actions">
        <Button look="primary">Reset and try what waits</Button>
      </div>
    </PostForm>
  )
}
