import { Anchor } from '@mantine/core'
import { findProfileUrl, formatPlatform, identifyPlayer } from '@reeve/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useWorkspace } from '../../../api/me.ts'

/** The platform of a player, and the link to their profile on it, if there is one. Nothing is loaded from it. */
export function ProfileLink({ userId }: { readonly userId: string }) {
  const { profileUrl, platforms } = useWorkspace()
  const identity = identifyPlayer(userId, platforms)
  const url = findProfileUrl(identity, platforms, profileUrl)
  const platform = formatPlatform(identity.platform)
  if (url === null) return <span>{platform}</span>
  return (
    <Anchor
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      size="sm"
      aria-label={`Profile of ${identity.id}, on ${new URL(url).hostname}, in a new tab`}
    >
      {platform} profile <IconExternalLink size={14} aria-hidden />
    </Anchor>
  )
}
