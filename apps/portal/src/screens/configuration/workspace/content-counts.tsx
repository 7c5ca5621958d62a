import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getErrorMessage } from '../../../api/error.ts'
import { formatNumber, pluralize } from '../../../format/number.ts'
import classes from './workspace.module.css'
import { type Counts, contentQuery } from './workspace-data.ts'

/** The kinds of content in a workspace, with singular and plural. */
const contentKinds = [
  ['members', 'member', 'members'],
  ['roles', 'role', 'roles'],
  ['departments', 'department', 'departments'],
  ['records', 'case', 'cases'],
  ['recordVersions', 'earlier case version', 'earlier case versions'],
  ['evidenceFiles', 'evidence file', 'evidence files'],
  ['events', 'event', 'events'],
  ['media', 'image', 'images'],
] as const satisfies readonly (readonly [keyof Counts, string, string])[]

/** The counts in one line; kinds with none are omitted. */
export const ContentSummary = ({ counts }: { readonly counts: Counts }) => (
  <Text size="sm" c="dimmed" component="span">
    {contentKinds
      .filter(([kind]) => counts[kind] !== '0')
      .map(([kind, singular, plural]) => pluralize(counts[kind] ?? 0, singular, plural))
      .join(' · ')}
  </Text>
)

interface ContentTableProps {
  readonly workspaceId: string
  /** The counts after the action. */
  readonly comparison?: { readonly title: string; readonly counts: Counts }
}

/** The counts of a workspace now and, optionally, after an action. */
export function ContentTable({ workspaceId, comparison }: ContentTableProps) {
  const { data, error } = useQuery(contentQuery(workspaceId))
  if (error && !data) {
    return (
      <Text size="sm" c="dimmed" my="sm">
        The content could not be counted. {getErrorMessage(error)}
      </Text>
    )
  }
  return (
    <table className={classes.contentTable} aria-busy={!data}>
      <thead>
        <tr>
          <th scope="col">Content</th>
          <th scope="col">Now</th>
          {comparison ? <th scope="col">{comparison.title}</th> : null}
        </tr>
      </thead>
      <tbody>
        {contentKinds.map(([kind, , name]) => (
          <tr key={kind}>
            <th scope="row">{name}</th>
            <td>{data ? formatNumber(data.counts[kind] ?? 0) : <Skeleton h={16} w={32} ml="auto" />}</td>
            {comparison ? <td>{formatNumber(comparison.counts[kind] ?? 0)}</td> : null}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
