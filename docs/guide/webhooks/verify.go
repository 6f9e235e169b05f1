package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"time"
)

func Verify(body []byte, header http.Header, secret string) error {
	timestamp := header.Get("X-Service-Timestamp")
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	expected := []byte("sha256=" + hex.EncodeToString(mac.Sum(nil)))
	if !hmac.Equal(expected, []byte(header.Get("X-Service-Signature"))) &&
		!hmac.Equal(expected, []byte(header.Get("X-Service-Signature-Next"))) {
		return errors.New("the signature does not fit")
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return errors.New("the delivery is too old")
	}
	return nil
}
