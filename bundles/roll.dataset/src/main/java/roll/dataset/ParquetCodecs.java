package roll.dataset;

import io.airlift.compress.Compressor;
import io.airlift.compress.Decompressor;
import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.snappy.SnappyCompressor;
import io.airlift.compress.snappy.SnappyDecompressor;
import io.airlift.compress.zstd.ZstdCompressor;
import io.airlift.compress.zstd.ZstdDecompressor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.brotli.dec.BrotliInputStream;

/**
 * The codecs of Parquet pages in pure Java: snappy, zstd, gzip, lz4, brotli (which is only read)
 * and none.
 */
final class ParquetCodecs implements CompressionCodecFactory {
  @Override
  public BytesInputCompressor getCompressor(CompressionCodecName name) {
    return new Codec(name);
  }

  @Override
  public BytesInputDecompressor getDecompressor(CompressionCodecName name) {
    return new Codec(name);
  }

  @Override
  public void release() {}

  /** A compression codec of Parquet, for reading and writing. */
  private record Codec(CompressionCodecName name)
      implements BytesInputCompressor, BytesInputDecompressor {
    @Override
    public CompressionCodecName getCodecName() {
      return name;
    }

    @Override
    public BytesInput compress(BytesInput bytes) throws IOException {
      byte[] plain = bytes.toInputStream().readAllBytes();
      return BytesInput.from(
          switch (name) {
            case UNCOMPRESSED -> plain;
            case GZIP -> {
              ByteArrayOutputStream packed = new ByteArrayOutputStream();
              try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
                out.write(plain);
              }
              yield packed.toByteArray();
            }
            case SNAPPY -> packed(new SnappyCompressor(), plain);
            case ZSTD -> packed(new ZstdCompressor(), plain);
            case LZ4_RAW -> packed(new Lz4Compressor(), plain);
            default -> throw unknown();
          });
    }

    private static byte[] packed(Compressor compressor, byte[] plain) {
      byte[] packed = new byte[compressor.maxCompressedLength(plain.length)];
      int length = compressor.compress(plain, 0, plain.length, packed, 0, packed.length);
      return Arrays.copyOf(packed, length);
    }

    @Override
    public BytesInput decompress(BytesInput bytes, int size) throws IOException {
      return BytesInput.from(plain(bytes.toInputStream().readAllBytes(), size));
    }

    @Override
    public void decompress(ByteBuffer input, int packed, ByteBuffer output, int size)
        throws IOException {
      byte[] bytes = new byte[packed];
      input.get(bytes);
      output.put(plain(bytes, size));
    }

    private byte[] plain(byte[] packed, int size) throws IOException {
      return switch (name) {
        case UNCOMPRESSED -> packed;
        case GZIP -> {
          try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            yield in.readNBytes(size);
          }
        }
        case BROTLI -> {
          try (BrotliInputStream in = new BrotliInputStream(new ByteArrayInputStream(packed))) {
            yield in.readNBytes(size);
          }
        }
        case SNAPPY -> unpacked(new SnappyDecompressor(), packed, size);
        case ZSTD -> unpacked(new ZstdDecompressor(), packed, size);
        case LZ4_RAW -> unpacked(new Lz4Decompressor(), packed, size);
        default -> throw unknown();
      };
    }

    private static byte[] unpacked(Decompressor decompressor, byte[] packed, int size) {
      byte[] plain = new byte[size];
      decompressor.decompress(packed, 0, packed.length, plain, 0, size);
      return plain;
    }

    private IOException unknown() {
      return new IOException("the compression " + name + " is not known here");
    }

    @Override
    public void release() {}
  }
}
