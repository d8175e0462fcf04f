const digits = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#';

/** Z85 (ZeroMQ RFC 32), the form in which CURVE keys are written. Takes a multiple of 4 bytes. */
export function formatZ85(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = '';
  for (let at = 0; at < bytes.length; at += 4) {
    const value = view.getUint32(at);
    for (let power = 85 ** 4; power >= 1; power /= 85) text += digits.charAt(Math.floor(value / power) % 85);
  }
  return text;
}

/** Whether a text can be a CURVE key: 40 digits of Z85. */
export function isCurveKey(text: string): boolean {
  return text.length === 40 && [...text].every((digit) => digits.includes(digit));
}
