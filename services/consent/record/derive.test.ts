import { describe, expect, it } from 'vitest'
import { contextOf, operationsOf, resourceClassesOf } from './derive.ts'

describe('the permitted operations', () => {
  it.each([
    [[], 'cruds'],
    [['patient/Observation.rs'], 'rs'],
    [['patient/Observation.r'], 'r'],
    [['patient/Observation.s'], 's'],
    [['patient/Observation.read'], 'rs'],
    [['patient/Observation.write'], 'cud'],
    [['patient/Observation.*'], 'cruds'],
    [['patient/Observation.read', 'patient/Observation.write'], 'cruds'],
    [['patient/Observation.cruds'], 'cruds'],
    [['patient/Observation.d', 'patient/Condition.c'], 'cd'],
    [['patient/*.s', 'patient/Patient.r'], 'rs'],
    [['user/Encounter.u'], 'u'],
    [['system/*.cu', 'patient/*.rs'], 'crus'],
    [['patient/Observation.rs?category=laboratory'], 'rs'],
    [['launch/patient', 'openid', 'offline_access'], ''],
    [['launch', 'patient/Patient.r'], 'r'],
    [['launch/questionnaire', 'patient/Patient.r'], 'r'],
  ])('of %j are %j', (scopes, operations) => {
    expect(operationsOf(scopes)).toBe(operations)
  })
})

describe('the resource classes that scopes name', () => {
  it.each([
    [[], []],
    [['launch'], []],
    [['patient/Observation.rs'], ['Observation']],
    [
      ['patient/Observation.rs', 'patient/Observation.write', 'user/Condition.r'],
      ['Observation', 'Condition'],
    ],
    [['patient/Observation.rs', 'patient/*.r'], []],
    [['patient/Observation.rs?code=x'], ['Observation']],
  ])('of %j are %j', (scopes, classes) => {
    expect(resourceClassesOf(scopes)).toEqual(classes)
  })
})

describe('the context', () => {
  it.each([
    ['Patient/p1', [], 'patient'],
    ['Patient/p1', ['system/*.rs'], 'patient'],
    [null, ['user/*.rs'], 'user'],
    [null, ['user/*.rs', 'system/*.rs'], 'system'],
    [null, ['patient/*.rs'], undefined],
    [null, ['launch'], undefined],
    [null, [], undefined],
  ])('for the patient %s and %j is %s', (patientId, scopes, context) => {
    expect(contextOf(patientId, scopes)).toBe(context)
  })
})
