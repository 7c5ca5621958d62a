import { loadOnOpen } from './load-on-open.tsx'

/** Asks before the text of a form is lost that is a part of a page. What asks is loaded once there is text. */
export const UnsavedText = loadOnOpen(
  async () => (await import('./unsaved-text-guard.tsx')).UnsavedTextGuard,
  ({ hasText }) => hasText,
  () => {},
)
