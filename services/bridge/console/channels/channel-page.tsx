import { Alert } from '../../../../packages/views/components/alert.tsx'
import { StatusPill } from '../../../../packages/views/components/badge.tsx'
import { BarChart } from '../../../../packages/views/components/bar-chart.tsx'
import { Card } from '../../../../packages/views/components/card.tsx'
import { DefinitionList } from '../../../../packages/views/components/definition-list.tsx'
import { PageHead } from '../../../../packages/views/components/page-head.tsx'
import { Sparkline } from '../../../../packages/views/components/sparkline.tsx'
import { StatCard } from '../../../../packages/views/components/stat-card.tsx'
import { Table } from '../../../../packages/views/components/table.tsx'
import { Time } from '../../../../packages/views/components/time.tsx'
import type { ChannelStats } from '../../listeners/channel-control.ts'
import type { FramingErrorFacts } from '../../store/framing-errors.ts'
import type { ChannelRow } from './channel-rows.ts'
import { PauseDialog, PauseForm, SwitchButton, SwitchedNotice } from './channel-switch.tsx'
import { ConsoleFrame, type FrameModel } from '../console-frame.tsx'
import { rangeOf } from '../overview/flow-stats.tsx'
import { Live } from '../overview/live.tsx'
import { byteCount, count, milliseconds, plural, rate } from '../numbers.ts'
import { silentMinutes } from './silence.ts'
import { ackWords, channelNames, channelWords } from '../state-words.ts'

export interface ChannelModel extends FrameModel {
  readonly row: ChannelRow
  readonly stats: ChannelStats
  /** The last bytes that were no message, without what they said. */
  readonly noise: readonly FramingErrorFacts[]
  /** The reader has just paused or resumed it. */
  readonly wasSwitched: boolean
}

export function ChannelPage({ model }: { readonly model: ChannelModel }) {
  const { row, stats, noise } = model
  const { id, status, messageType, port } = row.channel
  const title = `${messageType} · ${channelNames[id]}`
  return (
    <ConsoleFrame model={model} title={title} here="channels" scripts={['refresh-fragment.js']}>
      <PageHead
        title={title}
        lead={`MLLP on port ${port}`}
        actions={status !== 'STOPPED' && <SwitchButton channel={row.channel} from="one" />}
      />
      {model.wasSwitched && <SwitchedNotice channel={row.channel} />}
      <Live at={`/console/channels/${id}/now`} seconds={5}>
        <ChannelFigures row={row} stats={stats} noise={noise} />
      </Live>
      {status !== 'STOPPED' && status !== 'PAUSED' && (
        <>
          <PauseDialog channel={row.channel} from="one" />
          <noscript>
            <Card title="Pause">
              <PauseForm channel={row.channel} from="one" />
            </Card>
          </noscript>
        </>
      )}
    </ConsoleFrame>
  )
}

export function ChannelFigures({ row, stats, noise }: Pick<ChannelModel, 'row' | 'stats' | 'noise'>) {
  const { channel, perMinute, framingErrors } = row
  const { label, tone } = channelWords[channel.status]
  const { durationMs, rate: rates } = stats
  const refused = stats.connectionsRefused + stats.tlsFailures
  return (
    <>
      <p class="facts">
        <StatusPill tone={tone}>{label}</StatusPill>
        {row.lastChange !== undefined && (
          <span>
            {channel.status === 'PAUSED' ? 'Paused' : 'Resumed'} by <bdi>{row.lastChange.by ?? 'somebody'}</bdi> at{' '}
            <Time at={row.lastChange.at} />
          </span>
        )}
      </p>
      {row.isSilent && channel.lastMessageAt !== undefined && (
        <Alert tone="warning" title="This channel is silent">
          The last message came at <Time at={channel.lastMessageAt} />. Usually there is one within {silentMinutes}{' '}
          minutes at this time: ask the sender whether something stopped there.
        </Alert>
      )}
      {framingErrors > 0 && (
        <Alert
          tone="warning"
          title={`Bytes that were no message: ${count(framingErrors)} ${framingErrors === 1 ? 'time' : 'times'}`}
        >
          Noise between frames, frames that broke off or frames that were too large. A sender may speak another protocol
          or TLS where none is expected. <code class="wrap">GET /api/channels/{channel.id}/framing-errors</code> has
          their first bytes.
        </Alert>
      )}
      {refused > 0 && (
        <Alert tone="warning" title={plural(refused, 'connection was refused', 'connections were refused')}>
          From an address that is not among the allowed senders, beyond the number that may be open, without the
          certificate that this channel asks for, or by a web browser or a monitor. The log says from where and why.
        </Alert>
      )}
      <div class="stats">
        <StatCard label="A minute, now" value={rate(rates.m1 * 60)}>
          {perMinute.some((messages) => messages > 0) && (
            <Sparkline text={rangeOf('Messages a minute', perMinute, count)} values={perMinute} />
          )}
        </StatCard>
        <StatCard label="Over five minutes" value={rate(rates.m5 * 60)} unit="a minute" />
        <StatCard label="Over fifteen minutes" value={rate(rates.m15 * 60)} unit="a minute" />
        <StatCard label="Connections" value={count(stats.activeConnections)} detail="open in this copy" />
        <StatCard
          label="Median time"
          value={milliseconds(durationMs.p50)}
          detail={`longest ${milliseconds(durationMs.max)}`}
        />
      </div>
      <div class="columns">
        <Card title="How long messages take">
          <BarChart
            label="How long the last thousand messages took"
            bars={[
              { label: 'Half of them', value: durationMs.p50, words: milliseconds(durationMs.p50) },
              { label: '95 %', value: durationMs.p95, words: milliseconds(durationMs.p95) },
              { label: '99 %', value: durationMs.p99, words: milliseconds(durationMs.p99) },
              { label: 'Longest', value: durationMs.max, words: milliseconds(durationMs.max) },
            ]}
          />
        </Card>
        <Card title="Counters">
          <DefinitionList items={countersOf(row, stats)} />
        </Card>
      </div>
      <div class="columns">
        <Counted title="By trigger" counts={stats.byTrigger} />
        <Counted title="By answer" counts={stats.ackCodes} words={ackWords} />
      </div>
      {noise.length > 0 && <Noise noise={noise} />}
    </>
  )
}

/** What it was and where it came from; what it said is for those whose look is recorded. */
const Noise = ({ noise }: Pick<ChannelModel, 'noise'>) => (
  <Card flush title="The last bytes that were no message">
    <Table
      label="The last bytes that were no message"
      stacks
      rows={noise}
      empty={{ title: 'None' }}
      columns={[
        { heading: 'When', kind: 'date', cell: ({ at }) => <Time at={at} precision="second" /> },
        { heading: 'What', cell: ({ kind }) => noiseWords[kind] },
        { heading: 'From', kind: 'id', cell: ({ peer }) => <bdi>{peer}</bdi> },
        { heading: 'Bytes', kind: 'number', cell: ({ length }) => count(length) },
      ]}
    />
  </Card>
)

const noiseWords: Readonly<Record<FramingErrorFacts['kind'], string>> = {
  noise: 'Bytes outside of a frame',
  resync: 'A frame that began within another',
  oversize: 'A frame that was too large',
  cut: 'A frame that broke off',
}

const countersOf = ({ channel, framingErrors }: ChannelRow, stats: ChannelStats) => [
  { term: 'Received', value: count(channel.messagesReceived) },
  { term: 'Succeeded', value: count(channel.messagesSucceeded) },
  { term: 'Failed', value: count(channel.messagesFailed) },
  { term: 'Were refused with AR', value: count(stats.rejected) },
  { term: 'Were parked', value: count(stats.queued) },
  { term: 'Duplicates', value: count(stats.duplicates) },
  { term: 'Framing errors', value: count(framingErrors) },
  { term: 'Refused connections', value: count(stats.connectionsRefused) },
  { term: 'Failed TLS', value: count(stats.tlsFailures) },
  { term: 'Bytes', value: byteCount(stats.bytes) },
  { term: 'Counted since', value: <Time at={stats.since} /> },
]

interface CountedProps {
  readonly title: string
  readonly counts: Readonly<Record<string, number>>
  readonly words?: typeof ackWords
}

function Counted({ title, counts, words = {} }: CountedProps) {
  const bars = Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([name, value]) => ({ ...(words[name] ?? { label: name }), value, words: count(value) }))
  return (
    <Card title={title}>
      {bars.length === 0 ? <p class="under">No messages yet.</p> : <BarChart label={title} bars={bars} />}
    </Card>
  )
}
