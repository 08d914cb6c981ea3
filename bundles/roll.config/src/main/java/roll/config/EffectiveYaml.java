package roll.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.Yaml;

/** Writes a settled configuration as YAML that loads to the same one. */
final class EffectiveYaml {
  private final Schema schema;

  /** With the keys of {@code schema}, in its order; keys without effect are left out. */
  EffectiveYaml(Schema schema) {
    this.schema = schema;
  }

  /** The whole of {@code run}. */
  String write(Section run) {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(FlowStyle.BLOCK);
    options.setSplitLines(false);
    options.setAllowUnicode(true);
    return new Yaml(options).dump(section(Schema.RUN, run));
  }

  private Map<String, @Nullable Object> section(String name, Section section) {
    Map<String, @Nullable Object> written = new LinkedHashMap<>();
    for (Key key : schema.section(name).values()) {
      Object value = section.value(key.name());
      if (key.status() != Key.Status.SUPPORTED || value == null) {
        continue;
      }
      Object plain = value(key, value);
      boolean empty = key.type() instanceof ValueType.Sub && Map.of().equals(plain);
      if (!empty) {
        written.put(key.name(), plain);
      }
    }
    return written;
  }

  private @Nullable Object value(Key key, Object value) {
    if (!(key.type() instanceof ValueType.Sub type)) {
      return plain(value);
    }
    if (value instanceof Section section) {
      return section(type.section(), section);
    }
    Map<String, @Nullable Object> written = new LinkedHashMap<>();
    ((Map<?, ?>) value)
        .forEach((name, s) -> written.put((String) name, section(type.section(), (Section) s)));
    return written;
  }

  /** A copy whose texts are not taken for interpolations. */
  private static @Nullable Object plain(@Nullable Object value) {
    return switch (value) {
      case String text -> text.replace("${", "\\${");
      case List<?> list -> {
        List<@Nullable Object> copy = new ArrayList<>();
        list.forEach(element -> copy.add(plain(element)));
        yield copy;
      }
      case Map<?, ?> map -> {
        Map<Object, @Nullable Object> copy = new LinkedHashMap<>();
        map.forEach((k, v) -> copy.put(k, plain(v)));
        yield copy;
      }
      case null, default -> value;
    };
  }
}
