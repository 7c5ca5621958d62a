/** The portal is in English, so its dates are too: in the browser's preferred English locale, or `en-GB`. */
export const locale = navigator.languages.find((language) => language.startsWith('en')) ?? 'en-GB'

/** The browser's time zone: `Europe/Lisbon`. */
export const timeZone = new Intl.DateTimeFormat(locale).resolvedOptions().timeZone

/** The browser's time zone for people: `America/New York`. */
export const timeZoneName = timeZone.replaceAll('_', ' ')
