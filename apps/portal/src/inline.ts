// Runs inside the page, before any file is loaded. Keep it small.
import { startEarlyReads } from './api/start-early-reads.ts'

// Before the first paint, to avoid a flash of the wrong color scheme. The key is Mantine's.
const storedScheme = localStorage.getItem('mantine-color-scheme-value')
const isDark =
  storedScheme === 'dark' || (storedScheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light'

// For high contrast mode, which can be switched on later. With `media`, a browser would load it in every mode.
const forcedColors = matchMedia('(forced-colors: active)')
const forcedColorsStyle = document.querySelector('link[disabled]') as HTMLLinkElement
const followForcedColors = () => {
  forcedColorsStyle.disabled = !forcedColors.matches
}
followForcedColors()
forcedColors.onchange = followForcedColors

// The other pages are for changing who is signed in.
const isSignedInPage = !/^\/(sign-in|first-run|invitation)/.test(location.pathname)
if (document.documentElement.dataset.authState === 'signed-in' && isSignedInPage) startEarlyReads()
