-- Sliding windows as API Umbrella counts them: the current period, and the part of the previous
-- one that still overlaps. Counters are shared by all workers; what a worker may keep for itself
-- (the counter's name, and the previous period's count, which no longer changes) it keeps.

local lrucache = require "resty.lrucache"

local counters = ngx.shared.counters
local ceil, floor, max = math.ceil, math.floor, math.max

local limits = {}
limits.__index = limits

function limits.new(rules)
  for index, rule in ipairs(rules) do
    rule.name = rule.by .. ":" .. rule.duration .. ":"
    rule.expiry = rule.duration * 2 / 1000 + 1 -- seconds
    rule.windows = lrucache.new(10000)
    rule.policy = '"' .. rule.duration / 1000 .. '-seconds"'
    rule.policy_field = rule.policy .. ";q=" .. rule.limit .. ";w=" .. rule.duration / 1000
    rules[index] = rule
  end
  return setmetatable({ rules = rules }, limits)
end

local function open_window(rule, subject, start)
  local base = rule.name .. subject .. ":"
  local window = {
    start = start,
    counter = base .. start,
    previous = counters:get(base .. (start - rule.duration)) or 0,
  }
  rule.windows:set(subject, window)
  return window
end

-- Counts a call; a call that is refused does not count. Gives whether it may pass and how many
-- more may.
local function take(rule, subject, now)
  local start = floor(now / rule.duration) * rule.duration
  local window = rule.windows:get(subject)
  if not window or window.start ~= start then window = open_window(rule, subject, start) end
  local current, problem = counters:incr(window.counter, 1, 0, rule.expiry)
  if not current then
    ngx.log(ngx.ERR, "a call could not be counted: ", problem)
    return true, rule.limit
  end
  local estimate = current
  if window.previous > 0 then
    estimate = current + floor(window.previous * (1 - (now - start) / rule.duration))
  end
  if estimate > rule.limit then
    counters:incr(window.counter, -1)
    return false, 0
  end
  return true, rule.limit - estimate
end

-- Counts a call against every limit, in order, until one is exceeded. Gives whether it may pass,
-- the rule that the answer's headers tell of, how many calls it leaves, and the seconds until it
-- leaves more. `now` in milliseconds.
function limits:count(bucket, address, user_id, now)
  local by_key = bucket .. ":" .. (user_id or address)
  local by_address = bucket .. ":" .. address
  local told, remaining, seconds
  for _, rule in ipairs(self.rules) do
    local passes, rest = take(rule, rule.by == "ip" and by_address or by_key, now)
    if rule.headers then
      told, remaining = rule, max(0, rest)
      seconds = ceil((rule.duration - now % rule.duration) / 1000)
    end
    if not passes then return false, told, remaining, seconds end
  end
  return true, told, remaining, seconds
end

return limits
