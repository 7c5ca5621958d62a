import { Anchor, Group } from '@mantine/core'
import { useMatches } from '@tanstack/react-router'
import { FullPageMessage } from '../../components/full-page-message.tsx'

/** The screen for unknown URLs, inside the layout of the URL or on its own, with or without a session. */
export function NotFound() {
  const hasLayout = useMatches({ select: (matches) => matches.length > 1 })
  const message = (
    <FullPageMessage title="Page not found">
      <p>The URL may be mistyped, or the page no longer exists.</p>
      <Group>
        <Anchor href="/">Go to the home page</Anchor>
      </Group>
    </FullPageMessage>
  )
  return hasLayout ? message : <main>{message}</main>
}
