import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../packages/clock/clock.ts'
import { systemIds } from '../../packages/clock/ids.ts'
import { adtA01, adtA08 } from '../../packages/testkit/hl7-messages.ts'
import { openHl7Sender } from '../../packages/testkit/hl7-sender.ts'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'

const messageDeps = { clock: systemClock, ids: systemIds }

describe('a running bridge', () => {
  let corridor: TestCorridor
  let authorization: string

  beforeAll(async () => {
    corridor = await testCorridor()
    authorization = await corridor.bearerFor({ scope: 'system/*.read system/*.write' })
  })
  afterAll(() => corridor.stop())

  const call = async (method: 'GET' | 'POST', path: string): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${corridor.url('bridge')}${path}`, { method, headers: { authorization } })
    return (await answer.json()) as Record<string, unknown>
  }
  const sender = () => openHl7Sender({ host: '127.0.0.1', port: corridor.configuration.bridge.channels.adt.port })

  it('answers a message, stores it and has it in its log', async () => {
    await using his = await sender()
    expect(await his.send(adtA01({ controlId: 'FLOW-1' }, messageDeps))).toMatchObject({
      ackCode: 'AA',
      controlId: 'FLOW-1',
    })
    const { content } = await call('GET', '/api/transactions?controlId=FLOW-1')
    expect(content).toMatchObject([{ status: 'SUCCESS', messageType: 'ADT^A01', ackCode: 'AA' }])
  })

  it('closes the port of a paused channel, and opens it again when it is resumed', async () => {
    await using his = await sender()
    expect(await call('POST', '/api/channels/adt/pause')).toMatchObject({ id: 'adt', status: 'PAUSED' })
    await his.waitForEnd()
    await expect(sender()).rejects.toThrow('ECONNREFUSED')
    expect(await call('POST', '/api/channels/adt/resume')).toMatchObject({ id: 'adt', status: 'RUNNING' })
    await using again = await sender()
    expect(await again.send(adtA08({ controlId: 'FLOW-2' }, messageDeps))).toMatchObject({ ackCode: 'AA' })
  })

  it('counts what went through a channel', async () => {
    expect(await call('GET', '/api/channels/adt/stats')).toMatchObject({
      ...{ messagesReceived: 2, messagesSucceeded: 2, messagesFailed: 0 },
      ...{ ackCodes: { AA: 2 }, byTrigger: { A01: 1, A08: 1 } },
    })
  })
})
