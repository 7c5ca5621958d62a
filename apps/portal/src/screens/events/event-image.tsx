import { Anchor, Text } from '@mantine/core'
import classes from './details.module.css'
import { toLocalImagePath } from './event-data.ts'

/** The image of an event. An external image is only linked: the portal loads nothing from other hosts. */
export function EventImage({ url }: { readonly url: string }) {
  const path = toLocalImagePath(url)
  if (path !== null) return <img src={path} alt="" className={classes.image} />
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

/** An external link that sends no referrer. */
export const ExternalLink = ({ url, children }: ExternalLinkProps) => (
  <Anchor href={url} target="_blank" rel="noopener noreferrer" inherit>
    {children}
  </Anchor>
)
