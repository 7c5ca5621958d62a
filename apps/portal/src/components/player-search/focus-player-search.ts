/** Marks a player search field, or the button that opens one, for the `/` shortcut. */
export const playerSearchAttribute = { 'data-player-search': '' } as const

/** Focuses the player search field of the screen or, if it has none, of the header; on a phone, opens the search. */
export function focusPlayerSearch(): void {
  const targets = [...document.querySelectorAll<HTMLElement>('[data-player-search]')].filter((target) =>
    target.checkVisibility(),
  )
  const target = targets.find((candidate) => candidate.closest('main')) ?? targets[0]
  if (target instanceof HTMLButtonElement) target.click()
  target?.focus()
  if (target instanceof HTMLInputElement) target.select()
}
