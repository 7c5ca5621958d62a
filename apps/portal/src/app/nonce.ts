import { setNonce } from 'get-nonce'

/** What the style elements of this page are known by. The browser shows it to scripts alone. */
const nonce = document.querySelector<HTMLLinkElement>('link[nonce]')?.nonce ?? ''

// What keeps the page behind a dialog from scrolling makes its style element through this.
setNonce(nonce)

export const getStyleNonce = (): string => nonce
