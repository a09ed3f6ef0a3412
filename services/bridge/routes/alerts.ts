import { conflict, missing } from '../../../packages/faults/fault.ts'
import { instant, integer, object, oneOf, optional, orNull, text, uuid } from '../../../packages/http/fields.ts'
import { pageOf, pageQuery, PageSchema, readPage } from '../../../packages/http/page-envelope.ts'
import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { acknowledgeAlert, alertStatuses, listAlerts, readAlert, type Alert } from '../coordination/store/alerts.ts'
import { recordLook, type Look } from '../store/looks.ts'
import { alertReaders, alertWriters } from './callers.ts'
import { adminRoute } from './deps.ts'

const AlertView = object({
  id: uuid(),
  patient: text(),
  resource: text({ description: 'The critical result.' }),
  transactionId: text(),
  raisedAt: instant(),
  escalations: integer({ description: 'How often somebody further up was told.' }),
  escalateAt: orNull(instant({ description: 'When they are told again.' })),
  acknowledgedAt: orNull(instant()),
  acknowledgedBy: orNull(text()),
})

const tags = ['Critical results']

export const listCriticalResults = adminRoute({
  method: 'GET',
  path: '/api/alerts',
  who: alertReaders,
  tags,
  summary: 'Critical results that nobody has acknowledged, the longest waiting first; or those that somebody has',
  input: { query: { ...pageQuery(), status: optional(oneOf(alertStatuses)) } },
  output: { 200: PageSchema(AlertView) },
  run: async ({ query }, { database }) => {
    const wanted = readPage(query)
    const { rows, total } = await listAlerts(query.status ?? 'open', wanted, database)
    return pageOf(rows.map(alertView), wanted, total)
  },
})

export const acknowledgeCriticalResult = adminRoute({
  method: 'POST',
  path: '/api/alerts/:id/acknowledge',
  who: alertWriters,
  tags,
  summary: 'Says that somebody has seen a critical result: nobody further up is told any more',
  input: { params: { id: uuid() } },
  output: { 200: AlertView },
  run: async ({ params, caller, request }, deps) =>
    alertView(await acknowledge(params.id, { caller, requestId: request.id }, deps)),
})

/** An alert is acknowledged once, and who it was is written down with it; whoever comes second learns who was first. */
export async function acknowledge(
  id: string,
  by: Pick<Look, 'caller' | 'requestId'>,
  { database, clock, ids }: { readonly database: Database; readonly clock: Clock; readonly ids: Ids },
): Promise<Alert> {
  const [alert, isMine] = await database.transaction(async (tx) => {
    const isFirst = await acknowledgeAlert(id, by.caller.subject, clock.now(), tx)
    const found = await readAlert(id, tx)
    if (isFirst && found !== undefined) {
      const { patient, transactionId } = found
      await recordLook({ ...by, what: 'acknowledged', patient, transactionId }, { database: tx, clock, ids })
    }
    return [found, isFirst] as const
  })
  if (alert === undefined) throw missing('There is no such alert.')
  if (!isMine) throw conflict(`${alert.acknowledgedBy} has acknowledged it already.`, { code: 'ALREADY_ACKNOWLEDGED' })
  return alert
}

const alertView = ({ raisedAt, escalateAt, acknowledgedAt, ...alert }: Alert) => ({
  ...alert,
  raisedAt: raisedAt.toISOString(),
  escalateAt: escalateAt?.toISOString() ?? null,
  acknowledgedAt: acknowledgedAt?.toISOString() ?? null,
})
