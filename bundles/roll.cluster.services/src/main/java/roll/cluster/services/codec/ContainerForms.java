package roll.cluster.services.codec;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Arrays, lists, sets, maps and optional values; what is read of them does not change. */
final class ContainerForms {
  private ContainerForms() {}

  /**
   * The form of {@code type}.
   *
   * @param elements forms of its type arguments
   * @return null if it is none of these
   */
  static @Nullable WireForm of(Class<?> type, List<WireForm> elements) {
    if (type == Map.class && elements.size() == 2) {
      return map(elements.getFirst(), elements.getLast());
    }
    if (elements.size() != 1) {
      return null;
    }
    WireForm element = elements.getFirst();
    if (type == List.class) {
      return WireForm.of(
          Object.class,
          (out, list) -> out.list((List<?>) list, element::write),
          in -> in.list(element::present));
    }
    if (type == Set.class) {
      return WireForm.of(
          Object.class,
          (out, set) -> out.list(((Set<?>) set).stream().sorted().toList(), element::write),
          in -> Set.copyOf(in.list(element::present)));
    }
    return type == Optional.class ? optional(element.orNull()) : null;
  }

  private static WireForm optional(WireForm value) {
    return WireForm.of(
        Object.class,
        (out, found) -> value.write(out, ((Optional<?>) found).orElse(null)),
        in -> Optional.ofNullable(value.read(in)));
  }

  /** That of arrays of {@code type}. */
  static WireForm array(Class<?> type, WireForm element) {
    return WireForm.of(
        Object[].class,
        (out, array) -> out.list(Arrays.asList(array), element::write),
        in -> {
          List<Object> elements = in.list(element::present);
          return elements.toArray((Object[]) Array.newInstance(type, elements.size()));
        });
  }

  /** In their order. */
  private static WireForm map(WireForm key, WireForm value) {
    return WireForm.of(
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
              throw new MalformedMessageException("a key comes twice: " + name);
            }
            map.put(name, value.read(in));
          }
          return Collections.unmodifiableMap(map);
        });
  }
}
