import { createSocket, type Socket } from 'node:dgram'
import { connect } from 'node:net'
import { systemRandom, type Random } from '../clock/ids.ts'
import { unavailable } from '../faults/fault.ts'

/**
 * A port that nobody listens on, for what must be told its port in advance or must find it closed. It is given to
 * nobody else as long as this process lives. Where a port of one's own choice is possible, listen on port 0 instead.
 */
export async function freePort(random: Pick<Random, 'below'> = systemRandom): Promise<number> {
  return freePortRange(1, random)
}

/** The first of `count` free ports in a row, as the bridge's eight listeners need them. */
export async function freePortRange(count: number, random: Pick<Random, 'below'> = systemRandom): Promise<number> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const first = lowest + random.below(highest - lowest - count)
    if (await areFree(first, count)) return first
  }
  throw unavailable(`No ${count} free ports in a row were found in ${attemptsMax} attempts`)
}

/**
 * Below the ranges from which systems hand out ports by themselves (32768 up on Linux, 49152 up elsewhere): a listener
 * on port 0 or an outgoing connection can never take the port between this answer and its use.
 */
export const lowest = 20_000
const highest = 32_768
const attemptsMax = 100

async function areFree(first: number, count: number): Promise<boolean> {
  const reserved: Socket[] = []
  for (let port = first; port < first + count; port++) {
    const reservation = await reserve(port)
    if (reservation === undefined || !(await isFree(port))) {
      for (const kept of [...reserved, reservation]) kept?.close()
      return false
    }
    reserved.push(reservation)
  }
  return true
}

/**
 * Whoever asks at the same moment, here, in another thread or in another process, must not get the same port before
 * it is listened on. Its UDP twin, which nothing in Corridor uses, can be had only once, and the system gives it back
 * when its owner ends.
 */
function reserve(port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const reservation = createSocket('udp4').unref()
    reservation.once('error', () => reservation.close(() => resolve(undefined)))
    reservation.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(reservation))
  })
}

/**
 * By calling, never by listening: a program that another thread starts at that moment takes a copy of the listener along
 * until it is its own, and for so long the port is in use by nobody that could be found.
 */
async function isFree(port: number): Promise<boolean> {
  const answers = await Promise.all(['127.0.0.1', '::1'].map((host) => doesAnswer(host, port)))
  return !answers.includes(true)
}

function doesAnswer(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const call = connect({ host, port }, () => {
      call.destroy()
      resolve(true)
    })
    call.once('error', () => resolve(false))
  })
}
