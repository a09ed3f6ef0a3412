import { describe, expect, it } from 'vitest'
import {
  mayTaskMove,
  nextReferralStatus,
  openTaskStatuses,
  referralActions,
  referralStatuses,
  statusesFor,
  taskStatuses,
  taskStatusesBefore,
  unansweredTaskStatuses,
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

  it('is unanswered until somebody has accepted or rejected it', () => {
    expect(unansweredTaskStatuses).toEqual(['REQUESTED', 'RECEIVED'])
  })

  it.each(taskStatuses)('becomes %s from where the table says', (to) => {
    const before = pairsOf(taskTable).filter(([, column, cell]) => column === to && cell === 'x')
    expect(taskStatusesBefore(to)).toEqual(taskStatuses.filter((status) => before.some(([from]) => from === status)))
  })
})

describe('a referral', () => {
  const actions: readonly ReferralAction[] = ['send', 'hold', 'resume', 'revoke', 'complete', 'reroute', 'change']
  const table: readonly (readonly [ReferralStatus, ...(ReferralStatus | undefined)[]])[] = [
    ['DRAFT', 'ACTIVE', undefined, undefined, 'REVOKED', undefined, undefined, 'DRAFT'],
    ['ACTIVE', undefined, 'ONHOLD', undefined, 'REVOKED', 'COMPLETED', 'ACTIVE', undefined],
    ['ONHOLD', undefined, undefined, 'ACTIVE', 'REVOKED', undefined, undefined, undefined],
    ['COMPLETED', undefined, undefined, undefined, 'REVOKED', undefined, undefined, undefined],
    ['REVOKED', undefined, undefined, undefined, 'REVOKED', undefined, undefined, undefined],
  ]
  const cases = table.flatMap(([from, ...to]) => actions.map((action, at) => [from, action, to[at]] as const))

  it.each(cases)('that is %s, on %s becomes %s', (from, action, to) => {
    expect(nextReferralStatus(from, action)).toBe(to)
  })

  it('has a row for every status and a column for every action', () => {
    expect(table.map(([from]) => from)).toEqual(referralStatuses)
    expect(actions.toSorted()).toEqual(referralActions.toSorted())
  })

  it.each(actions)('takes %s in the statuses that the table gives it', (action) => {
    const possible = cases.filter(([, taken, to]) => taken === action && to !== undefined).map(([from]) => from)
    expect(statusesFor(action)).toEqual(possible)
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
