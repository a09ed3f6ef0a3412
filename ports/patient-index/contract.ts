import { describe, expect, it } from 'vitest'
import type { Identifier, Patient } from '../../packages/fhir/r4.ts'
import type { PatientIndex } from './patient-index.ts'

export interface PatientIndexWorld {
  readonly index: PatientIndex
  /** Writes a Patient, as the bridge does after it has resolved it. */
  readonly put: (patient: Patient & { readonly id: string }) => Promise<unknown>
}

/** What every implementation of the port keeps. `letter` makes the people of one run unlike those of another. */
export function patientIndexContract(name: string, letter: string, world: () => PatientIndexWorld): void {
  const person = (family: string, number: string, rest: Partial<Patient> = {}): Patient => ({
    resourceType: 'Patient',
    identifier: [{ system: `urn:${letter}:central`, value: number }],
    name: [{ family: `${family}${letter.repeat(3)}`, given: ['Ngozi'] }],
    gender: 'female',
    birthDate: `19${60 + letter.charCodeAt(0) - 97}-04-17`,
    telecom: [{ system: 'phone', value: `0700${letter.charCodeAt(0)}4455` }],
    ...rest,
  })
  const noPhone: Patient['telecom'] = [{ system: 'email', value: 'nobody@example.org' }]

  describe(`the patient index, ${name}`, () => {
    it('answers that it is there', async () => {
      await expect(world().index.check()).resolves.toBeUndefined()
    })

    it('gives a new person a golden record, and the same again', async () => {
      const { index } = world()
      const [first] = await index.resolve([person('Alpha', '1')])
      expect(first).toMatchObject({ outcome: 'new' })
      const [second] = await index.resolve([person('Alpha', '1')])
      expect(second?.goldenId).toBe(first?.goldenId)
    })

    it('recognises whoever is there, and leaves no trace of a newcomer', async () => {
      const { index, put } = world()
      const [there] = await index.resolve([person('Zeta', '9')])
      const link = [{ type: 'refer' as const, other: { reference: `Patient/${there?.goldenId}` } }]
      await put({ ...person('Zeta', '9'), id: `${letter}-zeta`, link })
      const newcomer = person('Sigma', '10', {
        birthDate: '1931-01-02',
        telecom: noPhone,
        name: [{ family: 'Sigmond' }],
      })
      expect(await index.recognise([newcomer, person('Zeta', '9')])).toMatchObject([
        undefined,
        { goldenId: there?.goldenId },
      ])
      expect(await index.resolve([newcomer])).toMatchObject([{ outcome: 'new' }])
    })

    it('links a second record of the same person to the same golden record', async () => {
      const { index, put } = world()
      const birthDate = `19${20 + letter.charCodeAt(0) - 97}-09-09`
      const first = person('Beta', '2', { birthDate })
      const [{ goldenId } = { goldenId: '' }] = await index.resolve([first])
      await put({
        ...first,
        id: `${letter}-beta`,
        link: [{ type: 'refer', other: { reference: `Patient/${goldenId}` } }],
      })
      const elsewhere = { ...first, identifier: [{ system: `urn:${letter}:lakeside`, value: '77' }] }
      expect(await index.resolve([elsewhere])).toMatchObject([{ outcome: 'matched', goldenId }])
      expect(await index.resolve([first])).toMatchObject([{ outcome: 'known', goldenId }])
    })

    it('goes by the first number of somebody whose numbers belong to two, and says so', async () => {
      const { index, put } = world()
      const [first, second] = ['21', '22'].map((value) => ({ system: `urn:${letter}:central`, value }))
      const unlike = { birthDate: '1987-02-15', telecom: noPhone, name: [{ family: 'Chiara', given: ['Pia'] }] }
      const one = person('Rho', '21', { birthDate: '1931-11-04' })
      const other = person('Chi', '22', unlike)
      const [a, b] = (await index.resolve([one, other])).map(({ goldenId }) => goldenId)
      const linked = (golden = '') => [{ type: 'refer' as const, other: { reference: `Patient/${golden}` } }]
      await put({ ...one, id: `${letter}-rho`, link: linked(a) })
      await put({ ...other, id: `${letter}-chi`, link: linked(b) })
      const numbered = (...identifier: (Identifier | undefined)[]): Patient => ({
        ...one,
        identifier: identifier.filter((number) => number !== undefined),
      })
      expect(await index.recognise([numbered(first, second), numbered(second, first)])).toEqual([
        { outcome: 'known', goldenId: a, rivals: [b] },
        { outcome: 'known', goldenId: b, rivals: [a] },
      ])
    })

    it('keeps strangers apart, in the order asked', async () => {
      const { index } = world()
      const strangers = ['Gamma', 'Delta', 'Omicron'].map((family, at) =>
        person(family, `s${at}`, {
          birthDate: `19${70 + at}-1${at}-2${at}`,
          name: [{ family, given: ['Ada', 'Bo', 'Cy'].slice(at, at + 1) }],
          telecom: noPhone,
        }),
      )
      const together = await index.resolve(strangers)
      expect(new Set(together.map(({ goldenId }) => goldenId)).size).toBe(3)
      expect((await index.resolve(strangers.toReversed())).map(({ goldenId }) => goldenId)).toEqual(
        together.map(({ goldenId }) => goldenId).toReversed(),
      )
      expect(await index.resolve([])).toEqual([])
    })

    it('matches, with score, grade and golden record', async () => {
      const { index, put } = world()
      const known = person('Epsilon', '5', { birthDate: `19${40 + letter.charCodeAt(0) - 97}-12-24` })
      await put({ ...known, id: `${letter}-epsilon` })
      const [best] = await index.match(known, { count: 3 })
      expect(best).toMatchObject({ goldenId: `${letter}-epsilon`, patient: { id: `${letter}-epsilon` } })
      expect(best?.score).toBeGreaterThan(0.9)
      const nobody: Patient = { resourceType: 'Patient', birthDate: '1901-05-05' }
      expect(await index.match(nobody, { onlyCertainMatches: true })).toEqual([])
    })

    it('is given up when whoever asked has gone', async () => {
      await expect(world().index.resolve([person('Zeta', '9')], { signal: AbortSignal.abort() })).rejects.toBeDefined()
    })
  })
}
