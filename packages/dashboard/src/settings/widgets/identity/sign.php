<?php
function encoded(string $bytes): string
{
    return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
}

function sign_identity(array $claims, string $secret): string
{
    $parts = [['alg' => 'HS256', 'typ' => 'JWT'], [...$claims, 'exp' => time() + 3600]];
    $signed = implode('.', array_map(fn ($part) => encoded(json_encode($part, JSON_THROW_ON_ERROR)), $parts));
    return $signed . '.' . encoded(hash_hmac('sha256', $signed, $secret, true));
}
