interface EventType {
  readonly code: string
  readonly display: string
}

/** The IHE transaction that a message belongs to; undefined where there is none. */
export function eventTypeOf(messageType: string): EventType | undefined {
  return byMessage[messageType] ?? byType[messageType.split('^')[0] ?? '']
}

const byMessage: Readonly<Record<string, EventType>> = {
  'QBP^Q22': { code: 'ITI-21', display: 'Patient Demographics Query' },
  'QBP^ZV1': { code: 'ITI-22', display: 'Patient Demographics and Visit Query' },
  'QBP^Q23': { code: 'ITI-9', display: 'PIX Query' },
  'OMI^O23': { code: 'RAD-4', display: 'Procedure Scheduled' },
}

const byType: Readonly<Record<string, EventType>> = {
  ADT: { code: 'ITI-8', display: 'Patient Identity Feed' },
  ORU: { code: 'LAB-3', display: 'Order Results Management' },
  OML: { code: 'LAB-1', display: 'Placer Order Management' },
  ORM: { code: 'LAB-1', display: 'Placer Order Management' },
}
