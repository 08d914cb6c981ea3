package roll.cluster.services.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Codecs of arrays, lists, sets, maps and optional values. Decoded collections are immutable. */
final class ContainerCodecs {
  private static final Map<Class<?>, ValueLayout> NUMBERS =
      Map.of(
          int[].class, ValueLayout.JAVA_INT,
          long[].class, ValueLayout.JAVA_LONG,
          float[].class, ValueLayout.JAVA_FLOAT,
          double[].class, ValueLayout.JAVA_DOUBLE);

  private ContainerCodecs() {}

  /** Returns the codec of an array of numbers; null for another type. */
  static @Nullable ValueCodec numbers(Class<?> type) {
    ValueLayout here = NUMBERS.get(type);
    if (here == null) {
      return null;
    }
    ValueLayout wire = here.withOrder(ByteOrder.BIG_ENDIAN).withByteAlignment(1);
    int width = (int) here.byteSize();
    return ValueCodec.of(
        Object.class,
        (out, array) -> {
          int count = Array.getLength(array);
          MemorySegment to = MemorySegment.ofBuffer(out.array(count, width));
          MemorySegment.copy(segment(array), here, 0, to, wire, 0, count);
        },
        in -> {
          MemorySegment from = MemorySegment.ofBuffer(in.array(width));
          int count = (int) from.byteSize() / width;
          Object array = Array.newInstance(type.getComponentType(), count);
          MemorySegment.copy(from, wire, 0, segment(array), here, 0, count);
          return array;
        });
  }

  private static MemorySegment segment(Object array) {
    return switch (array) {
      case int[] numbers -> MemorySegment.ofArray(numbers);
      case long[] numbers -> MemorySegment.ofArray(numbers);
      case float[] numbers -> MemorySegment.ofArray(numbers);
      default -> MemorySegment.ofArray((double[]) array);
    };
  }

  /**
   * Returns the codec of a collection, a map or an optional value.
   *
   * @param elements codecs of its type arguments
   * @return null for another type
   */
  static @Nullable ValueCodec of(Class<?> type, List<ValueCodec> elements) {
    if (type == Map.class && elements.size() == 2) {
      return map(elements.getFirst(), elements.getLast());
    }
    if (elements.size() != 1) {
      return null;
    }
    ValueCodec element = elements.getFirst();
    if (type == List.class) {
      return ValueCodec.of(
          Object.class,
          (out, list) -> out.list((List<?>) list, element::write),
          in -> in.list(element::present));
    }
    if (type == Set.class) {
      return ValueCodec.of(
          Object.class,
          (out, set) -> out.list(((Set<?>) set).stream().sorted().toList(), element::write),
          in -> Set.copyOf(in.list(element::present)));
    }
    return type == Optional.class ? optional(element.orNull()) : null;
  }

  private static ValueCodec optional(ValueCodec value) {
    return ValueCodec.of(
        Object.class,
        (out, found) -> value.write(out, ((Optional<?>) found).orElse(null)),
        in -> Optional.ofNullable(value.read(in)));
  }

  /** Returns the codec of arrays of {@code type}. */
  static ValueCodec array(Class<?> type, ValueCodec element) {
    return ValueCodec.of(
        Object[].class,
        (out, array) -> out.list(Arrays.asList(array), element::write),
        in -> {
          List<Object> elements = in.list(element::present);
          return elements.toArray((Object[]) Array.newInstance(type, elements.size()));
        });
  }

  /** Returns the codec of a map, which keeps the order of keys. */
  private static ValueCodec map(ValueCodec key, ValueCodec value) {
    return ValueCodec.of(
        Object.class,
        (out, map) -> {
          Map<?, ?> entries = (Map<?, ?>) map;
          out.int32(entries.size());
          entries.forEach(
              (name, held) -> {
                key.write(out, name);
                value.write(out, held);
              });
        },
        in -> {
          Map<Object, @Nullable Object> map = new LinkedHashMap<>();
          for (int left = in.int32(); left > 0; left--) {
            Object name = key.present(in);
            if (map.containsKey(name)) {
              throw new MalformedMessageException("a map has a key twice: " + name);
            }
            map.put(name, value.read(in));
          }
          return Collections.unmodifiableMap(map);
        });
  }
}
