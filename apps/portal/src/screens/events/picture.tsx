import { Anchor, Text } from '@mantine/core'
import classes from './details.module.css'
import { ownPicture } from './event-data.ts'

/** The image of an event. One of another host is linked to: this page loads nothing from elsewhere. */
export function Picture({ address }: { readonly address: string }) {
  const path = ownPicture(address)
  if (path !== null) return <img src={path} alt="" className={classes.picture} />
  return (
    <Text size="sm">
      <Elsewhere address={address}>Image at {new URL(address).host}</Elsewhere>
    </Text>
  )
}

interface ElsewhereProps {
  readonly address: string
  readonly children: React.ReactNode
}

/** A link that leaves Reeve, and tells the other side nothing of where it stood. */
export const Elsewhere = ({ address, children }: ElsewhereProps) => (
  <Anchor href={address} target="_blank" rel="noopener noreferrer" inherit>
    {children}
  </Anchor>
)
