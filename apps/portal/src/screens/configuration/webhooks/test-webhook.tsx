import { Button, Stack, Text } from '@mantine/core'
import { DELIVERY_TIMEOUT_SECONDS } from '@reeve/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { getErrorMessage } from '../../../api/error.ts'
import { useWorkspace } from '../../../api/me.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { DialogFooter } from '../../../components/dialog-footer.tsx'
import { LoadingRows } from '../../../components/empty-error-loading.tsx'
import { FormAlert } from '../../../forms/form-alert.tsx'
import { deliveryQuery, sendTest } from './delivery-data.ts'
import { DeliveryContent, DeliveryFacts } from './delivery-details.tsx'
import { describeOutcome } from './describe-outcome.ts'
import type { Webhook } from './webhook-data.ts'

interface Props {
  /** The webhook to test; null while the dialog is closed. */
  readonly webhook: Webhook | null
  readonly close: () => void
}

/** Sends a test event, and shows the request and the response. */
export const TestWebhook = ({ webhook, close }: Props) => (
  <Dialog opened={webhook !== null} onClose={close} size="lg" title={webhook ? `Test “${webhook.name}”` : ''}>
    {webhook ? <Result webhook={webhook} close={close} /> : null}
  </Dialog>
)

function Result({ webhook, close }: { readonly webhook: Webhook; readonly close: () => void }) {
  const { id: workspaceId } = useWorkspace()
  const test = useMutation({ mutationFn: () => sendTest(workspaceId, webhook) })
  const { data: delivery, error } = useQuery({
    ...deliveryQuery(workspaceId, test.data?.id ?? '', { waits: true }),
    enabled: test.data !== undefined,
  })
  // Opening the dialog sends the first one.
  const { mutate } = test
  useEffect(() => mutate(), [mutate])
  const failure = test.error ?? error
  const isFinished = !test.isPending && delivery !== undefined && delivery.state !== 'pending'
  return (
    <Stack gap="md">
      <Text size="sm" role="status" fw={isFinished ? 600 : 400}>
        {isFinished
          ? describeOutcome(delivery)
          : `Waiting for the response, for up to ${DELIVERY_TIMEOUT_SECONDS} seconds…`}
      </Text>
      {isFinished ? (
        <>
          <DeliveryFacts delivery={delivery} />
          <DeliveryContent delivery={delivery} />
        </>
      ) : failure ? null : (
        <LoadingRows rows={3} height={72} />
      )}
      <DialogFooter note={<FormAlert>{failure ? getErrorMessage(failure) : ''}</FormAlert>}>
        <Button variant="default" onClick={() => mutate()} loading={!isFinished && !failure}>
          Send again
        </Button>
        <Button onClick={close} data-autofocus>
          Done
        </Button>
      </DialogFooter>
    </Stack>
  )
}
