import type { AddressInfo } from 'node:net'
import type { Server } from 'node:http'
import { bug, unavailable, type Fault } from '../../faults/fault.ts'
import type { Log } from '../../log/log.ts'

interface ListenOptions {
  readonly hosts: readonly string[]
  /** 0 takes any free port, the same one on every host. */
  readonly port: number
  /** For the sentence about a busy port: who wants it, and which setting moves it. */
  readonly name: string
  readonly portSetting?: string | undefined
}

export interface Listening {
  readonly server: Server
  readonly host: string
  readonly port: number
}

/** Listens on every host, or on none. A loopback address that this machine does not have is left out. */
export async function listenOnAll(makeServer: () => Server, options: ListenOptions, log: Log): Promise<Listening[]> {
  // With port 0 the port that is free on the first host may be taken on the second; then another is drawn.
  const attemptsMax = options.port === 0 ? 20 : 1
  for (let attempt = 1; ; attempt++) {
    const opened: Listening[] = []
    try {
      for (const host of options.hosts) {
        const listening = await listenOn(makeServer(), host, opened[0]?.port ?? options.port)
        if (listening === undefined) log.info('address not on this machine', { host })
        else opened.push(listening)
      }
      if (opened.length === 0) throw addressFault(options)
      return opened
    } catch (error) {
      await Promise.all(opened.map(({ server }) => new Promise((resolve) => server.close(resolve))))
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code === 'EADDRINUSE' && attempt < attemptsMax) continue
      if (code === 'EADDRINUSE') throw portInUse(options)
      if (code === 'EACCES') throw forbiddenFault(options)
      throw error
    }
  }
}

async function listenOn(server: Server, host: string, port: number): Promise<Listening | undefined> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ host, port, ipv6Only: host.includes(':') }, () => {
        server.off('error', reject)
        resolve()
      })
    })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (typeof code === 'string' && notHere.has(code)) return undefined
    throw error
  }
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw bug('a listening server has no address')
  return { server, host, port: address.port }
}

/** No address of this machine, and a name that is no address of anybody's. */
const notHere: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENOTFOUND', 'EAI_AGAIN'])

interface BusyPort extends Omit<ListenOptions, 'hosts'> {
  /** Who has it, where that is known. */
  readonly by?: string
}

/** The one sentence about a port that somebody else has, for whoever finds out first. */
export function portInUse({ port, name, portSetting, by = 'another program' }: BusyPort): Fault {
  const remedy =
    portSetting === undefined ? 'Stop it, or choose another port.' : `Stop it, or set ${portSetting} to a free port.`
  return unavailable(`Port ${port} (${name}) is in use by ${by}. ${remedy}`, { code: 'PORT_IN_USE' })
}

function forbiddenFault({ port, name, portSetting }: ListenOptions): Fault {
  const remedy = portSetting === undefined ? 'Choose a port above 1023.' : `Set ${portSetting} to a port above 1023.`
  return unavailable(`Port ${port} (${name}) may not be opened by this user. ${remedy}`, { code: 'PORT_NOT_ALLOWED' })
}

function addressFault({ hosts, name }: ListenOptions): Fault {
  const wanted = `This machine has none of the addresses ${hosts.join(', ')} that ${name} should listen on.`
  return unavailable(`${wanted} Name one that it has in listen.hosts.`, { code: 'ADDRESS_NOT_HERE' })
}
