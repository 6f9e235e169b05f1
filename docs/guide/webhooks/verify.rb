require "json"
require "openssl"

def verify(body, headers, secret)
  timestamp = headers["X-Service-Timestamp"].to_s
  expected = "sha256=" + OpenSSL::HMAC.hexdigest("SHA256", secret, "#{timestamp}.".b + body.b)
  given = [headers["X-Service-Signature"], headers["X-Service-Signature-Next"]]
  fits = given.any? { |one| OpenSSL.secure_compare(expected, one.to_s) }
  raise ArgumentError, "The signature does not fit." unless fits
  raise ArgumentError, "The delivery is too old." if (Time.now.to_i - timestamp.to_i).abs > 300
  JSON.parse(body)
end
