import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/query-client.ts'
import { pauseWithoutSession } from './app/pause-without-session.ts'
import { SessionExpired } from './app/session-expired.tsx'
import { SessionPage } from './app/session-page.tsx'
import { protectTaps } from './app/steady-rows.ts'
import { cssVariables, theme } from './app/theme.ts'
import { Verification } from './app/verification.tsx'

/** The CSP nonce for style elements. A browser exposes it to scripts only. */
const styleNonce = document.querySelector<HTMLLinkElement>('link[nonce]')?.nonce ?? ''
// react-remove-scroll, which locks the page behind a dialog, reads the nonce from here.
setNonce(styleNonce)

pauseWithoutSession()
protectTaps()

const root = document.getElementById('root')
if (!root) throw new Error('the page has no #root element')

createRoot(root).render(
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariables}
    defaultColorScheme="auto"
    getStyleNonce={() => styleNonce}
  >
    <QueryClientProvider client={queryClient}>
      <SessionPage />
      <Verification />
      <SessionExpired />
    </QueryClientProvider>
  </MantineProvider>,
)
