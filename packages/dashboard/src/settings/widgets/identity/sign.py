import base64, hashlib, hmac, json, time

def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

def sign_identity(claims: dict, secret: str) -> str:
    parts = [{"alg": "HS256", "typ": "JWT"}, {**claims, "exp": int(time.time()) + 3600}]
    signed = ".".join(encoded(json.dumps(part).encode()) for part in parts)
    return signed + "." + encoded(hmac.new(secret.encode(), signed.encode(), hashlib.sha256).digest())
