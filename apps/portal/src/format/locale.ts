/** The words of the page are English, so its dates are too: in the reader's kind of it where the browser knows one. */
export const locale = navigator.languages.find((language) => language.startsWith('en')) ?? 'en-GB'

/** The reader's time zone, by its name: `Europe/Lisbon`. */
export const timeZone = new Intl.DateTimeFormat(locale).resolvedOptions().timeZone
