dofile(os.getenv("BENCH_LOAD") .. "/callers.lua")
local path = target == "reeve" and "/api/moderation?banList=true&workspaceId=" or "/one?banList=true&workspaceId="
request = function()
  local caller = random_caller()
  return wrk.format("GET", path .. caller.id .. "&userId=" .. random_player(), caller.headers)
end
