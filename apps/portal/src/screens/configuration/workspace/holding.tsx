import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { sentenceOf } from '../../../api/error.ts'
import { count, number } from '../../../format/number.ts'
import { type Counts, contentQuery } from './data.ts'
import classes from './workspace.module.css'

/** What a workspace holds, kind by kind, and what one and several of them are called. */
const kinds = [
  ['members', 'member', 'members'],
  ['roles', 'role', 'roles'],
  ['departments', 'department', 'departments'],
  ['records', 'record', 'records'],
  ['recordVersions', 'earlier version of records', 'earlier versions of records'],
  ['events', 'event', 'events'],
  ['media', 'image', 'images'],
] as const satisfies readonly (readonly [keyof Counts, string, string])[]

/** What is there of each kind, in a line. */
export const HoldingLine = ({ counts }: { readonly counts: Counts }) => (
  <Text size="sm" c="dimmed" component="span">
    {kinds
      .filter(([kind]) => counts[kind] !== '0')
      .map(([kind, one, other]) => count(counts[kind] ?? 0, one, other))
      .join(' · ')}
  </Text>
)

interface TableProps {
  readonly workspaceId: string
  /** What it would hold afterwards. */
  readonly then?: { readonly title: string; readonly counts: Counts }
}

/** How many of each kind a workspace holds now, and would hold then. */
export function HoldingTable({ workspaceId, then }: TableProps) {
  const { data, error } = useQuery(contentQuery(workspaceId))
  if (error && !data) {
    return (
      <Text size="sm" c="dimmed" my="sm">
        What it holds could not be counted. {sentenceOf(error)}
      </Text>
    )
  }
  return (
    <table className={classes.holding} aria-busy={!data}>
      <thead>
        <tr>
          <th scope="col">It holds</th>
          <th scope="col">now</th>
          {then ? <th scope="col">{then.title}</th> : null}
        </tr>
      </thead>
      <tbody>
        {kinds.map(([kind, , name]) => (
          <tr key={kind}>
            <th scope="row">{name}</th>
            <td>{data ? number(data.counts[kind] ?? 0) : <Skeleton h={16} w={32} ml="auto" />}</td>
            {then ? <td>{number(then.counts[kind] ?? 0)}</td> : null}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
