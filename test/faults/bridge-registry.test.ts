import { expect, it } from 'vitest'
import { systemClock } from '../../packages/clock/clock.ts'
import { systemIds } from '../../packages/clock/ids.ts'
import { sql } from '../../packages/sql/sql.ts'
import { pass, refuse } from '../../packages/testkit/fault-modes.ts'
import { adtA08 } from '../../packages/testkit/hl7-messages.ts'
import { openHl7Sender } from '../../packages/testkit/hl7-sender.ts'
import { proxiedCorridor } from './places/proxied-corridor.ts'

it('a sender who is known goes on while nobody is asked about senders, and one who is not comes later', async () => {
  await using place = await proxiedCorridor('fhir', {
    // As after its time: an answer that was given is asked for anew.
    'bridge.registry.cacheSeconds': '0',
    ...{ 'bridge.breaker.consecutiveFailures': '1', 'bridge.breaker.openMs': '3600000' },
    // One failure opens any of the circuits: consent that is late on a busy machine must not be one.
    ...{ 'bridge.breaker.openMsMax': '3600000', 'bridge.consent.timeoutMs': '20000' },
  })
  const { corridor, proxy, database } = place
  const { port } = corridor.configuration.bridge.channels.adt
  await using sender = await openHl7Sender({ host: '127.0.0.1', port })
  const send = async (sendingFacility: string) => {
    const message = adtA08({ sendingFacility, patientId: 'R1' }, { clock: systemClock, ids: systemIds })
    const { ackCode, text } = await sender.send(message, { deadlineMs: 40_000 })
    return `${ackCode} ${text}`.trim()
  }
  const call = async (method: 'GET' | 'POST', path: string) => {
    const headers = { authorization: await corridor.bearerFor({ scope: 'system/*.read system/*.write' }) }
    return (await fetch(`${corridor.url('bridge')}${path}`, { method, headers })).json()
  }
  expect(await send('CENTRAL')).toBe('AA')
  await proxy.set(refuse)
  expect(await send('STRANGER')).toMatch(/^AE The facility registry/)
  expect(await call('GET', '/api/circuit-breaker')).toMatchObject({ 'facility-registry': { state: 'OPEN' } })
  expect(await send('STRANGER')).toMatch(/^AE The facility registry/)
  expect(await send('CENTRAL')).toBe('AA Queued')
  await proxy.set(pass)
  await call('POST', '/api/circuit-breaker/reset')
  const statuses = sql`select status from bridge.all_transactions where sending_facility = 'CENTRAL' order by id`
  await expect
    .poll(() => database.many(statuses), { timeout: 20_000 })
    .toEqual([{ status: 'SUCCESS' }, { status: 'SUCCESS' }])
}, 60_000)
