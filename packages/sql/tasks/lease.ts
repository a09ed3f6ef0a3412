import { hash } from 'node:crypto'
import type { Ids } from '../../clock/ids.ts'
import { isGone, type ProcessIdentity } from './this-process.ts'

/**
 * A lease says by itself who holds it: the place, the process and its start, then chance. So whoever starts in the same
 * place can take over from a process that is gone, without a table of processes and without waiting for the lease to end.
 */
export function newLease({ place, pid, startedAt }: ProcessIdentity, ids: Ids): string {
  const started = Math.floor(startedAt.getTime() / 1_000)
  const digits = placeDigits(place) + hex(pid, 8) + hex(started, 8) + ids.uuid().slice(-chanceDigits)
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Whether its holder was a process in the same place as this one, and is no more. */
export function isAbandoned(lease: string, own: ProcessIdentity): boolean {
  const [, place, pid = '', started = ''] = leasePattern.exec(lease.replaceAll('-', '')) ?? []
  if (place !== placeDigits(own.place)) return false
  const startedAt = new Date(Number.parseInt(started, 16) * 1_000)
  return isGone({ pid: Number.parseInt(pid, 16), startedAt }, own)
}

const leasePattern = /^(.{10})(.{8})(.{8})/
const chanceDigits = 6

const placeDigits = (place: string): string => hash('sha256', place).slice(0, 10)
const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0')
