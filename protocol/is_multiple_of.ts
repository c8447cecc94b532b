/** Whether a number is a multiple of another one. */

/**
 * Says whether a number is a multiple of another one, as decimals: 19.99 is a multiple of 0.01, although the quotient of their
 * binary forms is none (JSON Schema 2020-12, Validation § 6.2.1).
 *
 * @param value The number.
 * @param divisor More than 0.
 */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  if (!Number.isFinite(value)) return false;
  const [digits, exponent] = decimal(value);
  const [divisorDigits, divisorExponent] = decimal(divisor);
  const least = Math.min(exponent, divisorExponent);
  return scaled(digits, exponent - least) % scaled(divisorDigits, divisorExponent - least) === 0n;
}

/** The shortest decimal that reads as this number: its digits as an integer, and the power of ten that goes with them. */
function decimal(value: number): readonly [digits: bigint, exponent: number] {
  const [mantissa = "0", exponent = "0"] = Math.abs(value).toExponential().split("e");
  const digits = mantissa.replace(".", "");
  return [BigInt(digits), Number(exponent) - (digits.length - 1)];
}

function scaled(digits: bigint, exponent: number): bigint {
  return digits * 10n ** BigInt(exponent);
}
