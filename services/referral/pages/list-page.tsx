import { Badge } from '../../../packages/views/components/badge.tsx'
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
import { staff } from '../words/reader.ts'
import type { Words } from '../words/words.ts'
import { Pill } from './pill.tsx'
import { priorityWord, statusWord } from './words.ts'

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
  const { here, rows, page, reader = staff } = model
  const { words } = reader
  const { text } = words
  const { title, lead, empty, emptyHint } = here === 'own' ? ownList(words) : lists[here]
  return (
    <ReferralFrame model={model} title={title} here={here}>
      <PageHead
        title={title}
        lead={lead}
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
          label={title}
          rows={rows}
          stacks
          empty={{ title: empty, children: emptyHint }}
          columns={[
            {
              heading: text('referral'),
              cell: ({ referral, openTask }) => (
                <>
                  <a href={`/referrals/${referral.id}`}>
                    <bdi>
                      {referral.referralDisplay ?? referral.referralCode ?? text('referralNumber', { id: referral.id })}
                    </bdi>
                  </a>{' '}
                  {here === 'inbox' && isNew(referral, openTask) && <Badge tone="info">New</Badge>}{' '}
                  {referral.attention !== null && (
                    <Badge tone="warning">{text(`attention_${referral.attention}`)}</Badge>
                  )}
                </>
              ),
            },
            ...(here === 'own'
              ? []
              : [
                  {
                    heading: text('patient'),
                    cell: ({ patientName }: ReferralRow) => <PersonName name={patientName} />,
                  },
                ]),
            here === 'inbox'
              ? { heading: 'From', cell: ({ from }) => <bdi>{from}</bdi> }
              : { heading: text('to'), cell: ({ to }) => <bdi>{to}</bdi> },
            {
              heading: text('priority'),
              cell: ({ referral: { priority } }) => <Pill {...priorityWord(priority, words)} />,
            },
            {
              heading: text('status'),
              cell: ({ referral: { status } }) => <Pill {...statusWord(status, words)} />,
            },
            {
              heading: text('since'),
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

/** Nobody has looked at it yet; what is on hold waits for its sender, and not for who receives it. */
const isNew = ({ status }: CountedReferral, openTask: TaskStatus | undefined) =>
  status === 'ACTIVE' && openTask === 'REQUESTED'

const lists = {
  inbox: {
    title: 'Inbox',
    lead: 'What other facilities ask of yours, the most urgent first; what is on hold comes last.',
    empty: 'Nothing waits for your facility',
    emptyHint: 'New referrals appear here as soon as they are sent.',
  },
  mine: {
    title: 'My referrals',
    lead: 'What you have asked of other facilities, newest first.',
    empty: 'You have not referred anybody yet',
    emptyHint: 'Begin with a patient; nothing leaves before you send it.',
  },
} as const

const ownList = ({ text }: Words) => ({
  title: text('ownTitle'),
  lead: text('ownLead'),
  empty: text('ownEmpty'),
  emptyHint: text('ownEmptyHint'),
})
