import type { ComponentChildren } from 'preact'
import { Alert } from '../../../../packages/views/components/alert.tsx'
import { StatusPill } from '../../../../packages/views/components/badge.tsx'
import { Button } from '../../../../packages/views/components/button.tsx'
import { Card } from '../../../../packages/views/components/card.tsx'
import { Dialog } from '../../../../packages/views/components/dialog.tsx'
import { EmptyState } from '../../../../packages/views/components/empty-state.tsx'
import { PageHead } from '../../../../packages/views/components/page-head.tsx'
import { Pagination, type PaginationProps } from '../../../../packages/views/components/pagination.tsx'
import { PostForm } from '../../../../packages/views/components/post-form.tsx'
import { ConsoleFrame, type FrameModel } from '../console-frame.tsx'
import type { Likeness, Pair, ReviewPair } from './review-rows.ts'

export interface ReviewModel extends FrameModel {
  readonly pairs: readonly ReviewPair[]
  readonly page: PaginationProps['page']
  /** What the reader's last step did, and with whom. */
  readonly decided?: Decided
}

export interface Decided {
  readonly decision: 'confirm' | 'reject'
  readonly names: Pair<string>
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
      {decided !== undefined && <DecidedNotice {...decided} />}
      {pairs.length === 0 && (
        <Card>
          <EmptyState title="Nobody waits for a decision">Pairs appear here when the index is not sure.</EmptyState>
        </Card>
      )}
      {pairs.map((pair, index) => (
        <PairCard key={pair.review.id} pair={pair} place={page.number * page.size + index + 1} page={page.number} />
      ))}
      <Pagination page={page} hrefOf={(number) => `/console/review?page=${number}`} />
    </ConsoleFrame>
  )
}

function DecidedNotice({ decision, names }: Decided) {
  const who = <Both names={names} />
  const title =
    decision === 'confirm' ? (
      <>{who} are one person now; the two records are merged.</>
    ) : (
      <>{who} stay two people, and are not asked about again.</>
    )
  return <Alert urgent tone="good" title={title} />
}

function Both({ names: [one, other] }: { readonly names: Pair<string> }) {
  return (
    <>
      <bdi>{one}</bdi> and <bdi>{other}</bdi>
    </>
  )
}

interface PairProps {
  readonly pair: ReviewPair
  /** In the whole list, from 1. */
  readonly place: number
  /** Where the reader is, and comes back to. */
  readonly page: number
}

function PairCard({ pair, place, page }: PairProps) {
  const { review, rows, people, isHalf } = pair
  const percent = `${Math.floor(Math.min(review.score, 0.999) * 1_000) / 10} %`
  const names: Pair<string> = [people[0].name, people[1].name]
  return (
    <Card
      title={
        <>
          <Both names={names} />{' '}
          <StatusPill tone={review.grade === 'possible' ? 'neutral' : 'warning'}>{percent} alike</StatusPill>
        </>
      }
      actions={
        isHalf ? undefined : (
          <div class="actions">
            <DecisionForm pair={pair} page={page} decision="reject">
              <Button label={`Two people: ${names.join(' and ')}`}>Two people</Button>
            </DecisionForm>
            <MergeButton pair={pair} page={page} names={names} />
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
      <section class="table-scroll" aria-label={`Pair ${place}: ${names.join(' and ')}`} tabIndex={0}>
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

/** There is no way back from one person to two, so it is asked for twice. */
function MergeButton({ pair, page, names }: Omit<PairProps, 'place'> & { readonly names: Pair<string> }) {
  const id = `merge-${pair.review.id}`
  const title = 'Are they one person?'
  const form = (
    <DecisionForm pair={pair} page={page} decision="confirm">
      <p>
        <strong>
          <Both names={names} />
        </strong>
        : the two records are merged, and what is known of one is then found for the other, too. These pages have no way
        back.
      </p>
      <div class="actions">
        <Button look="danger">They are one person</Button>
      </div>
    </DecisionForm>
  )
  return (
    <>
      <Button look="primary" opens={id} label={`One person: ${names.join(' and ')}`}>
        One person
      </Button>
      <Dialog id={id} title={title}>
        {form}
      </Dialog>
      <noscript>
        <details class="card">
          <summary>{title}</summary>
          {form}
        </details>
      </noscript>
    </>
  )
}

interface DecisionFormProps extends Omit<PairProps, 'place'> {
  readonly decision: Decided['decision']
  readonly children: ComponentChildren
}

function DecisionForm({ pair: { review, people }, page, decision, children }: DecisionFormProps) {
  return (
    <PostForm class={decision === 'confirm' ? 'form' : undefined} action={`/console/review/${review.id}/${decision}`}>
      <input type="hidden" name="page" value={page} />
      <input type="hidden" name="one" value={people[0].id} />
      <input type="hidden" name="other" value={people[1].id} />
      {children}
    </PostForm>
  )
}
