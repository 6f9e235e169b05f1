BODY='{"id":"evt_1","event":"message.received","data":{"message":{"content":"Hello 👋"}}}'
TIME=$(date +%s)
SIGNATURE=$(printf '%s' "$TIME.$BODY" | openssl dgst -sha256 -hmac "$FRONTDESK_WEBHOOK_SECRET" -r | cut -d ' ' -f 1)
curl --silent --output /dev/null --write-out '%{http_code}\n' --data-binary "$BODY" \
  --header "Content-Type: application/json" --header "X-Service-Timestamp: $TIME" \
  --header "X-Service-Signature: sha256=$SIGNATURE" "${RECEIVER:-http://127.0.0.1:3000}"
