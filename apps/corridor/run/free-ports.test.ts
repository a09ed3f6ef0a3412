import { expect, it } from 'vitest'
import { freePort } from '../../../packages/testkit/free-port.ts'
import { corridorConfiguration } from '../configuration.ts'
import { checkFreePorts } from './free-ports.ts'

async function sharing(port: number) {
  const environment = { CORRIDOR_AUTH_PORT: String(port), CORRIDOR_CONSENT_PORT: String(port) }
  return corridorConfiguration({ demo: true, environment }).configuration
}

it('two services on one port are told of each other, and not of another program', async () => {
  const port = await freePort()
  const configuration = await sharing(port)
  await expect(checkFreePorts(['auth', 'consent'], configuration)).rejects.toThrow(
    `auth.port and consent.port are both ${port}. Give one of them another port.`,
  )
})

it('they may share it in processes of their own, and any free port is no port that is shared', async () => {
  const configuration = await sharing(await freePort())
  await expect(checkFreePorts(['consent'], configuration)).resolves.toBeUndefined()
  await expect(checkFreePorts(['auth', 'consent'], await sharing(0))).resolves.toBeUndefined()
})
