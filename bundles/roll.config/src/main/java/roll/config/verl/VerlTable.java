package roll.config.verl;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.config.dialect.Translation;
import roll.config.schema.DefaultValues;
import roll.config.schema.ValueType;
import roll.config.tree.YamlTree;
import roll.text.Suggestion;

/** The table {@code verl.keys}: every option of verl and AgentFly with its translation. */
public final class VerlTable {
  private final Map<String, VerlKey> keys = new LinkedHashMap<>();
  private final DefaultValues defaults = new DefaultValues();

  /** Creates a verl table and reads the table. */
  public VerlTable() {
    this("verl.keys");
  }

  private VerlTable(String file) {
    Translation.lines(VerlTable.class, file)
        .map(this::key)
        .forEach(key -> keys.put(key.path(), key));
  }

  /** Returns the table of the options that only supervised training has. */
  public static VerlTable ofSft() {
    return new VerlTable("verl_sft.keys");
  }

  /** Returns every option, in the order of the table. */
  public Collection<VerlKey> keys() {
    return keys.values();
  }

  /** Returns the option {@code path}, or null. */
  @Nullable VerlKey get(String path) {
    return keys.get(path);
  }

  /** Whether {@code path} is a section of verl's configuration, with options below it. */
  boolean inside(String path) {
    return keys.keySet().stream().anyMatch(key -> key.startsWith(path + "."));
  }

  /** Returns the top-level sections that have verl options. */
  public Set<String> sections() {
    Set<String> sections = new LinkedHashSet<>();
    keys.keySet().forEach(path -> sections.add(YamlTree.keys(path).getFirst()));
    return sections;
  }

  /**
   * A suggestion for {@code path}: an option in the same section with a similar name, else one of
   * another section with the same last name; empty if there is none.
   */
  String near(String path) {
    int dot = path.lastIndexOf('.');
    String place = path.substring(0, dot + 1);
    Set<String> beside = new LinkedHashSet<>();
    List<String> elsewhere = new ArrayList<>();
    for (String key : keys.keySet()) {
      if (key.startsWith(place)) {
        beside.add(place + YamlTree.keys(key.substring(place.length())).getFirst());
      }
      if (key.endsWith(path.substring(dot < 0 ? 0 : dot)) && dot > 0) {
        elsewhere.add(key);
      }
    }
    String near = nearest(path.substring(dot + 1), place, beside);
    return near.isEmpty() && !elsewhere.isEmpty()
        ? "; did you mean '" + elsewhere.getFirst() + "'?"
        : near;
  }

  /**
   * Returns the option with the most similar last name; long paths would make all options similar.
   */
  private static String nearest(String name, String place, Set<String> paths) {
    List<String> names = paths.stream().map(path -> path.substring(place.length())).toList();
    return Suggestion.near(name, names).replace("mean '", "mean '" + place);
  }

  private VerlKey key(String line) {
    String[] columns = line.split("\\|", 5);
    String path = columns[0].strip();
    String[] standards = columns[2].strip().split(" / ", 2);
    Object standard = defaults.of(path, standards[0]);
    return new VerlKey(
        path,
        ValueType.parse(columns[1].strip()),
        standard,
        standards.length == 1 ? standard : defaults.of(path, standards[1]),
        columns[3].strip(),
        Translation.parse(columns[4]));
  }
}
