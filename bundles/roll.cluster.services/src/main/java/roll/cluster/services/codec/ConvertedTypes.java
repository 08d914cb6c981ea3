package roll.cluster.services.codec;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;
import org.jspecify.annotations.Nullable;
import roll.api.image.Picture;
import roll.api.option.RawOptions;

/** Types that messages encode as another type. */
final class ConvertedTypes {
  private record Seconds(long whole, int nanos) {}

  private record Address(String host, int port) {}

  private static final Map<Class<?>, Conversion<?, ?>> ALL =
      Stream.of(
              new Conversion<>(Path.class, String.class, Path::toString, Path::of),
              new Conversion<>(
                  ByteBuffer.class, byte[].class, ConvertedTypes::bytes, ByteBuffer::wrap),
              new Conversion<>(
                  Duration.class,
                  Seconds.class,
                  time -> new Seconds(time.getSeconds(), time.getNano()),
                  time -> Duration.ofSeconds(time.whole, time.nanos)),
              new Conversion<>(
                  InetSocketAddress.class,
                  Address.class,
                  at -> new Address(at.getAddress().getHostAddress(), at.getPort()),
                  at -> new InetSocketAddress(InetAddress.ofLiteral(at.host), at.port)),
              new Conversion<>(RawOptions.class, Object.class, o -> o, RawOptions.class::cast),
              new Conversion<>(
                  BufferedImage.class,
                  byte[].class,
                  image -> Picture.png(image).data(),
                  ConvertedTypes::image))
          .collect(Collectors.toUnmodifiableMap(Conversion::type, each -> each));

  /** Maximum size of a decoded picture, since a few bytes can claim any size. */
  private static final int MOST_PIXELS = 1 << 25;

  private ConvertedTypes() {}

  /**
   * Conversion of a type.
   *
   * @param wire the type that is encoded
   */
  record Conversion<T, W>(Class<T> type, Class<W> wire, Function<T, W> out, Function<W, T> in) {
    /** Returns the codec of the converted type, given that of the encoded type. */
    ValueCodec codec(ValueCodec encoded) {
      return ValueCodec.of(
          type,
          (to, value) -> encoded.write(to, out.apply(value)),
          from -> in.apply(Objects.requireNonNull(wire.cast(encoded.present(from)))));
    }
  }

  /** Returns the conversion of {@code type}; null if it has none. */
  static @Nullable Conversion<?, ?> of(Class<?> type) {
    return ALL.get(type);
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private static BufferedImage image(byte[] png) {
    ImageReader reader = ImageIO.getImageReadersByFormatName("png").next();
    try (ImageInputStream in = new MemoryCacheImageInputStream(new ByteArrayInputStream(png))) {
      reader.setInput(in, true, true);
      int width = reader.getWidth(0);
      int height = reader.getHeight(0);
      if ((long) width * height > MOST_PIXELS) {
        throw new MalformedMessageException(
            "a picture is %d by %d pixels, more than %d".formatted(width, height, MOST_PIXELS));
      }
      return reader.read(0);
    } catch (IOException e) {
      throw new MalformedMessageException("a picture is no PNG", e);
    } finally {
      reader.dispose();
    }
  }
}
