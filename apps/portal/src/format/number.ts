import { locale } from './locale.ts'

const numberFormat = new Intl.NumberFormat(locale)
const pluralRules = new Intl.PluralRules('en')

/** `12,345`. Also accepts counts as strings, as the API returns them. */
export const formatNumber = (value: number | string): string => numberFormat.format(Number(value))

/** `1 player`, `12,345 players`. */
export const pluralize = (value: number | string, one: string, other = `${one}s`): string =>
  `${formatNumber(value)} ${pluralRules.select(Number(value)) === 'one' ? one : other}`

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** `4.2 MB`. Rounds down as the server's messages do, so that what has space left never seems full. */
export function formatBytes(value: number | string): string {
  const size = Number(value)
  const unitIndex = Math.min(Math.floor(Math.log10(Math.max(size, 1)) / 3), byteUnits.length - 1)
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: byteUnits[unitIndex] ?? 'byte',
    unitDisplay: unitIndex === 0 ? 'long' : 'short',
    maximumFractionDigits: unitIndex === 0 ? 0 : 1,
    roundingMode: 'floor',
  }).format(size / 1000 ** unitIndex)
}
