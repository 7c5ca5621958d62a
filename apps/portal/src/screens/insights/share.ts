import { locale } from '../../format/locale.ts'
import type { Counts } from './insights-query.ts'

const percentFormat = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })

/** A part as a percentage; 0 % of nothing. */
export const formatShare = (part: string, whole: number): string =>
  percentFormat.format(whole === 0 ? 0 : Number(part) / whole)

/** The number of cases. */
export const sumCounts = ({ bans, mutes, warnings, kicks }: Omit<Counts, 'lifted' | 'appealed'>): number =>
  [bans, mutes, warnings, kicks].reduce((total, count) => total + Number(count), 0)
