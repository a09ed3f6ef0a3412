import type { Calendar } from './calendar.ts'
import type { Dose } from './dose.ts'
import type { Forecast } from './forecast.ts'

/**
 * The patient whom the immunization app is shown with: something overdue, something due soon, immunity, doses that she
 * only remembers, one that she declined. Few enough for a certificate to fit into one QR code.
 */
export const amina = {
  doses: (calendar: Calendar): readonly Dose[] => [
    { vaccine: 'bcg', number: 1, on: '1998-04-14', series: 'BCG at birth' },
    { vaccine: 'hepatitisB', number: 1, on: '1998-04-14', series: 'Hepatitis B childhood series' },
    { vaccine: 'hepatitisB', number: 2, on: '1998-05-26', series: 'Hepatitis B childhood series' },
    { vaccine: 'hepatitisB', number: 3, on: '1998-10-20', series: 'Hepatitis B childhood series' },
    {
      vaccine: 'measlesRubella',
      number: 1,
      on: '1999-02-08',
      isSelfReported: true,
      note: 'Remembered by her mother; the card was lost.',
    },
    { vaccine: 'measlesRubella', number: 2, on: '2003-09-15', isSelfReported: true },
    { vaccine: 'yellowFever', number: 1, on: '1999-02-22' },
    { vaccine: 'tetanusDiphtheria', number: 1, on: lastTd(calendar), series: 'Td booster' },
    { vaccine: 'covid', number: 1, on: '2021-05-06', series: 'COVID-19 primary series' },
    { vaccine: 'covid', number: 2, on: '2021-06-17', series: 'COVID-19 primary series' },
    { vaccine: 'covid', number: 3, on: calendar.daysAgo(380), series: 'COVID-19 booster' },
    { vaccine: 'influenza', number: 1, on: calendar.daysAgo(352), series: 'Influenza yearly' },
    { vaccine: 'influenza', number: 2, on: calendar.daysAgo(720), isNotDone: true, note: 'Declined: had a cold.' },
  ],
  forecasts: (calendar: Calendar): readonly Forecast[] => [
    {
      vaccine: 'tetanusDiphtheria',
      status: 'overdue',
      due: tenYearsAfter(lastTd(calendar)),
      latest: calendar.daysAgo(180),
      number: 2,
      of: 2,
      after: [1],
      why: 'A booster is due ten years after the last dose.',
    },
    {
      vaccine: 'hpv',
      status: 'overdue',
      due: calendar.daysAgo(120),
      latest: calendar.daysAgo(-700),
      number: 1,
      of: 2,
      after: [],
      why: 'Catch-up is offered up to the age of 45.',
    },
    {
      vaccine: 'influenza',
      status: 'due',
      due: calendar.daysAgo(-13),
      latest: calendar.daysAgo(-130),
      number: 2,
      after: [1],
      why: 'Every year; asthma is a reason for it.',
    },
    {
      vaccine: 'covid',
      status: 'due',
      due: calendar.daysAgo(-75),
      latest: calendar.daysAgo(-400),
      number: 4,
      of: 4,
      after: [1, 2, 3],
      why: 'A further booster a year and a quarter after the last.',
    },
    { vaccine: 'hepatitisB', status: 'immune', number: 3, of: 3, after: [1, 2, 3], why: 'Antibodies were found.' },
    { vaccine: 'measlesRubella', status: 'immune', number: 2, of: 2, after: [1, 2], why: 'Two doses are reported.' },
    { vaccine: 'yellowFever', status: 'complete', number: 1, of: 1, after: [1], why: 'One dose protects for life.' },
    { vaccine: 'typhoid', status: 'contraindicated', number: 1, of: 1, after: [], why: 'A reaction was reported.' },
  ],
}

const lastTd = (calendar: Calendar): string => calendar.daysAgo(11 * 365)

/** The same day of the year; after the 29th of February the 28th. */
const tenYearsAfter = (day: string): string =>
  `${Number(day.slice(0, 4)) + 10}${day.slice(4).replace('-02-29', '-02-28')}`
