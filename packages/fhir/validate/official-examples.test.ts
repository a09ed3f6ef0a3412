import { describe, expect, it } from 'vitest'
import { loadDefinitions } from '../definitions.ts'
import { parseJson } from '../parse-json.ts'
import { officialExamples } from '../testing/official-examples.ts'
import { createValidate } from './validator.ts'

/** Every official resource that is refused, where, and why the refusal is right. */
const refused: Readonly<Record<string, string>> = {
  // R4 txt-2 wants some content; their div is empty.
  'ActivityDefinition-blood-tubes-supply': 'ActivityDefinition.text.div',
  'ActivityDefinition-heart-valve-replacement': 'ActivityDefinition.text.div',
  'EventDefinition-example': 'EventDefinition.text.div',
  'Questionnaire-zika-virus-exposure-assessment': 'Questionnaire.text.div',
  // A code must not end in white space; four codes of table 0550 end in a no-break space.
  'CodeSystem-v2-0550': 'CodeSystem.concept[74].code',
  // The target is of a type that the element does not allow.
  'DeviceMetric-example': 'DeviceMetric.parent',
  'DeviceUseStatement-example': 'DeviceUseStatement.reasonReference[0]',
  'MedicationRequest-medrx0301': 'MedicationRequest.dispenseRequest.performer',
  'Observation-clinical-gender': 'Observation.performer[0]',
  // Mandatory elements are missing.
  'Questionnaire-qs1': 'Questionnaire.item[0].item[0].linkId',
  'SearchParameter-codesystem-extensions-CodeSystem-author': 'SearchParameter.base',
  'SearchParameter-codesystem-extensions-CodeSystem-effective': 'SearchParameter.base',
  'SearchParameter-codesystem-extensions-CodeSystem-end': 'SearchParameter.base',
  'SearchParameter-codesystem-extensions-CodeSystem-keyword': 'SearchParameter.base',
  'SearchParameter-codesystem-extensions-CodeSystem-workflow': 'SearchParameter.base',
  'SearchParameter-valueset-extensions-ValueSet-author': 'SearchParameter.base',
  'SearchParameter-valueset-extensions-ValueSet-effective': 'SearchParameter.base',
  'SearchParameter-valueset-extensions-ValueSet-end': 'SearchParameter.base',
  'SearchParameter-valueset-extensions-ValueSet-keyword': 'SearchParameter.base',
  'SearchParameter-valueset-extensions-ValueSet-workflow': 'SearchParameter.base',
  // An id has at most 64 characters; this one has 67.
  'SearchParameter-questionnaireresponse-extensions-QuestionnaireResponse-item-subject': 'SearchParameter.id',
}

describe('the validator over the official resources', () => {
  it('accepts all of them but those that are wrong', { timeout: 60_000 }, async () => {
    const validate = createValidate(await loadDefinitions())
    const found: Record<string, string> = {}
    let count = 0
    for (const { name, text } of officialExamples()) {
      count++
      const error = validate(parseJson(text)).find(({ severity }) => severity === 'error')
      if (error !== undefined) found[name] = error.path
    }
    expect(found).toEqual(refused)
    expect(count).toBe(5293)
  })
})
