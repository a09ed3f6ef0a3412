import { instant, object, oneOf, orNull, text } from '../../../packages/http/fields.ts'
import { pageOf, pageQuery, PageSchema, readPage } from '../../../packages/http/page-envelope.ts'
import { listLooks, lookedAt } from '../store/looks.ts'
import { writers } from './callers.ts'
import { checkDays, dayFields } from './days.ts'
import { adminRoute } from './deps.ts'

const LookView = object({
  at: instant(),
  subject: text({ description: 'Who looked.' }),
  clientId: text({ description: 'With which program.' }),
  what: oneOf(lookedAt),
  transactionId: orNull(text()),
  patient: orNull(text({ description: 'Whose summary or cards they were; of a message the transaction tells it.' })),
  requestId: text(),
})

export const listWhoLooked = adminRoute({
  method: 'GET',
  path: '/api/looks',
  who: writers,
  tags: ['Transactions'],
  summary: 'Who looked at what messages say, and at what is known of patients, the newest first',
  input: {
    query: {
      ...pageQuery(),
      subject: text({ max: 200, optional: true, description: 'Who looked.' }),
      transactionId: text({ max: 200, optional: true }),
      patientId: text({ max: 200, optional: true, description: 'Id in the store, or golden id.' }),
      ...dayFields,
    },
  },
  output: { 200: PageSchema(LookView) },
  run: async ({ query }, { database }) => {
    const { page, size, patientId, ...filter } = query
    const wanted = readPage({ ...(page === undefined ? {} : { page }), ...(size === undefined ? {} : { size }) })
    checkDays(filter)
    const about = patientId === undefined ? {} : { patientId: patientId.replace(/^Patient\//, '') }
    const { rows, total } = await listLooks({ ...filter, ...about }, wanted, database)
    return pageOf(
      rows.map((row) => ({ ...row, at: row.at.toISOString() })),
      wanted,
      total,
    )
  },
})
