let isOpening = true

/** Ends the time in which the page is opened. */
export const markOpened = (): void => {
  isOpening = false
}

/**
 * Whether the first screen is being opened at its top, so that what is below can be rendered after it is shown. A page that is
 * reloaded or returned to scrolls to where it was, and so does one to the target in its URL.
 */
export function isOpeningAtTop(): boolean {
  if (!isOpening) return false
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return navigation?.type === 'navigate' && window.location.hash === ''
}
