import { Anchor } from '@mantine/core'
import { formatProfileUrl } from '@reeve/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useWorkspace } from '../../../api/me.ts'

/** The link to a player's profile on the game platform; nothing if the workspace has none. Nothing is loaded from it. */
export function ProfileLink({ userId }: { readonly userId: string }) {
  const { profileUrl } = useWorkspace()
  if (profileUrl === null) return null
  return (
    <Anchor
      href={formatProfileUrl(profileUrl, userId)}
      target="_blank"
      rel="noopener noreferrer nofollow"
      size="sm"
      aria-label={`Profile of ${userId}, on ${new URL(formatProfileUrl(profileUrl, userId)).hostname}, in a new tab`}
    >
      Profile <IconExternalLink size={14} aria-hidden />
    </Anchor>
  )
}
