package roll.cluster.services.codec;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.RawOptions;
import roll.runtime.option.YamlOptions;

/** Codec of configuration values: those of YAML, including null, and {@link RawOptions}. */
final class YamlValueCodec implements ValueCodec {
  private static final int DEEPEST = 32;

  private enum Kind {
    NOTHING,
    BOOL,
    INT,
    LONG,
    BIG,
    DOUBLE,
    TEXT,
    LIST,
    MAP,
    OPTIONS
  }

  /**
   * Encodes a configuration value.
   *
   * @throws IllegalArgumentException if it contains a type that YAML does not have
   */
  @Override
  public void write(ByteWriter out, @Nullable Object value) {
    write(out, value, 0);
  }

  /** Decodes a value; lists and maps are immutable. */
  @Override
  public @Nullable Object read(ByteReader in) {
    return read(in, 0);
  }

  private static void write(ByteWriter out, @Nullable Object value, int depth) {
    if (depth > DEEPEST) {
      throw new IllegalArgumentException("options are nested deeper than " + DEEPEST);
    }
    switch (value) {
      case null -> out.constant(Kind.NOTHING);
      case Boolean bool -> out.constant(Kind.BOOL).bool(bool);
      case Integer number -> out.constant(Kind.INT).int32(number);
      case Long number -> out.constant(Kind.LONG).int64(number);
      case BigInteger number -> out.constant(Kind.BIG).bytes(number.toByteArray());
      case Double number -> out.constant(Kind.DOUBLE).float64(number);
      case String text -> out.constant(Kind.TEXT).text(text);
      case List<?> list -> {
        out.constant(Kind.LIST).int32(list.size());
        list.forEach(item -> write(out, item, depth + 1));
      }
      case Map<?, ?> map -> {
        out.constant(Kind.MAP).int32(map.size());
        map.forEach(
            (key, item) -> {
              out.text(String.valueOf(key));
              write(out, item, depth + 1);
            });
      }
      case RawOptions options -> {
        out.constant(Kind.OPTIONS).text(options.where());
        write(out, options.values(), depth + 1);
      }
      default -> throw new IllegalArgumentException("an option is a " + value.getClass().getName());
    }
  }

  private static @Nullable Object read(ByteReader in, int depth) {
    if (depth > DEEPEST) {
      throw new MalformedMessageException("options are nested deeper than " + DEEPEST);
    }
    return switch (in.constant(Kind.values())) {
      case NOTHING -> null;
      case BOOL -> in.bool();
      case INT -> in.int32();
      case LONG -> in.int64();
      case BIG -> new BigInteger(in.bytes());
      case DOUBLE -> in.float64();
      case TEXT -> in.text();
      case LIST -> list(in, depth + 1);
      case MAP -> map(in, depth + 1);
      case OPTIONS -> options(in, depth + 1);
    };
  }

  private static RawOptions options(ByteReader in, int depth) {
    String where = in.text();
    if (in.constant(Kind.values()) != Kind.MAP) {
      throw new MalformedMessageException(where + ": no mapping");
    }
    return YamlOptions.of(where, map(in, depth + 1));
  }

  private static List<@Nullable Object> list(ByteReader in, int depth) {
    List<@Nullable Object> list = new ArrayList<>();
    for (int left = in.int32(); left > 0; left--) {
      list.add(read(in, depth));
    }
    return Collections.unmodifiableList(list);
  }

  private static Map<String, @Nullable Object> map(ByteReader in, int depth) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    for (int left = in.int32(); left > 0; left--) {
      String key = in.text();
      if (map.containsKey(key)) {
        throw new MalformedMessageException("a map has a key twice: " + key);
      }
      map.put(key, read(in, depth));
    }
    return Collections.unmodifiableMap(map);
  }
}
