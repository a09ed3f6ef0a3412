import { fold } from '../../../packages/fhir/fold.ts'
import type { HumanName, Patient } from '../../../packages/fhir/r4.ts'
import type { Write } from '../mapping/mapped.ts'
import { patientSaid } from './patient-said.ts'
import type { Stored } from './stored.ts'

/**
 * Patients whom a message calls by another name than the record that has their number, born on another day. A number that was
 * given again, or the wrong patient; or somebody who was unknown until now.
 */
export const otherPersons = (writes: readonly Write[], stored: Stored): readonly Write[] =>
  writes.filter((write) => {
    const there = foundOf(write, stored)
    return there !== undefined && differs(patientSaid(write), there)
  })

/** Whether one of them is of the other sex as well: nobody is corrected in all of that at once. */
export const hasSomebodyElse = (writes: readonly Write[], stored: Stored): boolean =>
  otherPersons(writes, stored).some((write) => isOtherSex(patientSaid(write).gender, foundOf(write, stored)?.gender))

function foundOf({ fullUrl }: Write, stored: Stored): Patient | undefined {
  const there = stored.replaced?.get(fullUrl) ?? stored.get(fullUrl)
  return there?.resourceType === 'Patient' ? there : undefined
}

const differs = (one: Patient, other: Patient): boolean =>
  isOtherDay(one.birthDate, other.birthDate) && haveOtherNames(one.name, other.name)

const isOtherSex = (one: Patient['gender'], other: Patient['gender']): boolean =>
  (one === 'male' && other === 'female') || (one === 'female' && other === 'male')

/** None of the given names of one begins like one of the names of the other. */
function haveOtherNames(ones: readonly HumanName[] = [], others: readonly HumanName[] = []): boolean {
  const [few, otherFew] = [ones.slice(0, namesMax), others.slice(0, namesMax)]
  const [given, otherGiven] = [givenNames(few), givenNames(otherFew)]
  if (given.length === 0 || otherGiven.length === 0) return false
  const [all, otherAll] = [allNames(few), allNames(otherFew)]
  return !given.some((name) => otherAll.some(isLike(name))) && !otherGiven.some((name) => all.some(isLike(name)))
}

/** What comes after so many says no more of who somebody is. */
const namesMax = 20

const givenNames = (names: readonly HumanName[]): string[] => names.flatMap(({ given = [] }) => given.flatMap(words))

const allNames = (names: readonly HumanName[]): string[] => [
  ...givenNames(names),
  ...names.flatMap(({ family = '' }) => words(family)),
]

const words = (name: string): string[] => fold(name).match(/[\p{L}\p{N}]+/gu) ?? []

/** An initial, a short form, another spelling. */
const isLike =
  (one: string) =>
  (other: string): boolean =>
    one[0] === other[0] && (one.length === 1 || other.length === 1 || one[1] === other[1])

/** Two of year, month and day, whichever of them stand where. */
function isOtherDay(one = '', other = ''): boolean {
  if (!isWholeDay(one) || !isWholeDay(other)) return false
  const parts = other.split('-')
  const same = one.split('-').filter((part) => {
    const at = parts.indexOf(part)
    if (at >= 0) parts.splice(at, 1)
    return at >= 0
  })
  return same.length < 2
}

/** The first of January is written for people who know no more. */
const isWholeDay = (date: string): boolean => date.length === 10 && !date.endsWith('-01-01')
