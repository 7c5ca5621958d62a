import { locale } from '../../format/locale.ts'

const MONDAY = 1

interface WeekInfo {
  readonly firstDay: number
}

const localeInfo = new Intl.Locale(locale) as Intl.Locale & {
  getWeekInfo?: () => WeekInfo
  weekInfo?: WeekInfo
}

/** The first day of the week in the user's locale, 1 (Monday) to 7 (Sunday). Some browsers lack `weekInfo`. */
export const firstDayOfWeek = (localeInfo.getWeekInfo?.() ?? localeInfo.weekInfo)?.firstDay ?? MONDAY
