package roll.cluster.services.codec;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;
import roll.api.image.Picture;
import roll.api.option.Option;
import roll.api.option.OptionType;
import roll.api.option.RawOptions;
import roll.runtime.option.YamlOptions;

/** Types that are written as others: what a message has of their values. */
final class WireTypes {
  private record Options(String where, Map<String, @Nullable Object> values) {}

  private record Seconds(long whole, int nanos) {}

  private record Address(String host, int port) {}

  private record Declared(
      String name, String description, OptionType<?> type, @Nullable Object standard) {}

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
              new Other<>(
                  RawOptions.class,
                  Options.class,
                  options -> new Options(options.where(), options.values()),
                  options -> YamlOptions.of(options.where, options.values)),
              new Other<>(Option.class, Declared.class, WireTypes::declared, WireTypes::option),
              new Other<>(Picture.class, byte[].class, Picture::data, Picture::of),
              new Other<>(
                  BufferedImage.class,
                  byte[].class,
                  image -> Picture.png(image).data(),
                  WireTypes::image))
          .collect(Collectors.toUnmodifiableMap(Other::type, other -> other));

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
    try {
      BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));
      if (image == null) {
        throw new MalformedMessageException("a picture is no PNG");
      }
      return image;
    } catch (IOException e) {
      throw new UncheckedIOException("a picture is no PNG: " + e.getMessage(), e);
    }
  }

  private static Declared declared(Option<?> option) {
    Object standard = option.defaultValue();
    return new Declared(
        option.name(),
        option.description(),
        option.type(),
        standard instanceof RawOptions nested ? nested.values() : standard);
  }

  private static Option<?> option(Declared declared) {
    String name = declared.name;
    String description = declared.description;
    Object given = declared.standard;
    return switch (declared.type) {
      case OptionType.Flag type -> option(name, type, (Boolean) given, description);
      case OptionType.Whole type -> option(name, type, (Integer) given, description);
      case OptionType.Decimal type -> option(name, type, (Double) given, description);
      case OptionType.Text type -> option(name, type, (String) given, description);
      case OptionType.Texts type -> option(name, type, texts(given), description);
      case OptionType.Elements type -> option(name, type, texts(given), description);
      case OptionType.Mapping type -> option(name, type, mapping(given), description);
      case OptionType.Nested type -> option(name, type, nested(name, given), description);
    };
  }

  private static <T> Option<T> option(
      String name, OptionType<T> type, @Nullable T standard, String description) {
    return new Option<>(name, type, standard, description);
  }

  private static @Nullable RawOptions nested(String name, @Nullable Object given) {
    if (given == null) {
      return null;
    }
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    ((Map<?, ?>) given).forEach((key, value) -> values.put(String.valueOf(key), value));
    return YamlOptions.of(name, values);
  }

  private static @Nullable List<String> texts(@Nullable Object given) {
    return given == null ? null : ((List<?>) given).stream().<String>map(String::valueOf).toList();
  }

  private static @Nullable Map<String, String> mapping(@Nullable Object given) {
    if (given == null) {
      return null;
    }
    Map<String, String> values = new LinkedHashMap<>();
    ((Map<?, ?>) given)
        .forEach((key, value) -> values.put(String.valueOf(key), String.valueOf(value)));
    return values;
  }
}
