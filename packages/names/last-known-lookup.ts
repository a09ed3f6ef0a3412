import { lookup as askSystem, type LookupAddress, type LookupOptions } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { LRUCache } from 'lru-cache'
import { systemClock, type Clock } from '../clock/clock.ts'
import { pause } from '../clock/pause.ts'
import { lookupBy } from './lookup-by.ts'

interface LookupDeps {
  /** Asks the system; given by tests. */
  readonly ask?: (hostname: string, options: LookupOptions, answer: SystemAnswer) => void
  readonly clock?: Pick<Clock, 'sleep'>
}

type SystemAnswer = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void

/**
 * Looks names up as the system does, and keeps what it said last. The system has two threads for all the names of a
 * process, and a name whose server is silent holds one for ten seconds and more: two such names, of any receiver, and
 * nobody would reach the database any more. So each name is asked for once at a time, and where no answer comes, the
 * last one is still good. A name that is gone is gone.
 */
export function lastKnownLookup(deps: LookupDeps = {}): LookupFunction {
  const { clock = systemClock, ask = askSystem } = deps
  const known = new LRUCache<string, LookupAddress[]>({ max: namesMax })
  const underWay = new Map<string, Promise<LookupAddress[]>>()

  const askOnce = (key: string, hostname: string, options: LookupOptions): Promise<LookupAddress[]> => {
    let asked = underWay.get(key)
    if (asked === undefined) {
      asked = new Promise<LookupAddress[]>((resolve, reject) => {
        ask(hostname, { ...options, all: true }, (error, found) => {
          underWay.delete(key)
          if (error !== null) return reject(error)
          known.set(key, found)
          return resolve(found)
        })
      })
      underWay.set(key, asked)
    }
    return asked
  }

  const lookUp = async (hostname: string, options: LookupOptions): Promise<LookupAddress[]> => {
    const key = `${hostname} ${options.family ?? 0} ${options.hints ?? 0}`
    const last = known.get(key)
    const fresh = askOnce(key, hostname, options)
    if (last === undefined) return fresh
    const waiting = new AbortController()
    const late = pause(clock, patienceMs, waiting.signal).then(() => last)
    try {
      return await Promise.race([fresh, late])
    } catch (error) {
      if (isForNow(error)) return last
      throw error
    } finally {
      waiting.abort()
    }
  }

  return lookupBy(lookUp)
}

/** No server could be asked, or none answered; another time it may. */
const isForNow = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EAI_AGAIN'

/** So long the system may take before the address that it gave last is called. */
const patienceMs = 1_000

/** More than anybody has neighbours. */
const namesMax = 1_000
