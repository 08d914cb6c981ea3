package roll.huggingface;

/**
 * Number formats of the safetensors layout whose elements are whole bytes, in the order in which
 * writers sort them (widest last).
 *
 * <p>Source: {@code enum Dtype} of huggingface/safetensors.
 */
public enum TensorFormat {
  /** Tensor format: truth values, a byte each. */
  BOOL(1),
  /** Tensor format: unsigned bytes. */
  U8(1),
  /** Tensor format: signed bytes. */
  I8(1),
  /** Tensor format: 8-bit floating point, 5 exponent bits. */
  F8_E5M2(1),
  /** Tensor format: 8-bit floating point, 4 exponent bits. */
  F8_E4M3(1),
  /** Tensor format: powers of two, 8 exponent bits. */
  F8_E8M0(1),
  /** 8-bit floating point, 4 exponent bits, no negative zero. */
  F8_E4M3FNUZ(1),
  /** 8-bit floating point, 5 exponent bits, no negative zero. */
  F8_E5M2FNUZ(1),
  /** Tensor format: 16-bit integers. */
  I16(2),
  /** Tensor format: unsigned 16-bit integers. */
  U16(2),
  /** Tensor format: IEEE 754 half precision. */
  F16(2),
  /** The upper half of a 32-bit float. */
  BF16(2),
  /** Tensor format: 32-bit integers. */
  I32(4),
  /** Tensor format: unsigned 32-bit integers. */
  U32(4),
  /** Tensor format: 32-bit floating point. */
  F32(4),
  /** Tensor format: complex numbers, 32 bits a part. */
  C64(8),
  /** Tensor format: 64-bit floating point. */
  F64(8),
  /** Tensor format: 64-bit integers. */
  I64(8),
  /** Tensor format: unsigned 64-bit integers. */
  U64(8);

  private final int bytes;

  TensorFormat(int bytes) {
    this.bytes = bytes;
  }

  /** Returns the bytes of an element. */
  public int bytes() {
    return bytes;
  }

  /** Returns whether {@link StoredTensor#readFloats} and the writer convert this format. */
  public boolean isFloat() {
    return this == F32 || this == F16 || this == BF16;
  }

  /** Converts the 16 bits {@code half} of an F16 or BF16 tensor to a float, exactly. */
  float widen(short half) {
    return this == F16 ? Float.float16ToFloat(half) : Float.intBitsToFloat(half << 16);
  }

  /** Rounds {@code value} to F16 or BF16, ties to even; NaN stays NaN. */
  short narrow(float value) {
    if (this == F16) {
      return Float.floatToFloat16(value);
    }
    int bits = Float.floatToRawIntBits(value);
    if (Float.isNaN(value)) {
      return (short) ((bits >>> 16) | 0x40);
    }
    return (short) ((bits + 0x7FFF + ((bits >>> 16) & 1)) >>> 16);
  }
}
