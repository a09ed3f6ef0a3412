import { readPage } from '../../../../packages/http/page-envelope.ts'
import type { Queryable } from '../../../../packages/sql/database.ts'
import { listAlerts } from '../store/alerts.ts'

export const openAlerts = async (on: Queryable) => (await listAlerts('open', readPage({}), on)).rows
