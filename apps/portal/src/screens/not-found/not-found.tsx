import { Anchor, Group } from '@mantine/core'
import { useEffect } from 'react'
import { Message } from '../../components/message.tsx'

/** There is no such screen. */
export function NotFound() {
  useEffect(() => {
    document.title = 'Not found · Reeve'
  }, [])
  return (
    <Message title="There is nothing here">
      <p>The address may be mistyped, or what was here is gone.</p>
      <Group>
        <Anchor href="/">Go to the start</Anchor>
      </Group>
    </Message>
  )
}
