-- Decides over a call as Portico's guarded backend does: whose key it is, whether the limits let
-- it pass, and which headers go on and come back.

local limits = require "limits"
local users = require "users"

local var = ngx.var
local set_header, clear_header = ngx.req.set_header, ngx.req.clear_header

local guard = {}
guard.__index = guard

function guard.new(backend, rules)
  return setmetatable({ backend = backend, limits = limits.new(rules) }, guard)
end

local function refuse(status, code, message)
  ngx.ctx.refusal = code
  ngx.status = status
  ngx.header["Content-Type"] = "application/json"
  ngx.header["Access-Control-Allow-Origin"] = "*"
  ngx.print('{"error":{"code":"', code, '","message":"', message, '"}}')
  return ngx.exit(status)
end

-- The first key that is not empty: header, query, Basic user name.
local function read_key()
  local key = var.http_x_api_key
  if key and key ~= "" then return key end
  key = var.arg_api_key
  if key and key ~= "" then return key end
  key = var.remote_user
  if key and key ~= "" then
    clear_header("Authorization")
    return key
  end
end

local function remove_key_from_query()
  local query = var.args
  if not query or not query:find("api_key", 1, true) then return end
  local kept = {}
  for field in query:gmatch("[^&]+") do
    if field:sub(1, 8) ~= "api_key=" then kept[#kept + 1] = field end
  end
  ngx.req.set_uri_args(table.concat(kept, "&"))
end

-- access_by_lua: lets the call through, or answers it.
function guard:admit()
  local ctx = ngx.ctx
  ctx.request_id = var.request_id
  local key = read_key()
  if not key then return refuse(403, "API_KEY_MISSING", "No api_key was supplied.") end
  local user = users.find(key)
  if not user then return refuse(403, "API_KEY_INVALID", "An invalid api_key was supplied.") end
  ctx.user = user
  if user.disabled then
    return refuse(403, "API_KEY_DISABLED", "The api_key supplied has been disabled.")
  end
  local now = ngx.now() * 1000
  local passes
  passes, ctx.told, ctx.remaining, ctx.seconds =
    self.limits:count(self.backend.id, var.remote_addr, user.id, now)
  if not passes then
    return refuse(429, "OVER_RATE_LIMIT", "You have exceeded your rate limit.")
  end
  clear_header("X-Api-Key")
  remove_key_from_query()
  set_header("X-Api-User-Id", user.id)
  if user.roles ~= "" then
    set_header("X-Api-Roles", user.roles)
  else
    clear_header("X-Api-Roles")
  end
end

-- header_filter_by_lua: the headers of the answer.
function guard:answer()
  local ctx, header = ngx.ctx, ngx.header
  header["X-Request-Id"] = ctx.request_id
  local told = ctx.told
  if told then
    header["X-RateLimit-Limit"] = told.limit
    header["X-RateLimit-Remaining"] = ctx.remaining
    header["RateLimit-Policy"] = told.policy_field
    header["RateLimit"] = told.policy .. ";r=" .. ctx.remaining .. ";t=" .. ctx.seconds
  end
end

return guard
