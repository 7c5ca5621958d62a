import { locale } from './locale.ts'

const numberFormat = new Intl.NumberFormat(locale)
const plural = new Intl.PluralRules('en')

/** `12,345`. Takes counts as the server writes them, too. */
export const number = (value: number | string): string => numberFormat.format(Number(value))

/** `1 player`, `12,345 players`. */
export const count = (value: number | string, one: string, other = `${one}s`): string =>
  `${number(value)} ${plural.select(Number(value)) === 'one' ? one : other}`

const sizes = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** `4.2 MB`. */
export function bytes(value: number | string): string {
  const size = Number(value)
  const step = Math.min(Math.floor(Math.log10(Math.max(size, 1)) / 3), sizes.length - 1)
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: sizes[step] ?? 'byte',
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: step === 0 ? 0 : 1,
  }).format(size / 1000 ** step)
}
