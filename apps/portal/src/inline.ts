// Runs inside the page, before any file is loaded. Keep it small.
import { startEarlyReads } from './api/start-early-reads.ts'

// Before the first paint, to avoid a flash of the wrong color scheme. The key is Mantine's.
const storedScheme = localStorage.getItem('mantine-color-scheme-value')
const isDark =
  storedScheme === 'dark' || (storedScheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light'

// The other pages are for changing who is signed in.
const isSignedInPage = !/^\/(sign-in|first-run|invitation)/.test(location.pathname)
if (document.documentElement.dataset.authState === 'signed-in' && isSignedInPage) startEarlyReads()
