import { toDay } from '../calendar.ts'

/** A moment as a field for date and time has it, in the reader's zone: `2026-03-01T18:00`. */
export function toDateTimeInput(time: string | number): string {
  const at = new Date(time)
  const padTwo = (value: number) => String(value).padStart(2, '0')
  return `${toDay(at)}T${padTwo(at.getHours())}:${padTwo(at.getMinutes())}`
}

/** The moment that such a field means, in milliseconds; no number where it is empty. */
export const parseDateTimeInput = (input: string): number => new Date(input).getTime()
