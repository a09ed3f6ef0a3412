import type { Finished } from '../../pipeline/finished.ts'
import type { Known, Succeeded } from '../../pipeline/outcome.ts'

export const known: Known = {
  stage: 'PERSIST',
  stageMs: {},
  facilityCode: 'CENTRAL',
  organization: 'Organization/central-hospital',
  patient: 'Patient/p1',
  goldenPatientId: 'g1',
  resources: [{ reference: 'Patient/p1', type: 'Patient', versionId: '3', operation: 'update' }],
  warnings: {},
  unmapped: [],
  isStale: false,
}

export const succeeded: Succeeded = { ...known, status: 'SUCCESS' }

/** An admission that went well, changed as the test needs it. */
export function finishedMessage(given: Partial<Finished> = {}): Finished {
  return {
    transactionId: '20260304-050607123-CENTRAL-9f3b2c81d4e7',
    channelId: 'adt',
    messageType: 'ADT^A01',
    controlId: 'MSG00001',
    sendingApplication: 'HIS',
    sendingFacility: 'CENTRAL',
    receivingApplication: 'CORRIDOR',
    receivingFacility: 'HIE',
    operator: undefined,
    peer: '10.0.0.7',
    receivedAt: new Date('2026-03-04T05:06:07.123Z'),
    finishedAt: new Date('2026-03-04T05:06:07.150Z'),
    attempt: 1,
    ackCode: 'AA',
    outcome: succeeded,
    ...given,
  }
}
