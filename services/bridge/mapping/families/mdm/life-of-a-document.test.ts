import { expect, it } from 'vitest'
import type { Composition, DocumentReference } from '../../../../../packages/fhir/r4.ts'
import { mapInPasses } from '../../testing/map-in-passes.ts'
import { SmallStore } from '../../testing/small-store.ts'

let controlId = 0
function send(store: SmallStore, trigger: string, txa: string, text?: string, type = 'TX'): void {
  const mapping = mapInPasses(
    [
      `MSH|^~\\&|TRANS|CENTRAL|||20260304101500||MDM^${trigger}|${++controlId}|P|2.5.1`,
      `EVN|${trigger}|20260304101500`,
      'PID|1||1^^^CENTRAL^MR||Diallo^Amina',
      txa,
      ...(text === undefined ? [] : [`OBX|1|${type}|11493-4^Course^LN||${text}`]),
    ].join('\r'),
  )
  if (mapping.refused !== undefined) throw new Error(mapping.refused[0]?.text)
  store.apply(mapping)
}

/** TXA with its number, parent, completion, availability and title. */
const txa = (number: string, completion: string, { parent = '', availability = '', title = '' } = {}) =>
  `TXA|1|DS^Discharge summary|FT|||20260304100000|||2001^Okafor^Chidi|||${number}^TRANS|${parent}||||${completion}||${availability}||||||${title}`

it('a document is written, signed, corrected, replaced and withdrawn as its messages say', () => {
  const store = new SmallStore()
  const document = (index = 0) => store.ofType<DocumentReference>('DocumentReference')[index]
  const composition = () => store.ofType<Composition>('Composition')[0]

  send(store, 'T02', txa('D1', 'DO', { title: 'Summary of March' }), 'first words')
  expect(document()).toMatchObject({ status: 'current', docStatus: 'preliminary' })
  expect(composition()).toMatchObject({ status: 'preliminary', title: 'Summary of March' })

  send(store, 'T03', txa('D1', 'LA', { availability: 'UN' }))
  expect(document()?.docStatus).toBe('final')
  expect(document()?.content[0]?.attachment.data).toBe(Buffer.from('first words').toString('base64'))
  expect(document()?.extension).toHaveLength(1)
  expect(composition()?.status).toBe('final')

  send(store, 'T08', txa('D1', 'AM', { availability: 'AV' }), 'better words')
  expect(document()?.extension).toBeUndefined()
  expect(composition()).toMatchObject({ status: 'amended', title: 'Summary of March' })
  expect(composition()?.section?.[0]?.text?.div).toContain('better words')

  send(store, 'T10', txa('D2', 'AU', { parent: 'D1^TRANS' }), 'new words')
  expect(document()?.status).toBe('superseded')
  expect(document(1)).toMatchObject({ status: 'current', relatesTo: [{ code: 'replaces' }] })

  send(store, 'T11', txa('D2', 'AU'))
  expect(document(1)).toMatchObject({ status: 'entered-in-error', docStatus: 'entered-in-error' })
  expect(store.ofType<Composition>('Composition')[1]?.status).toBe('entered-in-error')

  // Told again, it is not withdrawn any longer.
  send(store, 'T02', txa('D2', 'AU'), 'new words')
  expect(document(1)).toMatchObject({ status: 'current', docStatus: 'final' })
  expect(store.ofType<Composition>('Composition')[1]?.status).toBe('final')
  expect(store.ofType('DocumentReference')).toHaveLength(2)
})

it('a text that was withdrawn and is told again, unsigned, is a text again', () => {
  const store = new SmallStore()
  const composition = () => store.ofType<Composition>('Composition')[0]
  send(store, 'T02', txa('D1', ''), 'words')
  send(store, 'T11', txa('D1', ''))
  expect(composition()?.status).toBe('entered-in-error')
  send(store, 'T02', txa('D1', ''), 'words')
  expect(composition()?.status).toBe('preliminary')
  expect(store.ofType<DocumentReference>('DocumentReference')[0]?.status).toBe('current')
})

it('a document that its sender calls cancelled (TXA-19 CA) is a mistake with its text, and is none once it is available again', () => {
  const store = new SmallStore()
  const statuses = () => [
    ...store.ofType<DocumentReference>('DocumentReference').map(({ status, docStatus }) => [status, docStatus]),
    ...store.ofType<Composition>('Composition').map(({ status }) => status),
  ]
  send(store, 'T02', txa('D1', 'AU'), 'words')
  send(store, 'T03', txa('D1', 'AU', { availability: 'CA' }))
  expect(statuses()).toEqual([['entered-in-error', 'entered-in-error'], 'entered-in-error'])
  send(store, 'T03', txa('D1', 'AU', { availability: 'AV' }))
  expect(statuses()).toEqual([['current', 'final'], 'final'])
})

it('a text in whose place a file was sent is no longer the text of the document', () => {
  const store = new SmallStore()
  const composition = () => store.ofType<Composition>('Composition')[0]
  send(store, 'T02', txa('D1', 'DO'), 'give 10 mg')
  send(store, 'T08', txa('D1', 'AM'), '^application^pdf^Base64^JVBERi0xLjQK', 'ED')
  const [document] = store.ofType<DocumentReference>('DocumentReference')
  expect(document?.content.map(({ attachment }) => attachment.contentType)).toEqual(['application/pdf'])
  expect(composition()).toMatchObject({ status: 'amended', title: 'Discharge summary' })
  expect(composition()).not.toHaveProperty('section')
  send(store, 'T08', txa('D1', 'AM'), 'give 5 mg')
  expect(composition()?.section?.[0]?.text?.div).toContain('give 5 mg')
})

it('a file of a document that never had a text makes none', () => {
  const store = new SmallStore()
  send(store, 'T02', txa('D1', 'AU'), '^application^pdf^Base64^JVBERi0xLjQK', 'ED')
  expect(store.ofType('Composition')).toEqual([])
})
