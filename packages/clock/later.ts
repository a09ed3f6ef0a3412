export const later = (time: Date, seconds: number): Date => new Date(time.getTime() + seconds * 1_000)
