import hashlib, hmac, json, time

def verify(body: bytes, headers, secret: str) -> dict:
    timestamp = headers.get("X-Service-Timestamp", "")
    signed = timestamp.encode() + b"." + body
    expected = "sha256=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    given = [headers.get("X-Service-Signature", ""), headers.get("X-Service-Signature-Next", "")]
    if not any(hmac.compare_digest(expected.encode(), one.encode()) for one in given):
        raise ValueError("The signature does not fit.")
    if abs(time.time() - int(timestamp)) > 300:
        raise ValueError("The delivery is too old.")
    return json.loads(body)
