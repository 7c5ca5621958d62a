import './styles.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/query-client.ts'
import { getStyleNonce } from './app/nonce.ts'
import { cssVariables, theme } from './app/theme.ts'
import { router } from './router.tsx'
import { SessionExpiredDialog } from './screens/sign-in/session-expired-dialog.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('the page has no place for the portal')

createRoot(root).render(
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariables}
    defaultColorScheme="auto"
    getStyleNonce={getStyleNonce}
  >
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <SessionExpiredDialog />
    </QueryClientProvider>
  </MantineProvider>,
)
