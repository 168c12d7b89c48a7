/** Where the API lives; the gateway sends everything below to `handleApi`. */
export const API_BASE = "/admin/api";
