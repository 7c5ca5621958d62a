/**
 * Keeps the focus where the user is. A browser gives it to the whole page when the element that has it is disabled, as buttons are while
 * their request runs, or removed, as a button is whose action is done: a keyboard or a screen reader would start from the top.
 *
 * It starts when it is loaded, which the shell does with the dialog that asks to sign in again: the first screen needs none of it.
 */

/** How long dialogs and menus have to give the focus back themselves when they close: Mantine takes 10 ms. */
const GRACE_MS = 100

const FIELDS = ':is(textarea, select, input:not([type="hidden"], [type="file"])):enabled'
const MODAL_DIALOGS = '[role="dialog"][aria-modal="true"]'

/** What had the focus last; null before that, and once the user has left it. */
let last: HTMLElement | null = null
/** Whether it has lost the focus because it was disabled or removed. */
let wasTaken = false
let isScheduled = false

const isUsable = (element: Element): boolean => element.isConnected && !element.matches(':disabled')

function isFocusLost(): boolean {
  const { activeElement } = document
  return activeElement === null || activeElement === document.body || activeElement.matches(':disabled')
}

/** Where the focus belongs that an element has lost; null while that is not known. */
function findTarget(element: HTMLElement): HTMLElement | null {
  if (isUsable(element)) return element
  if (element.isConnected) {
    // A button that stays disabled, because its field is empty again.
    const isBusy = element.dataset.loading !== undefined
    return isBusy ? null : (element.closest('form')?.querySelector<HTMLElement>(FIELDS) ?? null)
  }
  if (element.dataset.leavesFocus !== undefined) return null
  const dialogs = document.querySelectorAll<HTMLElement>(MODAL_DIALOGS)
  return dialogs.item(dialogs.length - 1) ?? document.querySelector<HTMLElement>('main h1')
}

function recoverFocus(): void {
  isScheduled = false
  if (last && wasTaken && isFocusLost()) findTarget(last)?.focus({ preventScroll: true })
}

function handleChanges(): void {
  if (!last) return
  if (!isUsable(last)) wasTaken = true
  if (isScheduled || !wasTaken || !isFocusLost() || !findTarget(last)) return
  isScheduled = true
  setTimeout(recoverFocus, GRACE_MS)
}

/** What has the focus, or has it again once it is not disabled any more; null for nothing. */
export function getFocused(): HTMLElement | null {
  if (isFocusLost()) return last
  return document.activeElement instanceof HTMLElement ? document.activeElement : null
}

/** Gives the focus to what had it earlier. If that is still disabled, it gets it when it is not; if it is gone, the dialog or the heading does. */
export function returnFocus(element: HTMLElement | null): void {
  element?.focus()
  last = element
  handleChanges()
}

function handleFocusIn({ target }: FocusEvent): void {
  last = target as HTMLElement
  wasTaken = false
}

function handleFocusOut({ target }: FocusEvent): void {
  // A browser may send this before it removes the element.
  queueMicrotask(() => {
    if (target === last && isUsable(target as HTMLElement) && isFocusLost()) last = null
  })
}

last = getFocused()
document.addEventListener('focusin', handleFocusIn)
document.addEventListener('focusout', handleFocusOut)
new MutationObserver(handleChanges).observe(document.body, {
  subtree: true,
  childList: true,
  attributeFilter: ['disabled'],
})
