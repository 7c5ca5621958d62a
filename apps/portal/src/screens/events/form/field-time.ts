import { dayOf } from '../calendar.ts'

/** A moment as a field for date and time has it, in the reader's zone: `2026-03-01T18:00`. */
export function fieldOfMoment(moment: string | number): string {
  const at = new Date(moment)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${dayOf(at)}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** The moment that such a field means, in milliseconds; no number where it is empty. */
export const momentOfField = (field: string): number => new Date(field).getTime()
