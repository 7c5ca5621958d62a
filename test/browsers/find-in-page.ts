import { computeAccessibleName, getRole } from 'dom-accessibility-api'

/** Runs in the page: finds elements as assistive technology and people do, by role and accessible name. */

const CANDIDATES = 'a, button, input, select, textarea, img, h1, h2, h3, h4, dialog, section, ul, [role]'

const isHidden = (element: Element): boolean =>
  !element.checkVisibility({ visibilityProperty: true }) ||
  element.closest('[aria-hidden="true"], [inert]') !== null

/** The role of an element. A password field has none in ARIA, but people type into it like into any other. */
const findRole = (element: Element): string | null =>
  element.matches('[type=password]') ? 'textbox' : getRole(element)

/**
 * Returns the element with this role and accessible name, or null if there is none yet.
 * @throws Error if several elements match
 */
function findByRole(role: string, name: string): Element | null {
  const matches = [...document.querySelectorAll(CANDIDATES)].filter(
    (element) => findRole(element) === role && !isHidden(element) && computeAccessibleName(element) === name,
  )
  if (matches.length > 1) throw new Error(`${matches.length} elements are a ${role} named “${name}”`)
  return matches[0] ?? null
}

const nextFrame = () => new Promise((next) => requestAnimationFrame(next))

const describeBox = (element: Element): string => JSON.stringify(element.getBoundingClientRect())

/** Whether a click in the middle of an element reaches it. */
function isOnTop(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect()
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
}

/**
 * Returns where to click for the element with this role and accessible name: the element or, if it is drawn by its label,
 * that. Null while there is none, it moves, or something covers it.
 */
async function findClickable(role: string, name: string): Promise<Element | null> {
  const element = findByRole(role, name)
  if (!element) return null
  element.scrollIntoView({ block: 'nearest' })
  const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : []
  const box = describeBox(element)
  await nextFrame()
  await nextFrame()
  if (!element.isConnected || describeBox(element) !== box) return null
  return [element, ...labels].find(isOnTop) ?? null
}

Object.assign(globalThis, { findByRole, findClickable })
