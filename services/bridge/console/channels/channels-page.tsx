import { Badge, StatusPill } from '../../../../packages/views/components/badge.tsx'
import { Card } from '../../../../packages/views/components/card.tsx'
import { PageHead } from '../../../../packages/views/components/page-head.tsx'
import { Sparkline } from '../../../../packages/views/components/sparkline.tsx'
import { Table } from '../../../../packages/views/components/table.tsx'
import { Time } from '../../../../packages/views/components/time.tsx'
import type { ChannelRow } from './channel-rows.ts'
import { PauseDialog, SwitchButton, SwitchedNotice } from './channel-switch.tsx'
import { openedBy, openedByField } from '../../../../packages/views/opened-by.ts'
import { ConsoleFrame, type FrameModel } from '../console-frame.tsx'
import { rangeOf } from '../overview/flow-stats.tsx'
import { Live } from '../overview/live.tsx'
import { count } from '../numbers.ts'
import { silentMinutes } from './silence.ts'
import { channelNames, channelWords } from '../state-words.ts'

interface ChannelsModel extends FrameModel {
  readonly rows: readonly ChannelRow[]
  /** The one that the reader has just paused or resumed. */
  readonly switched: ChannelRow | undefined
}

export function ChannelsPage({ model }: { readonly model: ChannelsModel }) {
  return (
    <ConsoleFrame model={model} title="Channels" here="channels" scripts={['refresh-fragment.js']}>
      <PageHead
        title="Channels"
        lead="One MLLP port for each kind of message. A paused one refuses connections: senders keep their messages and send them later."
      />
      {model.switched !== undefined && <SwitchedNotice channel={model.switched.channel} />}
      <Live at={`/console/channels/now?${openedByField}=${openedBy(model.visitor.caller.subject)}`} seconds={5}>
        <ChannelTable rows={model.rows} />
      </Live>
      {/* Outside of what is renewed: an open dialog stays. */}
      {model.rows.map(({ channel }) => (
        <PauseDialog key={channel.id} channel={channel} from="list" />
      ))}
    </ConsoleFrame>
  )
}

export function ChannelTable({ rows }: { readonly rows: readonly ChannelRow[] }) {
  return (
    <Card flush>
      <Table
        label="Channels"
        rows={rows}
        stacks
        empty={{ title: 'There is no channel' }}
        columns={[
          {
            heading: 'Channel',
            cell: ({ channel: { id, messageType, port } }) => (
              <span>
                <a href={`/console/channels/${id}`}>
                  {messageType} · {channelNames[id]}
                </a>
                <span class="under">Port {port}</span>
              </span>
            ),
          },
          { heading: 'State', cell: (row) => <ChannelState row={row} /> },
          {
            heading: 'Last half hour',
            cell: ({ perMinute }) =>
              perMinute.every((messages) => messages === 0) ? (
                <span class="under">no messages</span>
              ) : (
                <Sparkline text={rangeOf('Messages a minute', perMinute, count)} values={perMinute} />
              ),
          },
          { heading: 'Received', kind: 'number', cell: ({ channel }) => count(channel.messagesReceived) },
          { heading: 'Succeeded', kind: 'number', cell: ({ channel }) => count(channel.messagesSucceeded) },
          { heading: 'Failed', kind: 'number', cell: ({ channel }) => count(channel.messagesFailed) },
          {
            heading: 'Framing errors',
            kind: 'number',
            cell: ({ framingErrors }) =>
              framingErrors === 0 ? '0' : <Badge tone="warning">{count(framingErrors)}</Badge>,
          },
          {
            heading: 'Last message',
            kind: 'date',
            cell: ({ channel: { lastMessageAt } }) =>
              lastMessageAt === undefined ? 'never' : <Time at={lastMessageAt} />,
          },
          { heading: 'Switch', cell: ({ channel }) => <SwitchButton channel={channel} from="list" /> },
        ]}
      />
    </Card>
  )
}

function ChannelState({ row: { channel, isSilent } }: { readonly row: ChannelRow }) {
  const { label, tone } = channelWords[channel.status]
  return (
    <span>
      <StatusPill tone={tone}>{label}</StatusPill>
      {isSilent && (
        <>
          {' '}
          <Badge tone="warning">Silent for {silentMinutes} min or more</Badge>
        </>
      )}
    </span>
  )
}
