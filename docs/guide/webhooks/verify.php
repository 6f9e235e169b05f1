<?php
function verify(string $body, array $server, string $secret): array
{
    $timestamp = $server['HTTP_X_SERVICE_TIMESTAMP'] ?? '';
    $expected = 'sha256=' . hash_hmac('sha256', "$timestamp.$body", $secret);
    $fits = hash_equals($expected, $server['HTTP_X_SERVICE_SIGNATURE'] ?? '')
        || hash_equals($expected, $server['HTTP_X_SERVICE_SIGNATURE_NEXT'] ?? '');
    if (!$fits) throw new RuntimeException('The signature does not fit.');
    if (abs(time() - (int) $timestamp) > 300) throw new RuntimeException('The delivery is too old.');
    return json_decode($body, true, flags: JSON_THROW_ON_ERROR);
}
