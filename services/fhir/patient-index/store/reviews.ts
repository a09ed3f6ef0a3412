import type { Queryable, Transaction } from '../../../../packages/sql/queryable.ts'
import { json, kept, sql, type Statement } from '../../../../packages/sql/sql.ts'
import type { Comparison } from '../compare/comparison.ts'
import type { Grade } from '../grade.ts'

export const reviewStatuses = ['open', 'confirmed', 'rejected'] as const
type ReviewStatus = (typeof reviewStatuses)[number]

/** Two golden records that may be one person. */
export interface Review {
  readonly id: string
  readonly goldenId: string
  readonly candidateGoldenId: string
  readonly candidatePatientId: string
  readonly probability: number
  readonly grade: Grade
  readonly comparisons: readonly Pick<Comparison, 'field' | 'agreement'>[]
  readonly status: ReviewStatus
  readonly createdAt: Date
  readonly decidedAt: Date | null
  readonly decidedBy: string | null
}

export type NewReview = Omit<Review, 'status' | 'decidedAt' | 'decidedBy'>

const columns = sql`
  id, golden_id as "goldenId", candidate_golden_id as "candidateGoldenId",
  candidate_patient_id as "candidatePatientId", probability, grade, comparisons, status, created_at as "createdAt",
  decided_at as "decidedAt", decided_by as "decidedBy"`

/** A pair that was asked about before, whichever way round, is not asked about again. */
export function openingReviews(reviews: readonly NewReview[]): Statement[] {
  if (reviews.length === 0) return []
  const sorted = reviews.toSorted((one, other) => (one.goldenId < other.goldenId ? -1 : 1))
  const statement = sql`
    insert into fhir.index_reviews (id, golden_id, candidate_golden_id, candidate_patient_id, probability, grade,
      comparisons, status, created_at)
    select n.*, 'open', ${sorted[0]?.createdAt}::timestamptz from unnest(
      ${sorted.map(({ id }) => id)}::uuid[], ${sorted.map(({ goldenId }) => goldenId)}::text[],
      ${sorted.map(({ candidateGoldenId }) => candidateGoldenId)}::text[],
      ${sorted.map(({ candidatePatientId }) => candidatePatientId)}::text[],
      ${sorted.map(({ probability }) => probability)}::float8[], ${sorted.map(({ grade }) => grade)}::text[],
      ${sorted.map(({ comparisons }) => json(comparisons))}::jsonb[]
    ) as n (id, golden_id, candidate_golden_id, candidate_patient_id, probability, grade, comparisons)
    where not exists (
      select from fhir.index_reviews as other
      where other.golden_id = n.candidate_golden_id and other.candidate_golden_id = n.golden_id)
    on conflict (golden_id, candidate_golden_id) do nothing`
  return [kept('fhir_open_reviews', statement)]
}

/** Those that wait are told where there is something to compare: a golden record may be left without any record. */
export async function listReviews(
  status: ReviewStatus,
  part: { readonly size: number; readonly offset: number },
  on: Queryable,
): Promise<{ reviews: Review[]; total: number }> {
  const wanted =
    status === 'open' ? sql`status = 'open' and ${hasRecord.one} and ${hasRecord.other}` : sql`status = ${status}`
  const reviews = await on.many<Review>(sql`
    select ${columns} from fhir.index_reviews as r where ${wanted}
    order by probability desc, id limit ${part.size} offset ${part.offset}`)
  const { total } = await on.one<{ total: number }>(sql`
    select count(*)::integer as total from fhir.index_reviews as r where ${wanted}`)
  return { reviews, total }
}

const hasRecord = {
  one: sql`exists (select from fhir.index_people as p where p.golden_id = r.golden_id and not p.provisional)`,
  other: sql`exists (select from fhir.index_people as p where p.golden_id = r.candidate_golden_id and not p.provisional)`,
}

export function findReview(id: string, on: Queryable): Promise<Review | undefined> {
  return on.maybe(sql`select ${columns} from fhir.index_reviews where id = ${id}::uuid`)
}

/** Undefined when it is not open any more. */
export function decideReview(
  id: string,
  decision: { readonly status: 'confirmed' | 'rejected'; readonly by: string; readonly at: Date },
  tx: Transaction,
): Promise<Review | undefined> {
  return tx.maybe(sql`
    update fhir.index_reviews set status = ${decision.status}, decided_at = ${decision.at}, decided_by = ${decision.by}
    where id = ${id}::uuid and status = 'open' returning ${columns}`)
}

/**
 * What was asked about the record that is no longer golden is asked about the one in its place; not once more where that was
 * asked before, whichever way round, or somebody has said no to it.
 */
export async function redirectReviews(from: string, to: string, at: Date, tx: Transaction): Promise<void> {
  await tx.run(sql`
    update fhir.index_reviews set status = 'rejected', decided_at = ${at}, decided_by = 'merged'
    where status = 'open' and (golden_id = ${from} and candidate_golden_id = ${to}
      or golden_id = ${to} and candidate_golden_id = ${from})`)
  await tx.run(sql`
    delete from fhir.index_reviews as r
    where r.status = 'open' and r.golden_id = ${from} and exists (
        select from fhir.index_reviews as o
        where o.golden_id = ${to} and o.candidate_golden_id = r.candidate_golden_id
          or o.golden_id = r.candidate_golden_id and o.candidate_golden_id in (${to}, ${from}))
      or r.status = 'open' and r.candidate_golden_id = ${from} and exists (
        select from fhir.index_reviews as o
        where o.golden_id = r.golden_id and o.candidate_golden_id = ${to}
          or o.golden_id = ${to} and o.candidate_golden_id = r.golden_id)`)
  await tx.run(sql`
    update fhir.index_reviews
    set golden_id = case golden_id when ${from} then ${to} else golden_id end,
      candidate_golden_id = case candidate_golden_id when ${from} then ${to} else candidate_golden_id end
    where status = 'open' and (golden_id = ${from} or candidate_golden_id = ${from})`)
}
