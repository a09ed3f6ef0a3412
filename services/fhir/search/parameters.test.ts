import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ward } from './testing/ward.ts'
import { searchWorld, type SearchWorld } from './testing/search-world.ts'

/** Every kind of parameter with its prefixes and modifiers, over one small ward. */
describe('a search', () => {
  let world: SearchWorld
  beforeAll(async () => {
    world = await searchWorld()
    await world.put(...ward)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const amina = 'Patient/amina'
  const kofi = 'Patient/kofi'
  const noor = 'Patient/noor'
  const glucose = 'Observation/glucose'
  const pressure = 'Observation/pressure'
  const smoking = 'Observation/smoking'
  const trace = 'Observation/trace'

  describe('by token', () => {
    it.each([
      ['Patient?identifier=urn:mrn|1', [amina]],
      ['Patient?identifier=1', [amina, noor]],
      ['Patient?identifier=|1', [noor]],
      ['Patient?identifier=urn:mrn|', [amina, kofi]],
      ['Patient?identifier=urn:mrn|1,urn:mrn|2', [amina, kofi]],
      ['Patient?identifier=urn:mrn|none', []],
      ['Patient?identifier=urn:other|1', []],
      ['Patient?identifier=a\\,b\\|c\\$d', [kofi]],
      ['Patient?identifier:of-type=http://terminology.hl7.org/CodeSystem/v2-0203|MR|1', [amina]],
      ['Patient?identifier:of-type=http://terminology.hl7.org/CodeSystem/v2-0203|MR|2', []],
      ['Patient?gender=female', [amina]],
      ['Patient?gender=http://hl7.org/fhir/administrative-gender|male', [kofi]],
      ['Patient?gender:not=male', [amina, noor]],
      ['Patient?gender:not=male,female', [noor]],
      ['Patient?gender:missing=true', [noor]],
      ['Patient?gender:missing=false', [amina, kofi]],
      ['Patient?active=true', [amina]],
      ['Patient?deceased=true', [kofi]],
      ['Patient?telecom=phone|%2B254700', [amina]],
      ['Patient?email=kofi@example.org', [kofi]],
      ['Patient?gender:in=http://hl7.org/fhir/ValueSet/administrative-gender', [amina, kofi]],
      ['Patient?gender:not-in=http://hl7.org/fhir/ValueSet/administrative-gender', [noor]],
      ['Observation?code:text=blood', [pressure]],
      ['Observation?code:text=BLÓOD press', [pressure]],
      ['Observation?code:text=press', []],
      ['Observation?code=http://loinc.org|2339-0', [glucose]],
      ['Observation?code:not=http://loinc.org|2339-0', [pressure, smoking, trace]],
      ['Observation?interpretation=H', [glucose]],
      ['Observation?status=final&code=http://loinc.org|2339-0', [glucose]],
      ['Observation?status=amended&code=http://loinc.org|2339-0', []],
      ['Patient?_tag=urn:tags|demo', [amina]],
      ['Patient?_security=http://terminology.hl7.org/CodeSystem/v3-Confidentiality|R', [kofi]],
    ])('%s', finds)
  })

  describe('by string', () => {
    it.each([
      ['Patient?family=Diallo', [amina]],
      ['Patient?family=dial', [amina]],
      ['Patient?family=iallo', []],
      ['Patient?family:contains=iall', [amina]],
      ['Patient?family:exact=Diallo', [amina]],
      ['Patient?family:exact=diallo', []],
      ['Patient?name=núñez', [noor]],
      ['Patient?name=nunez', [noor]],
      ['Patient?given=ana,kofi', [kofi, noor]],
      ['Patient?given=ana&given=maria', [noor]],
      ['Patient?given=ana&given=kofi', []],
      ['Patient?family:missing=true', [kofi]],
      ["Patient?family=O'Hara", []],
      ['Patient?address-city=Kisumu', [amina]],
      ['Patient?address=Kis', [amina]],
      ['Patient?name=100%25', []],
      ['Patient?name:contains=_', []],
    ])('%s', finds)
  })

  describe('by date', () => {
    it.each([
      ['Patient?birthdate=1980-03-01', [amina]],
      ['Patient?birthdate=1980-03', [amina]],
      ['Patient?birthdate=1980', [amina]],
      ['Patient?birthdate=1980-03-02', []],
      ['Patient?birthdate=eq1990-07', [kofi]],
      ['Patient?birthdate=1990-07-01', []],
      ['Patient?birthdate=ne1980', [kofi]],
      ['Patient?birthdate=gt1980-03-01', [kofi]],
      ['Patient?birthdate=gt1990-07', []],
      ['Patient?birthdate=lt1990-07', [amina]],
      ['Patient?birthdate=ge1990-07', [kofi]],
      ['Patient?birthdate=le1980-03-01', [amina]],
      ['Patient?birthdate=le1980-02', []],
      ['Patient?birthdate=sa1980-03-01', [kofi]],
      ['Patient?birthdate=eb1990', [amina]],
      ['Patient?birthdate=ap1982', [amina]],
      ['Patient?birthdate=ge1980&birthdate=lt1990', [amina]],
      ['Patient?birthdate=1980,1990', [amina, kofi]],
      ['Patient?birthdate:missing=true', [noor]],
      ['Observation?date=2024-05-01', [glucose]],
      ['Observation?date=2024-05-01T10:00:00Z', [glucose]],
      ['Observation?date=2024-05-01T12:00:00%2B02:00', [glucose]],
      ['Observation?date=2024-05-01T12:00:00 02:00', [glucose]],
      ['Observation?date=2024-05-01T10:00Z', [glucose]],
      ['Observation?date=gt2030', [pressure]],
      ['Observation?date=eb2024-05-01', []],
      ['Observation?date=sa2024-04', [glucose, pressure]],
      ['Observation?date=2024-05', [glucose]],
      ['Encounter?date=2024-02', []],
      ['Encounter?date=ge2024-02-10&date=le2024-02-11', ['Encounter/stay']],
      ['Encounter?date=ap2024-02-10', ['Encounter/stay']],
      ['Patient?_lastUpdated=2024-06-01', [amina, kofi, noor]],
      ['Patient?_lastUpdated=lt2024-06', []],
      ['Patient?_lastUpdated=ge2024-06-01T00:00:00Z', [amina, kofi, noor]],
      ['Patient?_lastUpdated=gt2024-06-01', []],
      ['Patient?_lastUpdated=le9999', [amina, kofi, noor]],
      ['Patient?_lastUpdated=ne2024', []],
    ])('%s', finds)
  })

  describe('by number and quantity', () => {
    it.each([
      ['RiskAssessment?probability=0.9', ['RiskAssessment/high']],
      ['RiskAssessment?probability=0.90', ['RiskAssessment/high']],
      ['RiskAssessment?probability=gt0.8', ['RiskAssessment/high']],
      ['RiskAssessment?probability=lt0.8', ['RiskAssessment/low']],
      ['Observation?value-quantity=5.4|http://unitsofmeasure.org|mmol/L', [glucose]],
      ['Observation?value-quantity=5.4||mmol/l', [glucose]],
      ['Observation?value-quantity=5.4||mmol/L', [glucose]],
      ['Observation?value-quantity=5.4|http://unitsofmeasure.org|mg', []],
      ['Observation?value-quantity=5.4', [glucose]],
      ['Observation?value-quantity=5', [glucose]],
      ['Observation?value-quantity=5.40', [glucose]],
      ['Observation?value-quantity=5.45', []],
      ['Observation?value-quantity=ne5.4', [trace]],
      ['Observation?value-quantity=gt5.4', []],
      ['Observation?value-quantity=ge5.4', [glucose]],
      ['Observation?value-quantity=lt5.4', [trace]],
      ['Observation?value-quantity=le5.4', [glucose, trace]],
      ['Observation?value-quantity=sa5.3', [glucose]],
      ['Observation?value-quantity=eb5.5', [glucose, trace]],
      ['Observation?value-quantity=ap5.8', [glucose]],
      ['Observation?value-quantity=gt0.05', [glucose, trace]],
      // It is less than 0.1, and so never 0.1 itself.
      ['Observation?value-quantity=ge0.1', [glucose]],
      ['Observation?value-quantity=eb0.1', [trace]],
      ['Observation?value-quantity=lt0.1', [trace]],
      ['Observation?value-quantity:missing=false', [glucose, trace]],
    ])('%s', finds)
  })

  describe('by reference', () => {
    it.each([
      ['Observation?subject=Patient/amina', [glucose, pressure]],
      ['Observation?subject=amina', [glucose, pressure]],
      ['Observation?subject:Patient=amina', [glucose, pressure]],
      ['Observation?subject:Patient=Patient/amina', [glucose, pressure]],
      ['Observation?patient=amina', [glucose, pressure]],
      ['Observation?patient=kofi', [smoking]],
      ['Observation?subject=http://localhost:8080/fhir/Patient/kofi', [smoking]],
      ['Observation?subject=http://elsewhere.example/fhir/Patient/kofi', []],
      ['Observation?subject=https://other.example/fhir/Patient/9', [trace]],
      ['Observation?subject:identifier=urn:mrn|77', [trace]],
      ['Observation?subject:missing=true', []],
      ['Observation?encounter:missing=true', [pressure, smoking, trace]],
      ['Observation?subject=amina,kofi', [glucose, pressure, smoking]],
      ['QuestionnaireResponse?questionnaire=http://example.org/Questionnaire/base', ['QuestionnaireResponse/answers']],
      [
        'QuestionnaireResponse?questionnaire=http://example.org/Questionnaire/base|2',
        ['QuestionnaireResponse/answers'],
      ],
      ['QuestionnaireResponse?questionnaire=http://example.org/Questionnaire/base|3', []],
    ])('%s', finds)

    it('to a canonical address below our own', async () => {
      const questionnaire = 'http://localhost:8080/fhir/Questionnaire/ours'
      await world.put({ resourceType: 'QuestionnaireResponse', id: 'ours', questionnaire, status: 'completed' })
      const versioned = { id: 'versioned', questionnaire: `${questionnaire}|2`, status: 'completed' }
      await world.put({ resourceType: 'QuestionnaireResponse', ...versioned })
      const both = ['QuestionnaireResponse/ours', 'QuestionnaireResponse/versioned']
      expect(await world.find(`QuestionnaireResponse?questionnaire=${questionnaire}`)).toEqual(both)
      expect(await world.find(`QuestionnaireResponse?questionnaire=${questionnaire}|2`)).toEqual(both.slice(1))
    })
  })

  describe('by uri', () => {
    it.each([
      ['Questionnaire?url=http://example.org/fhir/Questionnaire/follow-up', ['Questionnaire/follow-up']],
      ['Questionnaire?url=http://example.org/fhir/questionnaire/follow-up', []],
      ['Questionnaire?url:below=http://example.org/fhir', ['Questionnaire/follow-up']],
      ['Questionnaire?url:below=http://example.org/fhi', []],
      ['Questionnaire?url:above=http://example.org/fhir/Questionnaire/follow-up/1', ['Questionnaire/follow-up']],
      ['Questionnaire?url:above=http://example.org/fhir/Questionnaire', []],
      ['Patient?_profile=http://example.org/profile', [amina]],
    ])('%s', finds)
  })

  describe('by composite', () => {
    it.each([
      ['Observation?code-value-quantity=http://loinc.org|2339-0$5.4', [glucose]],
      ['Observation?code-value-quantity=http://loinc.org|2339-0$gt5.3', [glucose]],
      ['Observation?code-value-quantity=http://loinc.org|2339-0$gt5.4', []],
      ['Observation?code-value-quantity=2339-0$5.4|http://unitsofmeasure.org|mmol/L', [glucose]],
      ['Observation?code-value-quantity=2339-0$5.4|http://unitsofmeasure.org|mg', []],
      ['Observation?code-value-quantity=2339-0$5.4||mmol/l', [glucose]],
      ['Observation?code-value-quantity=2339-0$5.4||mmol/L', [glucose]],
      ['Observation?code-value-quantity=2339-0$5.4||mg', []],
      ['Observation?code-value-quantity=2339-0$5.4|http://unitsofmeasure.org|mmol/l', []],
      ['Observation?component-code-value-quantity=8480-6$gt130', [pressure]],
      ['Observation?component-code-value-quantity=8462-4$gt130', []],
      ['Observation?code-value-concept=72166-2$8517006', [smoking]],
    ])('%s', finds)
  })

  describe('by id', () => {
    it.each([
      ['Patient?_id=amina', [amina]],
      ['Patient?_id=amina,kofi,nobody', [amina, kofi]],
      ['Patient?_id=amina&_id=kofi', []],
      ['Patient?_id:not=amina', [kofi, noor]],
      ['Patient?_id=glucose', []],
      ['?_id=amina', [amina]],
      ['?_type=Patient,Observation&_id=amina,glucose', [glucose, amina]],
    ])('%s', finds)
  })

  describe('through references', () => {
    it.each([
      ['Observation?subject:Patient.name=diallo', [glucose, pressure]],
      ['Observation?patient.family=diallo', [glucose, pressure]],
      ['Observation?subject.family=diallo', [glucose, pressure]],
      ['Observation?subject:Patient.gender:not=male', [glucose, pressure]],
      ['Observation?subject:Patient.general-practitioner:Practitioner.name=amara', [glucose, pressure]],
      ['Observation?subject:Patient.general-practitioner:Practitioner.name=nobody', []],
      ['Observation?subject:Patient._id=kofi', [smoking]],
      ['Observation?subject:Patient.organization.name=central', [glucose, pressure]],
      ['Patient?_has:Observation:patient:code=http://loinc.org|2339-0', [amina]],
      ['Patient?_has:Observation:subject:status=final', [amina, kofi]],
      ['Patient?_has:Observation:patient:code=nothing', []],
      ['Practitioner?_has:Patient:general-practitioner:_has:Observation:patient:code=2339-0', ['Practitioner/amara']],
      ['Observation?patient._has:Encounter:patient:status=finished', [glucose, pressure]],
      ['Patient?_has:Observation:patient:date=ge2024-05-01&gender=female', [amina]],
    ])('%s', finds)
  })

  it('no longer finds what was deleted, by whatever it was found', async () => {
    await world.put({ resourceType: 'Patient', id: 'gone', name: [{ family: 'Vanished' }], birthDate: '1950-01-01' })
    await world.remove('Patient', 'gone')
    for (const query of ['family=vanished', 'birthdate=1950', '_id=gone', '_id=gone&gender:missing=true']) {
      expect(await world.find(`Patient?${query}`), query).toEqual([])
    }
  })

  async function finds(search: string, expected: string[]) {
    expect(await world.find(search)).toEqual(expected.toSorted())
  }
})
