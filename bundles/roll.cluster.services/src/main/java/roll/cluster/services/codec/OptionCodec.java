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

/** Options as a configuration has them: the values that YAML knows, nested at most so deep. */
public final class OptionCodec {
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
    MAP
  }

  private OptionCodec() {}

  /**
   * A mapping with its place.
   *
   * @throws IllegalArgumentException if it holds what YAML does not know
   */
  public static void write(ByteWriter out, RawOptions options) {
    out.text(options.where());
    value(out, options.values(), 0);
  }

  /** As {@link #write} wrote it. */
  public static RawOptions options(ByteReader in) {
    String where = in.text();
    if (in.constant(Kind.values()) != Kind.MAP) {
      throw new MalformedMessageException(where + ": no mapping");
    }
    return YamlOptions.of(where, map(in, 1));
  }

  /**
   * A value.
   *
   * @throws IllegalArgumentException if it is or holds what YAML does not know
   */
  public static void value(ByteWriter out, @Nullable Object value) {
    value(out, value, 0);
  }

  /** As {@link #value(ByteWriter, Object)} wrote it; lists and maps do not change. */
  public static @Nullable Object value(ByteReader in) {
    return value(in, 0);
  }

  private static void value(ByteWriter out, @Nullable Object value, int depth) {
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
        list.forEach(item -> value(out, item, depth + 1));
      }
      case Map<?, ?> map -> {
        out.constant(Kind.MAP).int32(map.size());
        map.forEach(
            (key, item) -> {
              out.text(String.valueOf(key));
              value(out, item, depth + 1);
            });
      }
      default -> throw new IllegalArgumentException("an option is a " + value.getClass().getName());
    }
  }

  private static @Nullable Object value(ByteReader in, int depth) {
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
    };
  }

  private static List<@Nullable Object> list(ByteReader in, int depth) {
    List<@Nullable Object> list = new ArrayList<>();
    for (int left = in.int32(); left > 0; left--) {
      list.add(value(in, depth));
    }
    return Collections.unmodifiableList(list);
  }

  private static Map<String, @Nullable Object> map(ByteReader in, int depth) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    for (int left = in.int32(); left > 0; left--) {
      String key = in.text();
      if (map.containsKey(key)) {
        throw new MalformedMessageException("a key comes twice: " + key);
      }
      map.put(key, value(in, depth));
    }
    return Collections.unmodifiableMap(map);
  }
}
