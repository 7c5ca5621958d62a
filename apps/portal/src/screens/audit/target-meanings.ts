import { useDebouncedValue } from '@mantine/hooks'
import type { Permission } from '@reeve/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '../../api/client.ts'
import { useWorkspace } from '../../api/me.ts'
import type { Suggestions } from '../../components/token-field.tsx'
import { SEARCH_DEBOUNCE_MS } from '../../components/use-filters.ts'
import { describeCases, describePlayers, fetchCases, type Meaning } from '../moderation/filters/meanings.ts'
import { parseCaseNumber, parseCaseReference, searchPlayers } from '../moderation/filters/resolve-text.ts'

/** What a text can mean as the target of a change. */
export type TargetMeaning =
  | Meaning
  | { readonly kind: 'target'; readonly id: string; readonly label: string; readonly note: string }

const MAX_RESULTS = 20
const RECORD_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a text is the id of a record, a person or anything else that the service has created. */
const isRecordId = (text: string): boolean => RECORD_ID.test(text)

/** Everything that a text can mean to a reader with these permissions. */
export const targetMeaningsQuery = (
  workspaceId: string,
  permissions: ReadonlySet<Permission>,
  text: string,
) =>
  queryOptions({
    queryKey: [workspaceId, 'audit', 'target-meanings', text],
    enabled: text !== '',
    queryFn: async (): Promise<readonly TargetMeaning[]> => {
      if (isRecordId(text)) return [{ kind: 'target', id: text.toLowerCase(), label: 'This ID', note: text }]
      const canViewCases = permissions.has('moderation.view')
      const caseNumber = parseCaseNumber(text)
      const isReference = parseCaseReference(text) !== null
      const [cases, players, people] = await Promise.all([
        caseNumber !== null && canViewCases ? fetchCases(workspaceId, caseNumber) : null,
        canViewCases && !isReference ? searchPlayers(workspaceId, text, MAX_RESULTS) : null,
        permissions.has('members.view') && caseNumber === null ? searchPeople(workspaceId, text) : [],
      ])
      return [
        ...(cases ? describeCases(cases) : []),
        // Without access to cases, the number is taken as it is.
        ...(caseNumber !== null && !canViewCases ? [describeCaseNumber(caseNumber)] : []),
        ...(players ? describePlayers(text, players) : []),
        ...people,
      ]
    },
  })

const describeCaseNumber = (caseNumber: string): TargetMeaning => ({
  kind: 'case',
  caseNumber,
  label: `Case #${caseNumber}`,
  note: '',
})

async function searchPeople(workspaceId: string, q: string): Promise<readonly TargetMeaning[]> {
  const query = { workspaceId, q, limit: String(MAX_RESULTS) }
  const response = await unwrap(api.GET('/portal/api/members', { params: { query } }))
  if (!('members' in response)) return []
  return response.members.map(({ accountId, username }) => ({
    kind: 'target',
    id: accountId,
    label: `Person ${username}`,
    note: 'member of this workspace',
  }))
}

/** What a text can mean, while it is being typed. */
export function useTargetMeanings(text: string): Suggestions<TargetMeaning> {
  const { id: workspaceId, permissions } = useWorkspace()
  const [q] = useDebouncedValue(text, SEARCH_DEBOUNCE_MS)
  const { data, isLoading, isError } = useQuery(targetMeaningsQuery(workspaceId, permissions, q))
  return { meanings: q === '' ? [] : (data ?? []), isLoading: isLoading || q !== text, hasFailed: isError }
}
