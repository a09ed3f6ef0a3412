import { readdir, readFile, readlink } from 'node:fs/promises'
import { basename } from 'node:path'

/** A program of this machine that listens on a port. */
interface PortHolder {
  readonly pid: number
  /** Of its program: nginx. */
  readonly name: string
}

/** Whose the port is, as far as this user may see; only Linux shows it without a tool. */
export async function portHolder(port: number): Promise<PortHolder | undefined> {
  if (process.platform !== 'linux') return undefined
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => textOf(`/proc/net/${name}`)))
  const sockets = new Set(tables.flatMap((table) => listenersOn(port, table)))
  if (sockets.size === 0) return undefined
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    if (!(await hasOne(pid, sockets))) continue
    return { pid: Number(pid), name: nameIn(await textOf(`/proc/${pid}/cmdline`)) }
  }
  return undefined
}

/** What is said of it: another program (nginx, process 812). */
export async function byWhom(who: 'another Corridor' | 'another program', port: number): Promise<string> {
  const holder = await portHolder(port)
  if (holder === undefined) return who
  return who === 'another Corridor'
    ? `${who} (process ${holder.pid})`
    : `${who} (${holder.name}, process ${holder.pid})`
}

const listening = '0A'

/** Lines of /proc/net/tcp: number, own address as hexadecimal `address:port`, the other's, state, …, and the socket as tenth. */
function listenersOn(port: number, table: string): string[] {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return table.split('\n').flatMap((line) => {
    const words = line.trim().split(/\s+/)
    return words[1]?.endsWith(end) === true && words[3] === listening ? [`socket:[${words[9]}]`] : []
  })
}

async function hasOne(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  // Of other users' processes nothing is shown, and some end while one looks.
  const open = await readdir(`/proc/${pid}/fd`).catch(() => [])
  const links = await Promise.all(open.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')))
  return links.some((link) => sockets.has(link))
}

/** Of the words of a command line; some programs write what they are at in their place (`nginx: master process`). */
const nameIn = (command: string) => basename(command.split(/[\0 ]/)[0] ?? '').replace(/:$/, '')

const textOf = (path: string) => readFile(path, 'utf8').catch(() => '')
