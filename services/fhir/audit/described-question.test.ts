import { expect, it } from 'vitest'
import { makeCanaries } from '../../../packages/testkit/log-canaries.ts'
import { describedQuestion } from './described-question.ts'

it.each([
  ['Observation', 'Observation'],
  ['Patient/amina/$everything', 'Patient/amina/$everything'],
  ['Patient/amina/Observation?code=http://loinc.org|2339-0', 'Patient/amina/Observation?code=*'],
  ['Patient?name:exact=Amina%20Diallo', 'Patient?name:exact=*'],
  [
    'Observation?patient=Patient/amina&_count=10&_sort=-date',
    'Observation?patient=Patient/amina&_count=10&_sort=-date',
  ],
  ['Observation?subject=amina,kofi', 'Observation?subject=amina,kofi'],
  ['Observation?subject:Patient.name=Diallo', 'Observation?subject:Patient.name=*'],
  ['Observation?patient:identifier=urn:mrn|1', 'Observation?patient:identifier=*'],
  ['Observation?_has:Patient:x:name=Diallo', 'Observation?_has:Patient:x:name=*'],
  ['Observation?_include=Observation:subject', 'Observation?_include=Observation:subject'],
  ['Observation?_elements=Amina Diallo', 'Observation?_elements=*'],
  ['Patient?Amina Diallo=1', 'Patient?*=*'],
  ['Patient/Amina Diallo', 'Patient/*'],
  ['?_type=Patient,Observation', '?_type=Patient,Observation'],
])('%s is told as %s', (question, expected) => {
  expect(describedQuestion(question)).toBe(expected)
})

it('tells nothing that says who somebody is, wherever it stands', () => {
  for (const { value } of makeCanaries(7).all) {
    const text = encodeURIComponent(value)
    for (const name of ['name', 'identifier', 'patient:identifier', 'phone', 'code', '_content']) {
      expect(describedQuestion(`Patient?${name}=${text}`)).not.toContain(value)
    }
  }
})

it('has an end', () => {
  const many = Array.from({ length: 1_000 }, (_, at) => `name=${at}`).join('&')
  expect(describedQuestion(`Patient?${many}`).length).toBeLessThan(1_000)
})
