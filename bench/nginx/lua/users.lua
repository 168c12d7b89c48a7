-- Who holds a key: a table of this worker in front of the dictionary that all workers share,
-- as in Kong and API Umbrella.

local lrucache = require "resty.lrucache"

local shared = ngx.shared.users
local cache = lrucache.new(10000)
local TTL = 60 -- seconds a worker may go on with what it has read

local users = {}

local function parse(text)
  local id, email, roles, disabled = text:match("^([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)$")
  return { id = id, email = email, roles = roles, disabled = disabled == "1" }
end

function users.put(key, user)
  local fields = { user.id, user.email, user.roles, user.disabled and "1" or "0" }
  assert(shared:set(key, table.concat(fields, "\t")))
end

-- The user, or nil when nobody holds the key.
function users.find(key)
  local user = cache:get(key)
  if user then return user end
  local text = shared:get(key)
  if not text then return nil end
  user = parse(text)
  cache:set(key, user, TTL)
  return user
end

return users
