import { PatientBanner } from '../../../packages/views/components/patient-banner.tsx'
import type { Person } from '../read-model/patient-record.ts'
import { useWords, type Words } from '../words/words.ts'

export interface BannerModel {
  readonly name: string | null
  readonly birthDate: string | null
  /** The same as exactly as it is known. */
  readonly born: string | null
  readonly sex: string | null
  readonly death: Person['death']
  readonly today: string
  /** A launch for this patient has just closed the record of another one. */
  readonly hasReplacedOther: boolean
}

/** Whose record this is: the same place and order on every page. */
export function PatientHead({ name, birthDate, born, sex, death, today, hasReplacedOther }: BannerModel) {
  const words = useWords()
  const { text } = words
  return (
    <PatientBanner
      name={name ?? text('nameUnknown')}
      birthDate={born ?? undefined}
      age={birthDate === null || death !== null ? undefined : ageInWords(birthDate, today, words)}
      death={
        death === null
          ? undefined
          : { day: death.day ?? undefined, age: ageAtDeath({ birthDate, day: death.day }, words) }
      }
      sex={sex === null ? undefined : sexInWords(sex, words)}
      {...(hasReplacedOther ? { warning: text('replacedOther') } : {})}
    />
  )
}

/** Where both days are known as days. */
function ageAtDeath(
  { birthDate, day }: { readonly birthDate: string | null; readonly day: string | null },
  words: Words,
): string | undefined {
  return birthDate === null || day?.length !== 10 || day < birthDate ? undefined : ageInWords(birthDate, day, words)
}

/** As a vaccination card counts it: weeks for infants, months to two years, then years. */
function ageInWords(birthDate: string, today: string, { span }: Words): string {
  const months = monthsBetween(birthDate, today)
  if (months >= 24) return span(Math.floor(months / 12), 'year')
  if (months >= 3) return span(months, 'month')
  return span(Math.max(0, Math.floor(daysBetween(birthDate, today) / 7)), 'week')
}

function sexInWords(sex: string, { text }: Words): string {
  if (sex === 'female') return text('female')
  if (sex === 'male') return text('male')
  return sex === 'other' ? text('otherSex') : text('unknown')
}

function monthsBetween(from: string, to: string): number {
  const [fromYear = 0, fromMonth = 0, fromDay = 0] = from.split('-').map(Number)
  const [toYear = 0, toMonth = 0, toDay = 0] = to.split('-').map(Number)
  return (toYear - fromYear) * 12 + toMonth - fromMonth - (toDay < fromDay ? 1 : 0)
}

const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000
