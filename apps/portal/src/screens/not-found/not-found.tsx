import { Anchor, Group } from '@mantine/core'
import { useEffect } from 'react'
import { FullPageMessage } from '../../components/full-page-message.tsx'

/** There is no such screen. */
export function NotFound() {
  useEffect(() => {
    document.title = 'Not found · Reeve'
  }, [])
  return (
    <FullPageMessage title="There is nothing here">
      <p>The address may be mistyped, or what was here is gone.</p>
      <Group>
        <Anchor href="/">Go to the start</Anchor>
      </Group>
    </FullPageMessage>
  )
}
