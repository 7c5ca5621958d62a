import { flushSync } from 'react-dom'
import { createStore } from '../app/store.ts'

const printMedia = window.matchMedia('print')
const printing = createStore(printMedia.matches)

/** Renders at once: the page is printed as soon as the event has been handled. */
const update = (isPrinting: boolean): void => flushSync(() => printing.set(isPrinting))

window.addEventListener('beforeprint', () => update(true))
window.addEventListener('afterprint', () => update(false))
printMedia.addEventListener('change', () => update(printMedia.matches))

/** Whether the page is being printed: for what paper needs and the screen does not. */
export const useIsPrinting = printing.useValue
