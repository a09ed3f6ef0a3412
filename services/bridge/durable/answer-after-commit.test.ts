import { expect, it } from 'vitest'
import { parseMessage } from '../../../packages/hl7/index.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { failed, flowWorld, parked, sample, succeeded } from '../testing/flow-world.ts'

const expected: Readonly<Record<string, readonly string[]>> = {
  done: ['AA SUCCESS'],
  parked: ['AA QUEUED'],
  refused: ['AR ERROR'],
  accepted: ['CA PROCESSING', 'AA SUCCESS'],
}

/**
 * At the moment in which an answer is handed to the socket, another session asks for the message. What another session
 * sees is committed, and with `synchronous_commit` on (PostgreSQL's own default) it is on the disk.
 */
it('hands no answer to the socket before what it says is committed', async () => {
  await using world = await flowWorld({
    deps: { allowance: () => 0 },
    runStages: async ({ message }) => {
      const kind = message.getText('MSH-10')?.split('-')[0]
      return kind === 'parked' ? parked() : kind === 'refused' ? failed('AR') : succeeded()
    },
  })
  const { database, flow } = world
  const seen = new Map<string, string[]>()
  const statusOf = async (controlId: string) => {
    const row = await database.maybe<{ status: string }>(sql`
      select status from bridge.all_transactions where control_id = ${controlId}`)
    return row?.status ?? 'nothing'
  }
  const send = async (answer: Uint8Array) => {
    const ack = parseMessage(answer)
    const controlId = ack.getText('MSA-2') ?? ''
    const heard = seen.get(controlId) ?? []
    seen.set(controlId, heard)
    heard.push(`${ack.getText('MSA-1')} ${await statusOf(controlId)}`)
  }
  const peer = { address: '127.0.0.1', port: 1, certificateName: undefined }
  const kinds = Object.keys(expected)
  const ids = Array.from({ length: 200 }, (_, number) => `${kinds[number % kinds.length]}-${number}`)
  await Promise.all(
    ids.map((controlId, number) => {
      const modes = controlId.startsWith('accepted') ? { modes: 'AL|AL' } : {}
      const bytes = Buffer.from(sample({ controlId, patient: String(number), ...modes }))
      return flow.receive({ bytes, channel: world.channel('adt'), peer, send })
    }),
  )
  for (const [controlId, heard] of seen) {
    const [kind = ''] = controlId.split('-')
    // An accept answer may be so late that its message is through by then.
    expect(heard.map((line) => line.replace('CA SUCCESS', 'CA PROCESSING'))).toEqual(expected[kind])
  }
  expect(seen.size).toBe(200)
})
