import { Alert, VisuallyHidden } from '@mantine/core'
import type { SwitchableEndpoint } from '@reeve/core'
import { IconToggleLeft } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import {
  cloneElement,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
} from 'react'
import { useWorkspace } from '../api/me.ts'
import { endpointLabels } from '../screens/configuration/controls/endpoint-labels.ts'
import { EmptyState } from './empty-error-loading.tsx'
import { Hint } from './hint.tsx'

export const ARCHIVED = 'This workspace is archived and read-only.'

/** What the state of an endpoint and of the workspace means for a screen. */
export interface EndpointState {
  readonly mode: 'on' | 'read_only' | 'off'
  /** The message of the control; null if it has none. */
  readonly message: string | null
  /** Why nothing can be changed: the workspace is archived, or the endpoint is restricted. Null if it can be changed. */
  readonly blockedReason: string | null
  /** Why nothing can be changed through the endpoint, whether the workspace is archived or not. */
  readonly restrictedReason: string | null
}

/**
 * The state of an endpoint, updated when it changes.
 * @param endpoint null for what depends on no endpoint, but on whether the workspace is archived
 */
export function useEndpointState(endpoint: SwitchableEndpoint | null): EndpointState {
  const { isArchived, restrictedEndpoints } = useWorkspace()
  const { mode = 'on', message = null } = endpoint === null ? {} : (restrictedEndpoints.get(endpoint) ?? {})
  const restrictedReason = endpoint === null || mode === 'on' ? null : explain(endpoint, mode, message)
  return { mode, message, restrictedReason, blockedReason: isArchived ? ARCHIVED : restrictedReason }
}

function explain(endpoint: SwitchableEndpoint, mode: 'read_only' | 'off', message: string | null): string {
  const state = `${endpointLabels[endpoint].title} is ${mode === 'off' ? 'off' : 'read-only'}`
  return message === null ? `${state}.` : `${state}: “${message}”`
}

interface GuardProps {
  /** The endpoint that the action changes something through; null if it depends on no endpoint. */
  readonly endpoint: SwitchableEndpoint | null
  /** A menu item stays open with the reason when it is tapped. */
  readonly isMenuItem?: boolean
  /** Whether the action does not depend on whether the workspace is archived, such as restoring it. */
  readonly worksWhenArchived?: boolean
  /** Why the action has to wait; null or undefined if it need not. */
  readonly busyReason?: string | null
  /** What the tooltip says while the action is not blocked. */
  readonly hint?: ReactNode
  /** One button or menu item. */
  readonly children: ReactElement
}

/**
 * Disables an action while its endpoint is off or read-only, or the workspace is archived. The reason is a tooltip and the
 * action's description; the action can still be focused and tapped, to read it.
 */
export function WriteGuard({
  endpoint,
  isMenuItem = false,
  worksWhenArchived = false,
  busyReason = null,
  hint,
  children,
}: GuardProps) {
  const state = useEndpointState(endpoint)
  const blockedReason = (worksWhenArchived ? state.restrictedReason : state.blockedReason) ?? busyReason
  const reasonId = useId()
  const isBlocked = blockedReason !== null
  return (
    <>
      <Hint text={blockedReason ?? hint}>
        <GuardedAction
          isBlocked={isBlocked}
          hasHint={hint !== undefined}
          isMenuItem={isMenuItem}
          reasonId={reasonId}
          action={children}
        />
      </Hint>
      {isBlocked ? <VisuallyHidden id={reasonId}>{blockedReason}</VisuallyHidden> : null}
    </>
  )
}

interface GuardedActionProps {
  readonly isBlocked: boolean
  readonly hasHint: boolean
  readonly isMenuItem: boolean
  readonly reasonId: string
  readonly action: ReactElement
  readonly ref?: Ref<HTMLElement>
}

/** The target of the tooltip, which passes its reference and handlers as the other properties. */
function GuardedAction({
  isBlocked,
  hasHint,
  isMenuItem,
  reasonId,
  action,
  ref,
  ...tooltipProps
}: GuardedActionProps): ReactNode {
  // The tooltip has no handler of its own where the action has one.
  if (!isBlocked)
    return cloneElement(action, {
      ...(hasHint && { ...tooltipProps, ...(action.props as object) }),
      ref,
    } as object)
  return cloneElement(action, {
    ...tooltipProps,
    ...(isMenuItem && { closeMenuOnClick: false }),
    ref,
    'aria-disabled': true,
    'aria-describedby': reasonId,
    'data-blocked': true,
    onClick: (event: MouseEvent) => event.preventDefault(),
  } as object)
}

/** Says in a form that is already open why it cannot be submitted any more. */
export function BlockedAlert({ endpoint }: Pick<GuardProps, 'endpoint'>) {
  const { blockedReason } = useEndpointState(endpoint)
  return blockedReason === null ? null : (
    <Alert color="yellow" role="status" icon={<IconToggleLeft size={18} aria-hidden />}>
      {blockedReason} Your input is kept while this form is open.
    </Alert>
  )
}

/** Shows what is read through an endpoint, or why it cannot be read. What was read before the endpoint was off is forgotten. */
export function ReadGate({
  endpoint,
  children,
}: {
  readonly endpoint: SwitchableEndpoint
  readonly children: ReactNode
}) {
  return useEndpointState(endpoint).mode === 'off' ? <EndpointOff endpoint={endpoint} /> : children
}

function EndpointOff({ endpoint }: { readonly endpoint: SwitchableEndpoint }) {
  const { id: workspaceId } = useWorkspace()
  const client = useQueryClient()
  useEffect(
    () => client.removeQueries({ queryKey: [workspaceId, endpoint], type: 'inactive' }),
    [client, workspaceId, endpoint],
  )
  const { title } = endpointLabels[endpoint]
  return (
    <EmptyState icon={IconToggleLeft} title={`${title} is off`}>
      Nothing can be read or changed here until it is on again. This page then loads by itself.
    </EmptyState>
  )
}
