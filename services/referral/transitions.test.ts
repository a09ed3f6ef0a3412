import { describe, expect, it } from 'vitest'
import {
  mayTaskMove,
  nextReferralStatus,
  openTaskStatuses,
  referralStatuses,
  taskStatuses,
  type ReferralAction,
  type ReferralStatus,
} from './transitions.ts'

/** The table of the specification, written out once more; `.` is a refusal. */
const taskTable = `
             REQUESTED RECEIVED ACCEPTED REJECTED CANCELLED INPROGRESS COMPLETED ONHOLD FAILED
  REQUESTED  .         x        .        .        x         .          .         .      .
  RECEIVED   .         .        x        x        x         .          .         .      .
  ACCEPTED   .         .        .        .        x         x          .         .      .
  REJECTED   .         .        .        .        .         .          .         .      .
  CANCELLED  .         .        .        .        .         .          .         .      .
  INPROGRESS .         .        .        .        .         .          x         x      x
  COMPLETED  .         .        .        .        .         .          .         .      .
  ONHOLD     .         .        .        .        x         x          .         .      .
  FAILED     .         .        .        .        .         .          .         .      .`

describe('a task', () => {
  it.each(pairsOf(taskTable))('from %s to %s: %s', (from, to, cell) => {
    expect(mayTaskMove(statusOf(from), statusOf(to))).toBe(cell === 'x')
  })

  it('has 81 pairs of which 12 are allowed', () => {
    const pairs = pairsOf(taskTable)
    expect([pairs.length, pairs.filter(([, , cell]) => cell === 'x').length]).toEqual([81, 12])
  })

  it('is open until nothing can follow', () => {
    expect(openTaskStatuses).toEqual(['REQUESTED', 'RECEIVED', 'ACCEPTED', 'INPROGRESS', 'ONHOLD'])
  })
})

describe('a referral', () => {
  const actions: readonly ReferralAction[] = ['send', 'hold', 'resume', 'revoke', 'complete', 'reroute']
  const table: readonly (readonly [ReferralStatus, ...(ReferralStatus | undefined)[]])[] = [
    ['DRAFT', 'ACTIVE', undefined, undefined, 'REVOKED', undefined, undefined],
    ['ACTIVE', undefined, 'ONHOLD', undefined, 'REVOKED', 'COMPLETED', 'ACTIVE'],
    ['ONHOLD', undefined, undefined, 'ACTIVE', 'REVOKED', undefined, undefined],
    ['COMPLETED', undefined, undefined, undefined, 'REVOKED', undefined, undefined],
    ['REVOKED', undefined, undefined, undefined, 'REVOKED', undefined, undefined],
  ]
  const cases = table.flatMap(([from, ...to]) => actions.map((action, at) => [from, action, to[at]] as const))

  it.each(cases)('that is %s, on %s becomes %s', (from, action, to) => {
    expect(nextReferralStatus(from, action)).toBe(to)
  })

  it('has a row for every status', () => {
    expect(table.map(([from]) => from)).toEqual(referralStatuses)
  })
})

function pairsOf(table: string): (readonly [string, string, string])[] {
  const [head = '', ...rows] = table.trim().split('\n')
  const columns = head.trim().split(/\s+/)
  return rows.flatMap((row) => {
    const [from = '', ...cells] = row.trim().split(/\s+/)
    return cells.map((cell, at) => [from, columns[at] ?? '', cell] as const)
  })
}

function statusOf(word: string) {
  const status = taskStatuses.find((known) => known === word)
  if (status === undefined) throw new Error(`${word} is no status`)
  return status
}
