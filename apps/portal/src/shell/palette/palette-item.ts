import { matchRanks, type Permission, rankTextMatch } from '@reeve/core'
import {
  type Icon,
  IconCalendarEvent,
  IconGavel,
  IconKey,
  IconMailForward,
  IconShieldLock,
  IconSitemap,
  IconUser,
  IconUsers,
} from '@tabler/icons-react'

/** Something that the palette finds: it opens a page, or does something. */
export interface PaletteItem {
  /** Unique in the palette, and stable, because recent choices are stored by it. */
  readonly id: string
  readonly label: string
  readonly detail?: string | undefined
  /** Other words that find it. */
  readonly keywords?: readonly string[]
  readonly icon: Icon
  /** A path of the portal, or a function. */
  readonly target: string | (() => unknown)
  /** Not among the recent choices: it depends on what was typed. */
  readonly isTransient?: boolean
  /** Set for what the server found. */
  readonly kind?: HitKind
}

export interface PaletteGroup {
  readonly title: string
  readonly items: readonly PaletteItem[]
}

/** The kinds of what the server finds, in the order of the palette. */
export const hitKinds = {
  player: { title: 'Players', icon: IconUser, permission: 'moderation.view' },
  case: { title: 'Cases', icon: IconGavel, permission: 'moderation.view' },
  member: { title: 'People', icon: IconUsers, permission: 'members.view' },
  role: { title: 'Roles', icon: IconShieldLock, permission: 'roles.view' },
  department: { title: 'Departments', icon: IconSitemap, permission: 'departments.view' },
  event: { title: 'Events', icon: IconCalendarEvent, permission: 'events.view' },
  apiKey: { title: 'API keys', icon: IconKey, permission: 'api_keys.manage' },
  invitation: { title: 'Invitations', icon: IconMailForward, permission: 'members.manage' },
} as const satisfies Record<string, { title: string; icon: Icon; permission: Permission }>
export type HitKind = keyof typeof hitKinds

/** Added to the rank of a match in the keywords, so that matches in labels come first. */
const KEYWORD_PENALTY = 10

/** How well an item matches; null if it does not. Keywords match from the start of a word only. */
function rankItem({ label, keywords = [] }: PaletteItem, text: string): number | null {
  const keywordRanks = keywords
    .map((keyword) => rankTextMatch(keyword, text))
    .filter((rank) => rank !== null && rank <= matchRanks.wordPrefix)
    .map((rank) => Number(rank) + KEYWORD_PENALTY)
  const labelRank = rankTextMatch(label, text)
  const ranks = [...keywordRanks, ...(labelRank === null ? [] : [labelRank])]
  return ranks.length === 0 ? null : Math.min(...ranks)
}

/**
 * The items of each group that match a text, best first. The group with the best match comes first.
 * @param limit how many items of a group to keep
 */
export function filterGroups(groups: readonly PaletteGroup[], text: string, limit: number): PaletteGroup[] {
  return groups
    .map(({ title, items }) => {
      const matches = items
        .flatMap((item) => {
          const rank = rankItem(item, text)
          return rank === null ? [] : [{ item, rank }]
        })
        .sort((first, second) => first.rank - second.rank)
        .slice(0, limit)
      return { title, items: matches.map(({ item }) => item), bestRank: matches[0]?.rank ?? 0 }
    })
    .sort((first, second) => first.bestRank - second.bestRank)
}

/** Whether the label of an item contains a text at the start of a word, so that Enter can mean nothing else. */
export function isStrongMatch({ label, kind }: PaletteItem, text: string): boolean {
  const rank = rankTextMatch(label, text)
  return kind === undefined && rank !== null && rank <= matchRanks.wordPrefix
}
