import { describe, expect, it } from 'vitest'
import { answers, httpStatusByCode } from './answers.ts'
import {
  bug,
  conflict,
  Fault,
  faultKinds,
  faultOf,
  forbidden,
  incorrect,
  invalid,
  missing,
  tooMuch,
  unavailable,
} from './fault.ts'
import { acknowledgementOf, httpStatusOf, oauthErrorOf, operationOutcomeOf, problemOf } from './render.ts'

const now = new Date('2026-03-04T05:06:07.890Z')

describe('the one table', () => {
  it.each([
    ['incorrect', 400, 'invalid_request', 'invalid', 'AR'],
    ['unauthenticated', 401, 'invalid_token', 'login', 'AR'],
    ['forbidden', 403, 'access_denied', 'forbidden', 'AR'],
    ['missing', 404, 'invalid_request', 'not-found', 'AR'],
    ['conflict', 409, 'invalid_request', 'conflict', 'AE'],
    ['unprocessable', 422, 'invalid_request', 'processing', 'AR'],
    ['too-much', 429, 'temporarily_unavailable', 'throttled', 'AE'],
    ['unavailable', 503, 'temporarily_unavailable', 'transient', 'AE'],
    ['bug', 500, 'server_error', 'exception', 'AE'],
  ] as const)('%s is %i, %s, %s and %s', (kind, httpStatus, oauthError, fhirIssue, ackCode) => {
    expect(answers[kind]).toMatchObject({ httpStatus, oauthError, fhirIssue, ackCode })
  })

  it('has a row for every kind and no other', () => {
    expect(Object.keys(answers).sort()).toEqual([...faultKinds].sort())
  })

  it('lets a code pick a finer status only within its own kind', () => {
    expect(httpStatusOf(incorrect('big', { code: 'BODY_TOO_LARGE' })).httpStatus).toBe(413)
    expect(httpStatusOf(forbidden('big', { code: 'BODY_TOO_LARGE' })).httpStatus).toBe(403)
    expect(httpStatusOf(conflict('old', { code: 'PRECONDITION_FAILED' })).httpStatus).toBe(412)
    expect(httpStatusOf(incorrect('x', { code: 'toString' })).httpStatus).toBe(400)
    for (const { kind, httpStatus } of Object.values(httpStatusByCode)) {
      expect(Math.floor(httpStatus / 100)).toBe(Math.floor(answers[kind].httpStatus / 100))
    }
  })

  it.each([
    ['deleted', missing('x', { code: 'GONE' })],
    ['multiple-matches', conflict('x', { code: 'MULTIPLE_MATCHES' })],
    ['not-supported', incorrect('x', { code: 'NOT_ACCEPTABLE' })],
    ['not-supported', incorrect('x', { code: 'UNSUPPORTED_MEDIA_TYPE' })],
    ['conflict', conflict('x', { code: 'PRECONDITION_FAILED' })],
    ['forbidden', forbidden('x', { code: 'GONE' })],
  ])('says %s where R4 has that word', (word, fault) => {
    expect(operationOutcomeOf(fault).issue[0]?.code).toBe(word)
  })
})

describe('what is shown', () => {
  it('names every failed field in one problem', () => {
    const fault = invalid(
      { path: 'patientId', message: 'is required' },
      { path: 'periodEnd', message: 'must be a date' },
    )
    expect(problemOf(fault, now)).toEqual({
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'The request is not valid. patientId: is required; periodEnd: must be a date',
      timestamp: '2026-03-04T05:06:07.890Z',
      errors: [
        { path: 'patientId', message: 'is required' },
        { path: 'periodEnd', message: 'must be a date' },
      ],
    })
    expect(operationOutcomeOf(fault).issue.map((issue) => issue.expression)).toEqual([['patientId'], ['periodEnd']])
  })

  it('keeps a bug and what is only for the log out of every answer', () => {
    const faults = [bug('select * from secret_table'), missing('No such record.', { logged: 'row 17 of secret_table' })]
    for (const fault of faults) {
      const shown = JSON.stringify([
        problemOf(fault, now),
        oauthErrorOf(fault),
        operationOutcomeOf(fault),
        acknowledgementOf(fault),
      ])
      expect(shown).not.toContain('secret_table')
    }
  })

  it('turns anything thrown into a fault and leaves a fault as it is', () => {
    const fault = unavailable('The store does not answer.')
    expect(faultOf(fault)).toBe(fault)
    expect(faultOf(new TypeError('x is not a function'))).toMatchObject({ kind: 'bug' })
    expect(faultOf('text')).toBeInstanceOf(Fault)
  })

  it('gives a code its own problem type and the OAuth answer its own word', () => {
    expect(problemOf(tooMuch('Wait.', { code: 'CONSENT_GATE_FAILED' }), now).type).toBe(
      'urn:corridor:problem:consent-gate-failed',
    )
    expect(oauthErrorOf(incorrect('The code was used.', { code: 'invalid_grant' }))).toEqual({
      error: 'invalid_grant',
      error_description: 'The code was used.',
    })
  })
})
