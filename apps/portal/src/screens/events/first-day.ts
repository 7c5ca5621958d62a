import { locale } from '../../format/locale.ts'

const MONDAY = 1

interface WeekInfo {
  readonly firstDay: number
}

const localeInfo = new Intl.Locale(locale) as Intl.Locale & {
  getWeekInfo?: () => WeekInfo
  weekInfo?: WeekInfo
}

/** The day that begins a week where the reader is, from 1, Monday, to 7, Sunday. Not every browser tells it. */
export const firstDay = (localeInfo.getWeekInfo?.() ?? localeInfo.weekInfo)?.firstDay ?? MONDAY
