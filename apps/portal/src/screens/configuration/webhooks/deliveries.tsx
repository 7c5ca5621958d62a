import { NativeSelect } from '@mantine/core'
import { DELIVERY_DAYS } from '@reeve/core'
import { IconSend } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspace } from '../../../api/me.ts'
import { DataList } from '../../../components/data-list.tsx'
import { EmptyState } from '../../../components/empty-error-loading.tsx'
import { notifyError, notifySuccess } from '../../../components/toast.tsx'
import { useFilters } from '../../../components/use-filters.ts'
import { type Delivery, deliveriesQuery, findPollInterval, resendDelivery } from './delivery-data.ts'
import { deliveryFilterParsers } from './delivery-filters.ts'
import { DeliveryRow } from './delivery-row.tsx'
import { type Webhook, webhooksKey } from './webhook-data.ts'
import classes from './webhooks.module.css'

const stateOptions = [
  { value: '', label: 'Any' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'pending', label: 'Pending' },
  { value: 'failed', label: 'Failed' },
]

/** What was sent to a webhook, newest first, with filters. */
export function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const client = useQueryClient()
  const { id: workspaceId, isArchived } = useWorkspace()
  const [filters, setFilters] = useFilters(deliveryFilterParsers)
  const pages = useInfiniteQuery({
    ...deliveriesQuery(workspaceId, webhook.id, filters),
    refetchInterval: ({ state: { data } }) =>
      findPollInterval(data?.pages.flatMap(({ deliveries }) => deliveries) ?? []),
  })
  const isFiltered = Object.keys(filters).length > 0
  // Kept here, because a row that is scrolled far away is not rendered.
  const [openIds, setOpenIds] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) => {
    const next = new Set(openIds)
    if (!next.delete(id)) next.add(id)
    setOpenIds(next)
  }
  const resend = (delivery: Delivery) => {
    const run = async () => {
      await resendDelivery(workspaceId, delivery)
      await client.invalidateQueries({ queryKey: webhooksKey(workspaceId) })
      notifySuccess(`${delivery.type} is sent again.`)
    }
    run().catch(notifyError)
  }
  return (
    <>
      <search className={classes.filters} aria-label="Delivery filters">
        <NativeSelect
          label="Status"
          data={stateOptions}
          value={filters.state ?? ''}
          onChange={(event) => setFilters({ state: event.currentTarget.value || undefined })}
        />
      </search>
      <DataList
        pages={pages}
        label="Deliveries"
        rows={({ deliveries }) => deliveries}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={IconSend} title={isFiltered ? 'No matching deliveries' : 'No deliveries yet'}>
            {isFiltered
              ? 'Choose another status.'
              : `Each event that is sent appears here for ${DELIVERY_DAYS} days, with the request and the response.`}
          </EmptyState>
        }
      >
        {(delivery) => (
          <DeliveryRow
            delivery={delivery}
            isOpen={openIds.has(delivery.id)}
            toggle={() => toggle(delivery.id)}
            resend={isArchived ? undefined : resend}
          />
        )}
      </DataList>
    </>
  )
}
