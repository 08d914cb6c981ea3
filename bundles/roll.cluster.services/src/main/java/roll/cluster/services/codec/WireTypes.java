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

/** Types that are written as others: what a message has of their values. */
final class WireTypes {
  private record Seconds(long whole, int nanos) {}

  private record Address(String host, int port) {}

  private static final Map<Class<?>, Other<?, ?>> ALL =
      Stream.of(
              new Other<>(Path.class, String.class, Path::toString, Path::of),
              new Other<>(ByteBuffer.class, byte[].class, WireTypes::bytes, ByteBuffer::wrap),
              new Other<>(
                  Duration.class,
                  Seconds.class,
                  time -> new Seconds(time.getSeconds(), time.getNano()),
                  time -> Duration.ofSeconds(time.whole, time.nanos)),
              new Other<>(
                  InetSocketAddress.class,
                  Address.class,
                  at -> new Address(at.getAddress().getHostAddress(), at.getPort()),
                  at -> new InetSocketAddress(InetAddress.ofLiteral(at.host), at.port)),
              new Other<>(RawOptions.class, Object.class, o -> o, RawOptions.class::cast),
              new Other<>(
                  BufferedImage.class,
                  byte[].class,
                  image -> Picture.png(image).data(),
                  WireTypes::image))
          .collect(Collectors.toUnmodifiableMap(Other::type, other -> other));

  /** A few bytes can claim any size, and are that much memory once they are read. */
  private static final int MOST_PIXELS = 1 << 25;

  private WireTypes() {}

  /**
   * A type and what it is written as.
   *
   * @param wire the type that travels
   */
  record Other<T, W>(Class<T> type, Class<W> wire, Function<T, W> out, Function<W, T> in) {
    /** The form of the type, by that of what travels. */
    WireForm form(WireForm travels) {
      return WireForm.of(
          type,
          (to, value) -> travels.write(to, out.apply(value)),
          from -> in.apply(Objects.requireNonNull(wire.cast(travels.present(from)))));
    }
  }

  /** What {@code type} is written as; null if it is none of these. */
  static @Nullable Other<?, ?> of(Class<?> type) {
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
