import { describe, expect, it } from 'vitest'
import { english, wordsOf } from '../words/words.ts'
import { scopeInWords } from './scope-words.ts'

describe('a scope in words', () => {
  it.each([
    ['openid', 'Know that it is you'],
    ['offline_access', 'Go on when you are signed out'],
    ['patient/Observation.rs', 'Read measurements and results of this patient'],
    ['patient/*.cruds', 'Read and change everything of this patient'],
    ['user/Patient.write', 'Change name, birth date and contacts that you can see'],
    ['patient/CarePlan.r', 'Read care plans of this patient'],
    ['patient/NutritionOrder.r', 'Read nutrition order of this patient'],
    [
      'patient/Observation.rs?category=http://terminology.hl7.org/CodeSystem/observation-category|laboratory',
      'Read measurements and results of this patient, only laboratory results',
    ],
    [
      'patient/Observation.rs?category=http%3A%2F%2Fterminology.hl7.org%2FCodeSystem%2Fobservation-category%7Csurvey',
      'Read measurements and results of this patient, only surveys',
    ],
    [
      'user/Condition.rs?category=http://hl7.org/fhir/us/core/CodeSystem/condition-category|health-concern',
      'Read diagnoses and problems that you can see, only health concerns',
    ],
    [
      'patient/Observation.rs?category=laboratory',
      'Read measurements and results of this patient, only where category is laboratory',
    ],
    [
      'patient/Condition.rs?clinical-status=active&code=http://snomed.info/sct%7C38341003',
      'Read diagnoses and problems of this patient, only where clinical-status is active and code is http://snomed.info/sct|38341003',
    ],
    ['something else', 'something else'],
  ])('%s is "%s"', (scope, words) => {
    expect(scopeInWords(scope, english)).toBe(words)
  })

  it('has no other order in another language than the language has', () => {
    const scope =
      'patient/Observation.rs?category=http://terminology.hl7.org/CodeSystem/observation-category|laboratory'
    expect(scopeInWords(scope, wordsOf('ar'))).toBe('قراءة القياسات والنتائج الخاصة بهذا المريض، نتائج المختبر فقط')
    expect(scopeInWords('patient/NutritionOrder.r', wordsOf('fr'))).toBe('Lire NutritionOrder de ce patient')
  })
})
