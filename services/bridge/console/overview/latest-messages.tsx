import { Badge, StatusPill } from '../../../../packages/views/components/badge.tsx'
import { Table } from '../../../../packages/views/components/table.tsx'
import { Time } from '../../../../packages/views/components/time.tsx'
import type { LatestMessage } from '../../store/flow-figures.ts'
import { milliseconds } from '../numbers.ts'
import { messageWords } from '../state-words.ts'
import { messagePath } from '../transaction/message-path.ts'

/** No word of what they say. */
export function LatestMessages({ messages }: { readonly messages: readonly LatestMessage[] }) {
  return (
    <Table
      label="Latest messages"
      rows={messages}
      stacks
      empty={{
        title: 'No message has come in yet',
        children: 'Send one to the port of a channel, and it appears here.',
      }}
      columns={[
        {
          heading: 'Received',
          kind: 'date',
          cell: ({ id, receivedAt }) => (
            <a href={messagePath(id)}>
              <Time at={receivedAt} precision="second" />
            </a>
          ),
        },
        {
          heading: 'Type',
          kind: 'date',
          cell: ({ messageType }) => <Badge>{messageType === '' ? 'Unreadable' : messageType}</Badge>,
        },
        {
          heading: 'Sender',
          cell: ({ sendingFacility }) => <bdi>{sendingFacility === '' ? '–' : sendingFacility}</bdi>,
        },
        {
          heading: 'State',
          cell: ({ status, ackCode, errorCode }) => (
            <div>
              <StatusPill tone={messageWords[status].tone}>{messageWords[status].label}</StatusPill>
              <span class="under">{[ackCode, errorCode].filter((code) => code !== null).join(' · ')}</span>
            </div>
          ),
        },
        {
          heading: 'Time',
          kind: 'number',
          cell: ({ durationMs }) => (durationMs === null ? '–' : milliseconds(durationMs)),
        },
      ]}
    />
  )
}
