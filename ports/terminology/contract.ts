import { describe, expect, it } from 'vitest'
import type { Terminology } from './terminology.ts'

const loinc = 'http://loinc.org'

/** What every implementation of the port keeps, over the content that comes with Corridor. */
export function terminologyContract(name: string, world: () => Terminology): void {
  describe(`the terminology, ${name}`, () => {
    it('answers many needs at once, in the order asked', async () => {
      const answers = await world().codingsIn([
        { target: loinc, system: 'urn:corridor:laboratory-codes', code: 'GLU' },
        { target: loinc, system: 'urn:nobody', code: 'GLU' },
        { target: loinc, system: loinc, code: '718-7' },
      ])
      expect(answers).toEqual([
        [{ system: loinc, code: '2345-7', display: 'Glucose [Mass/volume] in Serum or Plasma' }],
        'unmapped',
        [{ system: loinc, code: '718-7', display: 'Hemoglobin [Mass/volume] in Blood' }],
      ])
      expect(await world().codingsIn([])).toEqual([])
    })

    it('takes a wider concept and no narrower one', async () => {
      const snomed = 'http://snomed.info/sct'
      const gender = 'http://hl7.org/fhir/administrative-gender'
      const v2 = 'http://terminology.hl7.org/CodeSystem/v2-0001'
      const [wider, other] = await world().codingsIn([
        { target: snomed, system: 'http://hl7.org/fhir/sid/icd-10', code: 'I10' },
        { target: gender, system: v2, code: 'A' },
      ])
      expect(wider).toMatchObject([{ system: snomed, code: '38341003' }])
      expect(other).toMatchObject([{ system: gender, code: 'other' }])
    })

    it('leaves a code that it cannot check, and refuses one that is wrong', async () => {
      const answers = await world().codingsIn([
        { target: loinc, system: loinc, code: '1-8', display: 'Acyclovir' },
        { target: loinc, system: loinc, code: '718-8' },
        { target: 'http://snomed.info/sct', system: 'http://snomed.info/sct', code: '73211009' },
      ])
      expect(answers).toEqual([
        [{ system: loinc, code: '1-8', display: 'Acyclovir' }],
        'unmapped',
        [{ system: 'http://snomed.info/sct', code: '73211009' }],
      ])
    })

    it('looks codes up', async () => {
      expect(await world().lookup({ system: loinc, code: '8867-4' })).toEqual({
        system: loinc,
        code: '8867-4',
        display: 'Heart rate',
      })
      expect(await world().lookup({ system: loinc, code: '1-8' })).toBeUndefined()
      expect(await world().lookup({ system: 'urn:nobody', code: 'x' })).toBeUndefined()
    })

    it('is given up when whoever asked has gone', async () => {
      const signal = AbortSignal.abort()
      await expect(world().lookup({ system: loinc, code: '8867-4' }, { signal })).rejects.toBeDefined()
    })
  })
}
