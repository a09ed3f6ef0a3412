import type { PatientRecord } from './patient-record.ts'
import { isOverdue, isSettled } from './recommendation.ts'

export interface Summary {
  readonly totalVaccinations: number
  readonly totalRecommendations: number
  readonly overdueCount: number
  readonly dueSoonCount: number
  readonly patientName: string | null
  readonly patientDob: string | null
}

const soonDays = 30

/** Due soon is what has a day not later than thirty days from today, the past included: it may also be overdue. */
export function summaryOf({ patient, vaccinations, recommendations }: PatientRecord, today: string): Summary {
  const soon = daysAfter(today, soonDays)
  return {
    totalVaccinations: vaccinations.length,
    totalRecommendations: recommendations.length,
    overdueCount: recommendations.filter(isOverdue).length,
    dueSoonCount: recommendations.filter(
      (one) => one.dateCriterionDue !== null && one.dateCriterionDue <= soon && !isSettled(one),
    ).length,
    patientName: patient.name,
    patientDob: patient.birthDate,
  }
}

export function daysAfter(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}
