dofile(os.getenv("BENCH_LOAD") .. "/callers.lua")
local path = target == "reeve" and "/api/events?limit=20&workspaceId=" or "/events?limit=20&workspaceId="
local from = "&from=" .. os.getenv("BENCH_NOW")
request = function()
  local caller = random_caller()
  return wrk.format("GET", path .. caller.id .. from, caller.headers)
end
