package roll.config.trl;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import roll.config.dialect.Translation;
import roll.config.schema.DefaultValues;
import roll.config.schema.ValueType;

/** The table {@code trl.keys}: every key of TRL's files with its translation. */
public final class TrlTable {
  private final DefaultValues defaults = new DefaultValues();
  private final List<TrlKey> keys;

  /** Reads the table. */
  public TrlTable() {
    keys = Translation.lines(TrlTable.class, "trl.keys").map(this::key).toList();
  }

  /** Returns every key, in the order of the table. */
  public Collection<TrlKey> keys() {
    return keys;
  }

  /** Returns the keys of the files of {@code trainer} by name. */
  Map<String, TrlKey> of(TrlTrainer trainer) {
    Map<String, TrlKey> own = new LinkedHashMap<>();
    keys.stream()
        .filter(key -> key.trainers().contains(trainer))
        .forEach(key -> own.put(key.name(), key));
    return own;
  }

  /** Returns the trainers whose files have the key {@code name}. */
  Set<TrlTrainer> trainers(String name) {
    return keys.stream()
        .filter(key -> key.name().equals(name))
        .flatMap(key -> key.trainers().stream())
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(TrlTrainer.class)));
  }

  private TrlKey key(String line) {
    String[] columns = line.split("\\|", 6);
    String name = columns[1].strip();
    return new TrlKey(
        trainers(columns),
        name,
        ValueType.parse(columns[2].strip()),
        defaults.of(name, columns[3].strip()),
        columns[4].strip(),
        Translation.parse(columns[5]));
  }

  private static Set<TrlTrainer> trainers(String[] columns) {
    String words = columns[0].strip();
    return words.equals("*")
        ? EnumSet.allOf(TrlTrainer.class)
        : Arrays.stream(words.split(" "))
            .map(word -> TrlTrainer.valueOf(word.toUpperCase(Locale.ROOT)))
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(TrlTrainer.class)));
  }
}
