package roll.config.schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Every key a configuration may have, read from the {@code .keys} files beside this class: sections
 * of lines {@code key | type | default | status}. {@code include other} takes over the keys of
 * another section, and a key that is given again replaces the earlier one.
 */
public final class Schema {
  /** The section of the keys at the top of a file. */
  public static final String RUN = "run";

  private static final List<String> FILES =
      List.of("base.keys", "ppo.keys", "agentic.keys", "worker.keys", "sft.keys");

  private final Map<String, Map<String, Key>> sections = new LinkedHashMap<>();
  private final DefaultValues defaults = new DefaultValues();

  /** Creates a schema and reads the tables. */
  public Schema() {
    FILES.forEach(this::read);
  }

  /** Returns the names of all sections of the schema. */
  public Set<String> sections() {
    return Collections.unmodifiableSet(sections.keySet());
  }

  /** Returns the keys of {@code section} by name, in the order of the tables. */
  public Map<String, Key> section(String section) {
    return Objects.requireNonNull(sections.get(section), section);
  }

  /** The paths at which {@code name} is a key below the top, names of environments as a star. */
  public List<String> paths(String name) {
    List<String> paths = new ArrayList<>();
    paths(name, RUN, "", paths);
    return paths;
  }

  private void paths(String name, String section, String path, List<String> paths) {
    for (Key key : section(section).values()) {
      if (key.name().equals(name) && key.status() != Key.Status.NO_EFFECT) {
        paths.add(path + name);
      }
      if (key.type() instanceof ValueType.Sub type) {
        paths(name, type.section(), path + key.name() + (type.named() ? ".*." : "."), paths);
      }
    }
  }

  /** Returns the paths of all keys with an effect; names of environments are a star. */
  public List<String> paths() {
    List<String> paths = new ArrayList<>();
    paths(RUN, "", paths);
    return List.copyOf(paths);
  }

  private void paths(String section, String path, List<String> paths) {
    for (Key key : section(section).values()) {
      if (key.status() != Key.Status.SUPPORTED) {
        continue;
      }
      if (key.type() instanceof ValueType.Sub type) {
        paths(type.section(), path + key.name() + (type.named() ? ".*." : "."), paths);
      } else {
        paths.add(path + key.name());
      }
    }
  }

  private void read(String file) {
    String text;
    try (InputStream in = Objects.requireNonNull(Schema.class.getResourceAsStream(file), file)) {
      text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, Key> section = new LinkedHashMap<>();
    for (String line : text.lines().filter(l -> !l.isBlank() && !l.startsWith("#")).toList()) {
      if (line.startsWith("[")) {
        section =
            sections.computeIfAbsent(
                line.substring(1, line.indexOf(']')), name -> new LinkedHashMap<>());
      } else if (line.startsWith("include ")) {
        section.putAll(section(line.substring(8).strip()));
      } else {
        Key key = key(line);
        section.put(key.name(), key);
      }
    }
  }

  private Key key(String line) {
    String[] columns = line.split("\\|", 4);
    String name = columns[0].strip();
    String standard = columns[2].strip();
    String status = columns[3].strip();
    boolean required = standard.equals("required");
    return new Key(
        name,
        ValueType.parse(columns[1].strip()),
        required ? null : defaults.of(name, standard),
        required,
        switch (status.replaceFirst(":.*", "")) {
          case "", "used" -> Key.Status.SUPPORTED;
          case "made" -> Key.Status.TRANSLATED;
          case "none" -> Key.Status.NO_EFFECT;
          case "later" -> Key.Status.LATER;
          default -> throw new IllegalArgumentException("unknown status '" + status + "'");
        },
        status.replaceFirst("^(used|made|none|later): ", ""));
  }
}
