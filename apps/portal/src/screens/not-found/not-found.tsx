import { Anchor, Group } from '@mantine/core'
import { useEffect } from 'react'
import { FullPageMessage } from '../../components/full-page-message.tsx'

/** The screen for unknown URLs. */
export function NotFound() {
  useEffect(() => {
    document.title = 'Not found · Reeve'
  }, [])
  return (
    <FullPageMessage title="Page not found">
      <p>The URL may be mistyped, or the page no longer exists.</p>
      <Group>
        <Anchor href="/">Go to the home page</Anchor>
      </Group>
    </FullPageMessage>
  )
}
