import { Outlet } from '@tanstack/react-router'
import { useMe } from '../api/me.ts'
import { FullPageMessage } from '../components/full-page-message.tsx'

/** The layout of the operator screens, which only operators can see. */
export function OperatorLayout() {
  const { isOperator } = useMe()
  if (isOperator) return <Outlet />
  return (
    <FullPageMessage title="Operators only">
      <p>Your account is not an operator of this instance. An operator can make it one.</p>
    </FullPageMessage>
  )
}
