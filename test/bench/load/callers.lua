-- Shared by every load script: the workspaces, their API keys and the players.
local callers = {}
for line in io.lines(os.getenv("BENCH_CALLERS")) do
  local id, key = line:match("(%S+) (%S+)")
  callers[#callers + 1] = { id = id, headers = { ["Authorization"] = "Bearer " .. key, ["Content-Type"] = "application/json" } }
end
math.randomseed(tonumber(os.getenv("BENCH_SEED")))

local players = tonumber(os.getenv("BENCH_PLAYERS"))

function random_caller() return callers[math.random(#callers)] end

-- Half of the checked players are banned.
function random_player() return tostring(1000000 + math.random(0, 2 * players - 1)) end

function random_roster(count)
  local ids = {}
  for i = 1, count do ids[i] = random_player() end
  return table.concat(ids, ",")
end

target = os.getenv("BENCH_TARGET")
