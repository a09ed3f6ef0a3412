import { Alert } from '../../../packages/views/components/alert.tsx'
import { StatusPill } from '../../../packages/views/components/badge.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { EmptyState } from '../../../packages/views/components/empty-state.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { Pagination, type PaginationProps } from '../../../packages/views/components/pagination.tsx'
import { ConsoleFrame, type FrameModel } from './console-frame.tsx'
import type { Likeness, ReviewPair } from './review-rows.ts'

export interface ReviewModel extends FrameModel {
  readonly pairs: readonly ReviewPair[]
  readonly page: PaginationProps['page']
  readonly decided?: 'confirm' | 'reject'
}

/** Two records that may be one person, side by side, with what differs marked. */
export function ReviewPage({ model }: { readonly model: ReviewModel }) {
  const { pairs, page, decided } = model
  return (
    <ConsoleFrame model={model} title="Patient review" here="review">
      <PageHead
        title="Patient review"
        lead="Records that may be one person. Compare them, and say so or not; merged records are kept."
      />
      {decided !== undefined && <Alert urgent tone="good" title={decisions[decided]} />}
      {pairs.length === 0 && (
        <Card>
          <EmptyState title="Nobody waits for a decision">Pairs appear here when the index is not sure.</EmptyState>
        </Card>
      )}
      {pairs.map((pair) => (
        <PairCard key={pair.review.id} {...pair} />
      ))}
      <Pagination page={page} hrefOf={(number) => `/console/review?page=${number}`} />
    </ConsoleFrame>
  )
}

const decisions = {
  confirm: 'They are one person now; the two records are merged.',
  reject: 'They stay two people, and are not asked about again.',
} as const

function PairCard({ review, rows, isHalf }: ReviewPair) {
  const percent = `${Math.floor(Math.min(review.score, 0.999) * 1_000) / 10} %`
  return (
    <Card
      title={
        <>
          <StatusPill tone={review.grade === 'possible' ? 'neutral' : 'warning'}>{percent} alike</StatusPill>
        </>
      }
      actions={
        isHalf ? undefined : (
          <div class="actions">
            <Decision id={review.id} decision="reject" />
            <Decision id={review.id} decision="confirm" />
          </div>
        )
      }
    >
      {isHalf && (
        <Alert tone="warning" title="One of the two records cannot be seen">
          It was merged or removed meanwhile, or is not open to you. There is nothing to decide until it is back.
        </Alert>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus (WCAG 2.1.1) */}
      <section class="table-scroll" aria-label={`Both records, ${percent} alike`} tabIndex={0}>
        <table class="pair">
          <thead>
            <tr>
              <th scope="col">
                <span class="visually-hidden">What</span>
              </th>
              <th scope="col">New record</th>
              <th scope="col">Known record</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ label, one, other, is }) => (
              <tr key={label}>
                <th scope="row">
                  {label} <span class={`likeness ${is}`}>{likeness[is]}</span>
                </th>
                <td class={is}>
                  <bdi>{one}</bdi>
                </td>
                <td class={is}>
                  <bdi>{other}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  )
}

const likeness: Readonly<Record<Likeness['is'], string>> = {
  agrees: 'Same',
  differs: 'Differs',
  unknown: 'Only one',
  aside: '',
}

function Decision({ id, decision }: { readonly id: string; readonly decision: 'confirm' | 'reject' }) {
  return (
    <form method="post" action={`/console/review/${id}/${decision}`}>
      <Button look={decision === 'confirm' ? 'primary' : 'plain'}>
        {decision === 'confirm' ? 'One person' : 'Two people'}
      </Button>
    </form>
  )
}
