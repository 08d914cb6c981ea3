package roll.config.schema;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.Yaml;
import roll.config.tree.YamlTree;
import roll.runtime.option.Secrets;

/** Writes a checked configuration as YAML that loads to the same configuration. */
public final class EffectiveYaml {
  /** Pattern of an environment variable, optionally after the scheme of an HTTP header. */
  private static final Pattern VARIABLE =
      Pattern.compile("((?:Bearer |Basic |Token )?)\\$\\{(oc\\.env:[^,${}]+)(,[^${}]*)?}");

  private final Schema schema;
  private final Map<String, @Nullable Object> raw;
  private final Map<String, Object> left = new LinkedHashMap<>();

  /**
   * With the keys of {@code schema}, in its order; keys without effect are left out, and so are
   * secrets, unless they come from environment variables: then these are named.
   *
   * @param raw the configuration before its interpolations were resolved
   */
  public EffectiveYaml(Schema schema, Map<String, @Nullable Object> raw) {
    this.schema = schema;
    this.raw = raw;
  }

  /** Returns the configuration {@code run} as YAML. */
  public String write(Section run) {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(FlowStyle.BLOCK);
    options.setSplitLines(false);
    options.setAllowUnicode(true);
    return new Yaml(options).dump(section(Schema.RUN, run));
  }

  /** Returns the secrets that were left out of the YAML, by path. */
  public Map<String, Object> left() {
    return Map.copyOf(left);
  }

  private Map<String, @Nullable Object> section(String name, Section section) {
    Map<String, @Nullable Object> written = new LinkedHashMap<>();
    for (Key key : schema.section(name).values()) {
      Object value = section.value(key.name());
      if (key.status() != Key.Status.SUPPORTED || value == null) {
        continue;
      }
      Object plain = value(key, value, section.path(key.name()));
      boolean empty = key.type() instanceof ValueType.Sub && Map.of().equals(plain);
      if (!empty) {
        written.put(key.name(), plain);
      }
    }
    return written;
  }

  private @Nullable Object value(Key key, Object value, String path) {
    if (!(key.type() instanceof ValueType.Sub type)) {
      return plain(value, path);
    }
    if (value instanceof Section section) {
      return section(type.section(), section);
    }
    Map<String, @Nullable Object> written = new LinkedHashMap<>();
    ((Map<?, ?>) value)
        .forEach((name, s) -> written.put((String) name, section(type.section(), (Section) s)));
    return written;
  }

  /** Returns a copy without secrets, with interpolations in its texts escaped. */
  private @Nullable Object plain(@Nullable Object value, String path) {
    return switch (value) {
      case String text -> text.replace("${", "\\${");
      case List<?> list -> {
        List<@Nullable Object> copy = new ArrayList<>();
        list.forEach(element -> copy.add(plain(element, path)));
        yield copy;
      }
      case Map<?, ?> map -> {
        Map<Object, @Nullable Object> copy = new LinkedHashMap<>();
        map.forEach((k, v) -> put(copy, k, v, path + "." + k));
        yield copy;
      }
      case null, default -> value;
    };
  }

  private void put(
      Map<Object, @Nullable Object> copy, Object key, @Nullable Object value, String path) {
    boolean oneByOne = value instanceof Map && Secrets.is(path + ".");
    if (value == null || oneByOne || !Secrets.is(path)) {
      copy.put(key, plain(value, path));
      return;
    }
    if (YamlTree.at(raw, path) instanceof String text) {
      Matcher variable = VARIABLE.matcher(text);
      if (variable.matches()) {
        copy.put(key, variable.group(1) + "${" + variable.group(2) + "}");
        return;
      }
    }
    left.put(path, value);
  }
}
