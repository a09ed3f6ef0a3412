import { reply } from '../../../packages/http/answer.ts'
import { readPage, type PageRequest } from '../../../packages/http/page-envelope.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'
import { actorOf } from '../actions/call.ts'
import { recordListLook } from '../actions/record.ts'
import type { ReferralDeps } from '../deps.ts'
import type { CountedReferral } from '../referral.ts'
import { referralView } from './views.ts'

/** Some answers are arrays by contract. They are bounded all the same: the rest is behind a Link to the next part. */
export const partLimits = { defaultSize: 1_000, maxSize: 1_000 }

export interface PartQuery {
  readonly page?: string
  readonly size?: string
}

/** Whose list: what the audit calls it, and how it is found. */
interface SoughtList {
  readonly list: string
  readonly patientId?: string
  readonly find: (offset: number, limit: number) => Promise<readonly CountedReferral[]>
}

export async function partOfList(
  query: PartQuery,
  { find, ...look }: SoughtList,
  call: { readonly caller: Caller; readonly request: IncomingRequest },
  deps: ReferralDeps,
) {
  const { caller, request } = call
  const page = readPage(query, partLimits)
  // At the same time: whoever waits for an inbox does not wait for two things.
  const [found] = await Promise.all([
    find(page.offset, page.size + 1),
    recordListLook({ ...look, actor: actorOf(call) }, deps),
  ])
  const views = found.slice(0, page.size).map((referral) => referralView(referral, caller, deps))
  return reply(200, views, found.length > page.size ? { link: linkToNext(request.url, page) } : {})
}

function linkToNext(url: string, { number, size }: PageRequest): string {
  const next = new URL(url, 'http://here')
  next.searchParams.set('page', String(number + 1))
  next.searchParams.set('size', String(size))
  return `<${next.pathname}${next.search}>; rel="next"`
}
