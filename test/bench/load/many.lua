dofile(os.getenv("BENCH_LOAD") .. "/callers.lua")
local path = target == "reeve" and "/api/moderation?banList=true&limit=100&workspaceId=" or "/many?banList=true&workspaceId="
request = function()
  local caller = random_caller()
  return wrk.format("GET", path .. caller.id .. "&userId=" .. random_roster(100), caller.headers)
end
