import { Badge, StatusPill } from '../../../packages/views/components/badge.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { Pagination, type PaginationProps } from '../../../packages/views/components/pagination.tsx'
import { PersonName } from '../../../packages/views/components/person-name.tsx'
import { Table } from '../../../packages/views/components/table.tsx'
import { Time } from '../../../packages/views/components/time.tsx'
import type { CountedReferral } from '../referral.ts'
import type { TaskStatus } from '../transitions.ts'
import { ReferralFrame, type FrameModel } from './referral-frame.tsx'
import { attentionWords, priorityWords, statusWords } from './words.ts'

export interface ListModel extends FrameModel {
  readonly here: 'inbox' | 'mine' | 'own'
  readonly rows: readonly ReferralRow[]
  readonly page?: PaginationProps['page']
}

export interface ReferralRow {
  readonly referral: CountedReferral
  readonly patientName: string
  readonly from: string
  readonly to: string
  readonly openTask: TaskStatus | undefined
}

/** Inbox, one's own referrals, or those of the patient who looks. */
export function ListPage({ model }: { readonly model: ListModel }) {
  const { here, rows, page } = model
  const words = lists[here]
  return (
    <ReferralFrame model={model} title={words.title} here={here}>
      <PageHead
        title={words.title}
        lead={words.lead}
        actions={
          here === 'own' ? undefined : (
            <Button look="primary" href="/new">
              New referral
            </Button>
          )
        }
      />
      <Card flush>
        <Table
          label={words.title}
          rows={rows}
          stacks
          empty={{ title: words.empty, children: words.emptyHint }}
          columns={[
            {
              heading: 'Referral',
              cell: ({ referral, openTask }) => (
                <>
                  <a href={`/referrals/${referral.id}`}>
                    <bdi>{referral.referralDisplay ?? referral.referralCode ?? `Referral ${referral.id}`}</bdi>
                  </a>{' '}
                  {here === 'inbox' && openTask === 'REQUESTED' && <Badge tone="info">New</Badge>}{' '}
                  {referral.attention !== null && <Badge tone="warning">{attentionWords[referral.attention]}</Badge>}
                </>
              ),
            },
            ...(here === 'own'
              ? []
              : [{ heading: 'Patient', cell: ({ patientName }: ReferralRow) => <PersonName name={patientName} /> }]),
            here === 'inbox'
              ? { heading: 'From', cell: ({ from }) => <bdi>{from}</bdi> }
              : { heading: 'To', cell: ({ to }) => <bdi>{to}</bdi> },
            {
              heading: 'Priority',
              cell: ({ referral: { priority } }) => (
                <StatusPill tone={priorityWords[priority].tone}>{priorityWords[priority].label}</StatusPill>
              ),
            },
            {
              heading: 'Status',
              cell: ({ referral: { status } }) => (
                <StatusPill tone={statusWords[status].tone}>{statusWords[status].label}</StatusPill>
              ),
            },
            {
              heading: 'Since',
              kind: 'date',
              cell: ({ referral: { authoredOn, createdAt } }) => <Time at={authoredOn ?? createdAt} />,
            },
          ]}
        />
      </Card>
      {page !== undefined && page.totalPages > 1 && (
        <Pagination page={page} hrefOf={(number) => `${here === 'mine' ? '/mine' : '/'}?page=${number}`} />
      )}
    </ReferralFrame>
  )
}

const lists = {
  inbox: {
    title: 'Inbox',
    lead: 'What other facilities ask of yours, the most urgent first.',
    empty: 'Nothing waits for your facility',
    emptyHint: 'New referrals appear here as soon as they are sent.',
  },
  mine: {
    title: 'My referrals',
    lead: 'What you have asked of other facilities, newest first.',
    empty: 'You have not referred anybody yet',
    emptyHint: 'Begin with a patient; nothing leaves before you send it.',
  },
  own: {
    title: 'Your referrals',
    lead: 'Where each of them stands.',
    empty: 'There are no referrals for you',
    emptyHint: 'When a clinician refers you to another facility, you see it here.',
  },
} as const
