/** What an MDM event does with the document of TXA-12. */
export interface DocumentEvent {
  readonly meaning: string
  /** How it is related to the parent of TXA-13. */
  readonly relates?: 'appends' | 'replaces'
  /** It is about a document that was told of before, so TXA-12 must name it. */
  readonly isAboutKnown?: boolean
  readonly isCancelled?: boolean
}

/** HL7 table 0003 for MDM. Even numbers carry the content in OBX; odd ones only tell of the document. */
export const documentEvents: Readonly<Record<string, DocumentEvent>> = {
  T01: { meaning: 'Original document notification' },
  T02: { meaning: 'Original document notification and content' },
  T03: { meaning: 'Document status change notification', isAboutKnown: true },
  T04: { meaning: 'Document status change notification and content', isAboutKnown: true },
  T05: { meaning: 'Document addendum notification', relates: 'appends' },
  T06: { meaning: 'Document addendum notification and content', relates: 'appends' },
  T07: { meaning: 'Document edit notification', isAboutKnown: true },
  T08: { meaning: 'Document edit notification and content', isAboutKnown: true },
  T09: { meaning: 'Document replacement notification', relates: 'replaces' },
  T10: { meaning: 'Document replacement notification and content', relates: 'replaces' },
  T11: { meaning: 'Document cancel notification', isAboutKnown: true, isCancelled: true },
}
