import { Outlet } from '@tanstack/react-router'
import { useMe } from '../api/me.ts'
import { FullPageMessage } from '../components/full-page-message.tsx'

/** Around what operators of the instance do; nobody else is shown what there is. */
export function OperatorLayout() {
  const { isOperator } = useMe()
  if (isOperator) return <Outlet />
  return (
    <FullPageMessage title="This is for operators">
      <p>Your account does not operate this instance. Another operator can make it one.</p>
    </FullPageMessage>
  )
}
