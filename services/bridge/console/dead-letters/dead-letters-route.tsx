import { invalid, missing } from '../../../../packages/faults/fault.ts'
import { page, redirect } from '../../../../packages/http/answer.ts'
import { formType } from '../../../../packages/http/body.ts'
import { html, nothing } from '../../../../packages/http/content.ts'
import { object, text, uuid } from '../../../../packages/http/fields.ts'
import type { Queryable } from '../../../../packages/sql/database.ts'
import { visiting } from '../../../../packages/sign-in/visiting.ts'
import { renderFragment, renderPage } from '../../../../packages/views/render.ts'
import { deadLetterGroups } from '../../store/dead-letters.ts'
import { findRetryRun, latestRetryRuns, type RetryRun, type RunOf } from '../../store/retry-runs.ts'
import { DeadLettersPage } from './dead-letters-page.tsx'
import { RetryRunPage, runPath, RunProgress } from './dead-letters-run-page.tsx'
import { deadFilter, queryOf, wordsIn } from '../search/search-words.ts'
import { consoleRoute } from '../deps.ts'

const tags = ['Console']
const groupsMax = 100
const runsShown = 5
const params = { id: uuid() }

export const deadLettersPage = consoleRoute({
  method: 'GET',
  path: '/console/dead-letters',
  who: visiting('ADMIN'),
  tags,
  summary: 'What has failed, by cause and facility',
  output: { 200: html, 302: nothing },
  run: async ({ caller: visitor }, { database, addresses, assetUrl }) => {
    const [found, runs] = await Promise.all([
      deadLetterGroups(groupsMax + 1, database),
      latestRetryRuns(runsShown, database),
    ])
    const groups = found.slice(0, groupsMax)
    const hasMore = found.length > groupsMax
    return page(renderPage(<DeadLettersPage model={{ visitor, addresses, assetUrl, groups, hasMore, runs }} />))
  },
})

export const startRetryRun = consoleRoute({
  method: 'POST',
  path: '/console/dead-letters/retry',
  who: visiting('ADMIN'),
  tags,
  summary: 'Begins to send the messages of one cause and facility, or those that a search has found, through once more',
  accepts: [formType],
  input: {
    body: object({
      errorCode: text({ max: 200, optional: true }),
      facilityCode: text({ max: 200, optional: true, description: 'Left out: of no facility.' }),
      search: text({
        max: 4_000,
        optional: true,
        description: 'In the place of both: a search of dead letters, as the address of its page has it.',
      }),
    }),
  },
  output: { 303: nothing },
  run: async ({ body, caller: { caller }, request }, { retryRuns, audited }) => {
    const { errorCode = '', facilityCode = '', search } = body
    const group = { errorCode, facilityCode: facilityCode === '' ? null : facilityCode }
    const run = await audited(
      { did: 'start-retry-run', caller, request },
      async () => retryRuns.begin(search === undefined ? group : foundBy(search), caller.subject),
      (id) => ({ details: search === undefined ? { ...group, run: id } : { search: 'true', run: id } }),
    )
    return redirect(303, runPath(run))
  },
})

function foundBy(search: string): RunOf {
  const words = wordsIn(search)
  const filter = deadFilter(words)
  if (filter === undefined) throw invalid({ path: 'search', message: 'must be a search of dead letters, without text' })
  return { search: queryOf(words), filter }
}

export const retryRunPage = consoleRoute({
  method: 'GET',
  path: '/console/dead-letters/runs/:id',
  who: visiting('ADMIN'),
  tags,
  summary: 'How far a batch is',
  input: { params },
  output: { 200: html, 302: nothing },
  run: async ({ params: { id }, caller: visitor }, { database, addresses, assetUrl }) => {
    const run = await existingRun(id, database)
    return page(renderPage(<RetryRunPage model={{ visitor, addresses, assetUrl, run }} />))
  },
})

export const retryRunProgress = consoleRoute({
  method: 'GET',
  path: '/console/dead-letters/runs/:id/progress',
  who: visiting('ADMIN'),
  tags,
  summary: 'How far a batch is, for the page that shows it',
  input: { params },
  output: { 200: html, 302: nothing },
  run: async ({ params: { id } }, { database }) => {
    return page(renderFragment(<RunProgress run={await existingRun(id, database)} />))
  },
})

export const stopRetryRun = consoleRoute({
  method: 'POST',
  path: '/console/dead-letters/runs/:id/stop',
  who: visiting('ADMIN'),
  tags,
  summary: 'Leaves the messages alone whose turn has not come',
  accepts: [formType],
  input: { params, body: object({}) },
  output: { 303: nothing },
  run: async ({ params: { id }, caller: { caller }, request }, { retryRuns, audited }) => {
    const action = { did: 'stop-retry-run', to: { kind: 'retry-run', id }, caller, request } as const
    await audited(action, () => retryRuns.stop(id, caller.subject))
    return redirect(303, runPath(id))
  },
})

async function existingRun(id: string, on: Queryable): Promise<RetryRun> {
  const run = await findRetryRun(id, on)
  if (run === undefined) throw missing('There is no such batch.')
  return run
}
