require "json"
require "openssl"

def encoded(bytes)
  [bytes].pack("m0").tr("+/", "-_").delete("=")
end

def sign_identity(claims, secret)
  parts = [{ alg: "HS256", typ: "JWT" }, claims.merge(exp: Time.now.to_i + 3600)]
  signed = parts.map { |part| encoded(JSON.generate(part)) }.join(".")
  "#{signed}.#{encoded(OpenSSL::HMAC.digest("SHA256", secret, signed))}"
end
