import { createServer } from 'node:net'
import { variableOf } from '../../../packages/config/schema.ts'
import { incorrect } from '../../../packages/faults/fault.ts'
import { portInUse } from '../../../packages/http/listen.ts'
import type { Configuration } from '../configuration.ts'
import type { ServiceName } from '../service-names.ts'

/**
 * Asked before anything is made or started: a port in use is the commonest reason that a start fails, and the answer
 * should not take a database's time. The listeners themselves still decide.
 */
export async function checkFreePorts(names: readonly ServiceName[], configuration: Configuration): Promise<void> {
  refuseSharedPorts(names, configuration)
  for (const name of names) {
    const { port } = configuration[name]
    for (const host of configuration.listen.hosts) {
      if (port === 0 || (await canListen(host, port))) continue
      throw portInUse({ port, name, portSetting: variableOf(`${name}.port`) })
    }
  }
}

/** Two of our own listeners would meet on it, and the second would take the first for another program. */
function refuseSharedPorts(names: readonly ServiceName[], configuration: Configuration): void {
  for (const [at, name] of names.entries()) {
    const { port } = configuration[name]
    const other = names.slice(0, at).find((earlier) => port !== 0 && configuration[earlier].port === port)
    if (other === undefined) continue
    throw incorrect(`${other}.port and ${name}.port are both ${port}. Give one of them another port.`)
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
