import { page } from '../../../packages/http/answer.ts'
import { html } from '../../../packages/http/content.ts'
import { text } from '../../../packages/http/fields.ts'
import { routeFor, type Route } from '../../../packages/http/route.ts'
import { loopback } from '../../../packages/http/who.ts'
import { renderPage } from '../../../packages/views/render.ts'
import type { AuthDeps } from '../deps.ts'
import { consoleTables, readConsoleTable } from '../store/console-tables.ts'
import { ConsolePage } from '../views/console-page.tsx'

const route = routeFor<AuthDeps>()

/** A view of the database while developing; nothing is there unless the switch is on, and then for this machine only. */
export function developmentConsole({ settings }: Pick<AuthDeps, 'settings'>): Route<AuthDeps>[] {
  if (!settings.developmentConsole || settings.mode === 'production') return []
  const common = {
    method: 'GET',
    who: loopback,
    summary: 'Shows the tables of this service',
    tags: ['Development'],
    hidden: true,
    output: { 200: html },
  } as const
  return [
    route({ ...common, path: '/h2-console', run: (_input, deps) => tablePage('users', deps) }),
    route({
      ...common,
      path: '/h2-console/:table',
      input: { params: { table: text({ max: 64 }) } },
      run: ({ params }, deps) => tablePage(params.table || 'users', deps),
    }),
  ]
}

async function tablePage(table: string, { database, assetUrl }: AuthDeps) {
  const rows = await readConsoleTable(table, database)
  return page(renderPage(<ConsolePage model={{ tables: consoleTables, table, rows }} assetUrl={assetUrl} />))
}
