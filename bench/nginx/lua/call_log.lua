-- A row of JSON for every call, with the fields of Portico's log: put in memory when the call
-- ends, appended to a file in blocks and at least once a second, as nginx does with its own log.

local var = ngx.var
local concat = table.concat
local find, gsub, format, byte = string.find, string.gsub, string.format, string.byte

local BLOCK = 128 -- rows written at a time: more would hold up calls

local call_log = {}
call_log.__index = call_log

function call_log.new(path)
  return setmetatable({ path = path, rows = {}, count = 0 }, call_log)
end

local function escaped(char)
  return format("\\u%04x", byte(char))
end

local function quoted(text)
  if find(text, '[%c"\\]') then text = gsub(text, '[%c"\\]', escaped) end
  return '"' .. text .. '"'
end

-- Texts that are left out of a row when the call has none, with where nginx keeps them.
local optional = {
  { '"request_url_query":', "args" },
  { '"request_user_agent":', "http_user_agent" },
  { '"request_accept":', "http_accept" },
  { '"request_accept_encoding":', "http_accept_encoding" },
  { '"request_content_type":', "content_type" },
  { '"request_origin":', "http_origin" },
  { '"request_referer":', "http_referer" },
  { '"response_content_type":', "sent_http_content_type" },
  { '"response_content_encoding":', "sent_http_content_encoding" },
  { '"response_server":', "upstream_http_server" },
  { '"api_backend_resolved_host":', "upstream_addr" },
}

-- log_by_lua
function call_log:record(guard)
  local ctx = ngx.ctx
  local user = ctx.user
  local row = {
    '{"request_id":"', ctx.request_id,
    '","request_at":', format("%d", ngx.now() * 1000),
    ',"request_method":', quoted(var.request_method),
    ',"request_scheme":"', var.scheme,
    '","request_host":', quoted(var.host),
    ',"request_port":', var.server_port,
    ',"request_path":', quoted(var.uri),
    ',"request_ip":"', var.remote_addr,
    '","request_size":', var.content_length or "0",
    ',"response_status":', var.status,
    ',"response_time":', var.request_time * 1000,
    ',"response_size":', var.body_bytes_sent,
    ',"api_backend_id":', quoted(guard.backend.id),
    ',"api_backend_name":', quoted(guard.backend.name),
  }
  local size = #row
  for _, field in ipairs(optional) do
    local value = var[field[2]]
    if value and value ~= "" then
      row[size + 1], row[size + 2], row[size + 3] = ",", field[1], quoted(value)
      size = size + 3
    end
  end
  if user then
    row[size + 1], row[size + 2] = ',"user_id":', quoted(user.id)
    row[size + 3], row[size + 4] = ',"user_email":', quoted(user.email)
    size = size + 4
  end
  if ctx.refusal then
    row[size + 1], row[size + 2] = ',"gatekeeper_denied_code":', quoted(ctx.refusal:lower())
    size = size + 2
  end
  row[size + 1] = "}\n"
  local count = self.count + 1
  self.rows[count] = concat(row)
  self.count = count
  if count == BLOCK then self:flush() end
end

function call_log:flush()
  if self.count == 0 then return end
  self.file:write(concat(self.rows, "", 1, self.count))
  self.file:flush()
  self.count = 0
end

-- init_worker_by_lua: opens the file, and writes what waits once a second.
function call_log:start()
  self.file = assert(io.open(self.path, "a"))
  assert(ngx.timer.every(1, function() self:flush() end))
end

return call_log
