import { createServer } from 'node:net'
import { unavailable } from '../../../packages/faults/fault.ts'
import { variableOf } from '../../../packages/config/schema.ts'
import type { Configuration } from '../configuration.ts'
import type { ServiceName } from '../services.ts'

/**
 * Asked before anything is made or started: a port in use is the commonest reason that a start fails, and the answer
 * should not take a database's time. The listeners themselves still decide.
 */
export async function checkFreePorts(names: readonly ServiceName[], configuration: Configuration): Promise<void> {
  for (const name of names) {
    const { port } = configuration[name]
    for (const host of configuration.listen.hosts) {
      if (port === 0 || (await canListen(host, port))) continue
      throw unavailable(
        `Port ${port} (${name}) is in use by another program. Stop it, or set ${variableOf(`${name}.port`)} to a free port.`,
        { code: 'PORT_IN_USE' },
      )
    }
  }
}

/** Whether nobody else has the port; an address that this machine lacks is not the question here. */
export function canListen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'EADDRINUSE'))
    probe.listen({ host, port, exclusive: true, ipv6Only: host.includes(':') }, () => probe.close(() => resolve(true)))
  })
}
