import { Badge } from '../../../packages/views/components/badge.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { PatientBanner } from '../../../packages/views/components/patient-banner.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { Pagination, type PaginationProps } from '../../../packages/views/components/pagination.tsx'
import { Table, type Column } from '../../../packages/views/components/table.tsx'
import { Time } from '../../../packages/views/components/time.tsx'
import { NamedPatient } from '../../../packages/people/named-patient.tsx'
import { patientWays } from '../../../packages/people/patient-ways.tsx'
import type { BannerPatient, ShownPatient } from '../../../packages/people/shown-patient.ts'
import type { CountedReferral } from '../referral.ts'
import type { OpenTask } from '../store/tasks.ts'
import { unansweredTaskStatuses } from '../transitions.ts'
import { ReferralFrame, type FrameModel } from './referral-frame.tsx'
import { staff, type Reader } from '../words/reader.ts'
import type { Words } from '../words/words.ts'
import { Pill } from './pill.tsx'
import { priorityWord, statusWord, taskWord, titleOf } from './words.ts'

export interface ListModel extends FrameModel {
  readonly here: 'inbox' | 'mine' | 'own' | 'patient'
  readonly rows: readonly ReferralRow[]
  readonly page?: PaginationProps['page']
  /** Whose list it is, where staff looks at one patient's. */
  readonly patient?: BannerPatient
}

export interface ReferralRow {
  readonly referral: CountedReferral
  /** Nobody where the reader may not see them. */
  readonly patient: ShownPatient | undefined
  readonly from: string
  readonly to: string
  readonly openTask: OpenTask | undefined
}

/** Inbox, what one has asked oneself, or the referrals of one patient: for staff, and for themselves. */
export function ListPage({ model }: { readonly model: ListModel }) {
  const { here, rows, page, patient, addresses, reader = staff } = model
  const { title, lead, empty, emptyHint } = here === 'own' ? ownList(reader.words) : lists[here]
  return (
    <ReferralFrame
      model={model}
      title={title}
      width={here === 'own' ? 'regular' : 'wide'}
      {...(here === 'patient' ? {} : { here })}
      banner={
        patient && (
          <PatientBanner {...patient} actions={patientWays({ id: patient.id, addresses, here: 'referrals' })} />
        )
      }
    >
      <PageHead
        title={title}
        lead={lead}
        actions={
          here === 'own' ? undefined : (
            <Button
              look="primary"
              href={patient === undefined ? '/new' : `/new?patient=${encodeURIComponent(patient.id)}`}
            >
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
          columns={columnsOf(here, reader)}
        />
      </Card>
      {page !== undefined && page.totalPages > 1 && (
        <Pagination page={page} hrefOf={(number) => `${pathOf(model)}?page=${number}&size=${page.size}`} />
      )}
    </ReferralFrame>
  )
}

/** A list says what its rows do not share: whose the referral is, who asks, who is asked. */
function columnsOf(here: ListModel['here'], reader: Reader): Column<ReferralRow>[] {
  const { words } = reader
  const { text } = words
  const isOfOnePatient = here === 'own' || here === 'patient'
  return [
    {
      heading: text('referral'),
      cell: ({ referral }) => (
        <>
          <a href={`/referrals/${referral.id}`}>
            <bdi class="name">{titleOf(referral, words)}</bdi>
          </a>{' '}
          {referral.attention !== null && <Badge tone="warning">{text(`attention_${referral.attention}`)}</Badge>}
        </>
      ),
    },
    ...(isOfOnePatient ? [] : [{ heading: text('patient'), cell: patientCell }]),
    ...(here === 'inbox' || here === 'patient' ? [{ heading: 'From', cell: fromCell }] : []),
    ...(here === 'inbox' ? [] : [{ heading: text('to'), cell: toCell }]),
    { heading: text('priority'), cell: ({ referral: { priority } }) => <Pill {...priorityWord(priority, words)} /> },
    { heading: text('status'), cell: (row) => <Standing row={row} reader={reader} /> },
    {
      heading: text('since'),
      kind: 'date',
      cell: ({ referral: { authoredOn, createdAt } }) => <Time at={authoredOn ?? createdAt} />,
    },
  ]
}

const patientCell = ({ patient, referral }: ReferralRow) => (
  <NamedPatient patient={patient} reference={referral.patientId} />
)
const fromCell = ({ from }: ReferralRow) => <bdi>{from}</bdi>
const toCell = ({ to }: ReferralRow) => <bdi>{to}</bdi>

function pathOf({ here, patient }: ListModel): string {
  if (patient !== undefined) return `/patients/${encodeURIComponent(patient.id)}`
  return here === 'mine' ? '/mine' : '/'
}

/** What was sent stands where its work stands; a status that all rows of a list share would tell nobody anything. */
function Standing({ row: { referral, openTask }, reader }: { readonly row: ReferralRow; readonly reader: Reader }) {
  const { words } = reader
  if (referral.status !== 'ACTIVE' || openTask === undefined) return <Pill {...statusWord(referral.status, words)} />
  const { status, acceptBy } = openTask
  return (
    <div>
      <Pill {...taskWord(status, words)} />
      {reader === staff && unansweredTaskStatuses.includes(status) && (
        <p class="hint">
          accept until <Time at={acceptBy} />
        </p>
      )}
    </div>
  )
}

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
  patient: {
    title: 'Referrals',
    lead: 'Everything that was asked for this patient, newest first, whoever asked and however it ended.',
    empty: 'Nobody has referred this patient yet',
    emptyHint: 'Nothing leaves before you send it.',
  },
} as const

const ownList = ({ text }: Words) => ({
  title: text('ownTitle'),
  lead: text('ownLead'),
  empty: text('ownEmpty'),
  emptyHint: text('ownEmptyHint'),
})
