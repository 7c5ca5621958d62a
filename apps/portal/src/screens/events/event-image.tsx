import { Anchor, Text } from '@mantine/core'
import classes from './details.module.css'
import { toLocalImagePath } from './event-data.ts'

/** The image of an event. One of another host is linked to: this page loads nothing from elsewhere. */
export function EventImage({ url }: { readonly url: string }) {
  const path = toLocalImagePath(url)
  if (path !== null) return <img src={path} alt="" className={classes.picture} />
  return (
    <Text size="sm">
      <ExternalLink url={url}>Image at {new URL(url).host}</ExternalLink>
    </Text>
  )
}

interface ExternalLinkProps {
  readonly url: string
  readonly children: React.ReactNode
}

/** A link that leaves Reeve, and tells the other side nothing of where it stood. */
export const ExternalLink = ({ url, children }: ExternalLinkProps) => (
  <Anchor href={url} target="_blank" rel="noopener noreferrer" inherit>
    {children}
  </Anchor>
)
